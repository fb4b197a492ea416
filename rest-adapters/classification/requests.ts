import { z } from 'zod'
import { isDay } from '../../foundation/graphql/scalars.ts'
import { ownIssue } from '../response/invalid-request.ts'

const moment = z
  .string()
  .refine((text) => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) && !Number.isNaN(Date.parse(text)) && isDay(text), {
    params: ownIssue({ type: 'datetime_parsing', msg: 'Input should be a valid datetime' }).params,
  })
  .meta({ format: 'date-time' })

const reference = z.string().meta({ maxLength: 512 })

/** The body of POST /api/v1/expressions; the subgraph validates the values. */
export const ExpressionRequest = z
  .object({
    external_id: reference.nullish().meta({
      description: 'Id at the source. A repeated request of the same caller with the same id returns 200; with another text, 409.',
    }),
    text: z.string().meta({ minLength: 1, maxLength: 10_000 }),
    lang: z.string().nullish().meta({ description: 'ISO 639-1 or 639-3; detected when absent' }),
    created_at: moment.nullish().meta({
      format: 'date-time',
      description: 'Time of the statement, from 1900 to 5 minutes ahead, where a future time counts as now; now when absent',
    }),
    author_ref: reference.nullish().meta({
      description:
        'Identifier of the author at the source; only its HMAC is stored. It is used as the author only when a service key sends it.',
    }),
    source: reference.nullish(),
    location: z
      .object({
        lat: z.number().nullish(),
        lon: z.number().nullish(),
        address: reference.nullish(),
        postcode: reference.nullish(),
        city: reference.nullish(),
        country: reference.nullish(),
      })
      .nullish()
      .meta({ description: '`lat` and `lon`, or an address' }),
    domain_hint: reference.nullish().meta({ description: 'Id of a domain or sub-domain of the taxonomy' }),
  })
  .meta({ id: 'ExpressionRequest' })

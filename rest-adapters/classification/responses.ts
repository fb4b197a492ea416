import { z } from 'zod'
import { shownExpression } from '../live/public-expression.ts'
import { RateLimitState } from '../response/rate-limit-headers.ts'

/** Converts the data of the mutation to the REST response. */
export const ingested = z
  .object({ ingested: z.object({ created: z.boolean(), moderation: z.literal('HELD').nullish(), expression: shownExpression }) })
  .transform(
    ({
      ingested: {
        created,
        moderation,
        expression: { id, status, ...rest },
      },
    }) => ({ id, status, created, ...(moderation != null && { moderation: 'held' as const }), ...rest }),
  )

/** Reads the state of the rate limit from the data of the mutation. */
export const ingestLimit = z
  .object({ ingested: z.object({ rateLimit: RateLimitState.nullish() }) })
  .transform(({ ingested: { rateLimit } }) => rateLimit ?? null)

export const TaxonomySynchronisation = z
  .object({
    version: z.string(),
    added: z.int(),
    updated: z.int(),
    removed: z.int(),
    unchanged: z.int(),
    re_embedded: z.int(),
    duration_ms: z.number(),
  })
  .meta({ id: 'TaxonomySynchronisation' })

import { z } from 'zod'
import { shownExpression } from '../live/public-expression.ts'

/** From what the mutation answers to what REST does. */
export const ingested = z.object({ ingested: z.object({ created: z.boolean(), expression: shownExpression }) }).transform(
  ({
    ingested: {
      created,
      expression: { id, status, ...rest },
    },
  }) => ({ id, status, created, ...rest }),
)

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

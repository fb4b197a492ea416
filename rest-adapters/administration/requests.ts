import { z } from 'zod'
import { laxInteger } from '../route/value-schemas.ts'
import { delegationStatuses } from './responses.ts'

export const LoginRequest = z.object({ email: z.string(), password: z.string() }).meta({ id: 'LoginRequest' })

/** no code or id holds U+0000, and no database takes it */
const word = z.string().regex(/^[^\0]*$/)

export const delegationsQuery = z.object({
  page: laxInteger(1, 100_000).optional().meta({ type: 'integer', minimum: 1, default: 1, description: 'number of the page' }),
  size: laxInteger(1, 100)
    .optional()
    .meta({ type: 'integer', minimum: 1, maximum: 100, default: 20, description: 'most delegations of a page' }),
  status: z.enum(delegationStatuses).optional().meta({ description: 'where they stand' }),
  delegator: word.optional().meta({ description: 'code of the citizen who gives the right' }),
  delegate: word.optional().meta({ description: 'code of the citizen who acts' }),
  group: word.optional().meta({ description: 'id of the group' }),
  domain: word.optional().meta({ description: 'id of the domain' }),
  sort: z
    .enum(['-created_at', 'created_at'])
    .optional()
    .meta({ default: '-created_at', description: 'by time of creation; with - the newest first' }),
})

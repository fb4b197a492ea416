import { z } from 'zod'
import { laxInteger } from '../route/value-schemas.ts'
import { delegationStatuses } from './responses.ts'

export const LoginRequest = z.object({ email: z.string(), password: z.string() }).meta({ id: 'LoginRequest' })

/** codes and ids cannot contain U+0000, which databases refuse */
const word = z.string().regex(/^[^\0]*$/)

export const delegationsQuery = z.object({
  page: laxInteger(1, 100_000).optional().meta({ type: 'integer', minimum: 1, default: 1, description: 'Number of the page, from 1' }),
  size: laxInteger(1, 100)
    .optional()
    .meta({ type: 'integer', minimum: 1, maximum: 100, default: 20, description: 'Maximum number of delegations per page' }),
  status: z.enum(delegationStatuses).optional().meta({ description: 'Returns only delegations with this status' }),
  delegator: word.optional().meta({ description: 'Returns only delegations of this delegator (citizen code)' }),
  delegate: word.optional().meta({ description: 'Returns only delegations to this delegate (citizen code)' }),
  group: word.optional().meta({ description: 'Returns only delegations in this group' }),
  domain: word.optional().meta({ description: 'Returns only delegations for this domain' }),
  sort: z
    .enum(['-created_at', 'created_at'])
    .optional()
    .meta({ default: '-created_at', description: 'Order by time of creation; `-created_at` returns the newest first' }),
})

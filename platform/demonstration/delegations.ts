import { z } from 'zod'
import { readData } from '../../foundation/files/data-file.ts'
import type { FirstDelegations } from '../../subgraphs/administration/index.ts'

/** A delegation with days relative to the start of the demonstration. */
const Delegation = z.strictObject({
  id: z.string(),
  delegator: z.string(),
  delegate: z.string(),
  group: z.string(),
  domain: z.string().optional(),
  scope: z.enum(['all', 'vote']),
  status: z.literal('revoked').optional(),
  startsInDays: z.int(),
  /** absent: unlimited */
  lastsDays: z.int().optional(),
  saidDaysAgo: z.int(),
})

const dayMs = 86_400_000

/** Enough delegations for several pages and every status. */
export const demonstrationDelegations: FirstDelegations = {
  source: 'demonstration',
  records(nowMs) {
    const day = (days: number): string => new Date(nowMs + days * dayMs).toISOString()
    return readData('demonstration/delegations/delegations.json', z.array(Delegation)).map(
      ({ group, startsInDays, lastsDays, saidDaysAgo, ...delegation }) => ({
        ...delegation,
        group_id: group,
        starts_at: day(startsInDays),
        ends_at: lastsDays === undefined ? undefined : day(startsInDays + lastsDays),
        created_at: day(-saidDaysAgo),
        updated_at: day(-saidDaysAgo),
      }),
    )
  },
}

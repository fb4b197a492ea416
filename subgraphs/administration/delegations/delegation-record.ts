import { v5 as uuidOf } from 'uuid'
import { z } from 'zod'
import { notAhead } from '../../../foundation/clock.ts'
import { isStorableMoment, isStorableText } from '../../../foundation/validation/values.ts'
import { textViolations, type Violation } from '../../../foundation/validation/violation.ts'
import type { DelegationStatus, delegation } from '../tables.ts'

/** namespace of the ids that are derived from a delegation's content */
const namespace = '5d7f0a52-0c0e-5a3c-9c35-1f2b3d4e5f60'

/** Most characters in a code, id, group, domain or scope. */
const maxDelegationText = 128

const text = (max: number) => z.string().trim().min(1).max(max).refine(isStorableText, 'must be well-formed text')
const moment = z.iso
  .datetime({ offset: true })
  .transform((value) => new Date(value))
  .refine(isStorableMoment, 'must be in the years 1 to 9999 of UTC')
/** CSV has no null: an empty field is an absent one */
const optional = <Value extends z.ZodType>(rule: Value) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), rule.optional())

/** Returns the violation of a text that no stored delegation can have: such texts would fill the audit trail and saved scenarios. */
export function delegationTextViolations(path: Violation['path'], value: string): readonly Violation[] {
  return textViolations(path, value, maxDelegationText)
}

/** A delegation from outside: a line of a file or the body of a message. */
const Record = z
  .object({
    id: optional(text(maxDelegationText)),
    delegator: text(maxDelegationText),
    delegate: text(maxDelegationText),
    group_id: text(maxDelegationText),
    domain: optional(text(maxDelegationText)),
    scope: optional(text(maxDelegationText)),
    status: optional(z.enum(['pending', 'active', 'revoked', 'expired'])),
    starts_at: moment,
    ends_at: optional(moment),
    created_at: optional(moment),
    updated_at: optional(moment),
  })
  .refine(({ delegator, delegate }) => delegator !== delegate, { path: ['delegate'], message: 'must be another citizen' })
  .refine(({ starts_at, ends_at }) => ends_at === undefined || ends_at > starts_at, {
    path: ['ends_at'],
    message: 'must be after starts_at',
  })

/** a later time would stay first in lists, and no correction would replace it */
const tooFarAhead = 'must be at most 5 minutes ahead of now'

/** What is wrong with a delegation from outside, without values. */
export interface DelegationProblem {
  /** name of the member; null for the whole delegation */
  readonly field: string | null
  readonly message: string
}

/** Writes a problem as one sentence. */
export const textOfProblem = ({ field, message }: DelegationProblem): string => (field === null ? message : `${field}: ${message}`)

export type NewDelegation = Required<Omit<typeof delegation.$inferInsert, 'source'>>

/**
 * Validates a delegation from outside. Of the status only `revoked` is used; pending, active and expired follow from the time.
 * @returns the row, or the problems by member, without values
 */
export function readDelegation(content: unknown, nowMs: number): NewDelegation | { readonly problems: readonly DelegationProblem[] } {
  const read = Record.safeParse(content)
  if (!read.success) return { problems: read.error.issues.map(({ path, message }) => ({ field: path.join('.') || 'the record', message })) }
  const { delegator, delegate, group_id, domain, scope = 'all', status, starts_at, ends_at, created_at, updated_at } = read.data
  const now = new Date(nowMs)
  const id = read.data.id ?? uuidOf(JSON.stringify([delegator, delegate, group_id, domain, scope, starts_at.toISOString()]), namespace)
  // the source's revision time decides which of two revisions is newer
  const revisedAt = updated_at ?? now
  const createdAt = notAhead(created_at ?? revisedAt, nowMs)
  if (notAhead(revisedAt, nowMs) === undefined) return { problems: [{ field: 'updated_at', message: tooFarAhead }] }
  if (createdAt === undefined) return { problems: [{ field: 'created_at', message: tooFarAhead }] }
  return {
    id,
    delegatorCode: delegator,
    delegateCode: delegate,
    groupId: group_id,
    domain: domain ?? null,
    scope,
    status: status === 'revoked' ? 'revoked' : statusAt(now, starts_at, ends_at),
    startsAt: starts_at,
    endsAt: ends_at ?? null,
    createdAt,
    updatedAt: revisedAt,
    revisedAt,
  }
}

function statusAt(now: Date, startsAt: Date, endsAt: Date | undefined): DelegationStatus {
  if (endsAt !== undefined && endsAt <= now) return 'expired'
  return startsAt <= now ? 'active' : 'pending'
}

import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { CitizenDataHolder, CitizenDataSurvey, CitizenReferences, ExportedRecord } from '../../engines/citizen-data/citizen-data.ts'
import type { CitizenPseudonyms } from '../../engines/citizen-data/citizen-pseudonyms.ts'
import { outboxDeadLetter } from '../../engines/message-queue/tables.ts'
import type { Database, Queryable } from '../../engines/relational/database.ts'
import { and, asc, eq, gt, inArray, or, sql } from '../../engines/relational/drizzle.ts'
import { isStorableText } from '../../foundation/validation/values.ts'
import { eraseFromHistory } from './delegations/delegation-history.ts'
import { markErased } from './delegations/erased-citizens.ts'
import { eraseRegistration } from './register/write-register.ts'
import { countNaming, eraseFromScenarios } from './scenarios/scenario-store.ts'
import { delegation, registeredCitizen, registeredOutcome } from './tables.ts'

const rowsAtOnce = 1000

/** position of the register's entry in an export: no id begins with a space */
const registrationPosition = ' registration'

/**
 * Returns the delegations of a citizen, given and received, and the entry in the register. An erasure removes the entry, ends the delegations and replaces the code by a pseudonym, and the id too: an id that
 * was derived from the codes would reveal the code.
 */
export function citizenDataOf({
  database,
  pseudonyms,
  queue,
}: {
  readonly database: Database
  readonly pseudonyms: CitizenPseudonyms
  /** name of the queue of delegation messages */
  readonly queue: string
}): CitizenDataHolder {
  const naming = (...codes: readonly string[]) =>
    or(inArray(delegation.delegatorCode, [...codes]), inArray(delegation.delegateCode, [...codes]))
  const count = (...codes: readonly string[]): Promise<number> => database.orm.$count(delegation, naming(...codes.filter(isStorableText)))
  return {
    component: 'delegations',
    async survey({ code }): Promise<CitizenDataSurvey> {
      const [delegations, pseudonymous, messages, scenarios, registrations] = await Promise.all([
        isStorableText(code) ? count(code) : 0,
        count(pseudonyms.of(code)),
        deadMessages(database.orm, queue, code),
        isStorableText(code) ? countNaming(database, [code]) : 0,
        isStorableText(code) ? database.orm.$count(registeredCitizen, eq(registeredCitizen.code, code)) : 0,
      ])
      return {
        erasable: { delegations, registrations, scenarios, messages: messages.length },
        remaining: [{ kind: 'pseudonymous_delegations', count: pseudonymous, ids: [] }],
      }
    },
    async erase({ code }, record) {
      const pseudonym = pseudonyms.of(code)
      await database.transaction(async (tx) => {
        await markErased(tx, pseudonym)
        const rows = isStorableText(code)
          ? await tx
              .select({ id: delegation.id })
              .from(delegation)
              .where(naming(code))
              .orderBy(asc(delegation.id))
              .limit(rowsAtOnce)
              .for('update')
          : []
        const ids = rows.map(({ id }) => id)
        const replacement = (column: typeof delegation.delegatorCode | typeof delegation.delegateCode) =>
          sql`case when ${column} = ${code} then ${pseudonym} else ${column} end`
        const renamed = ids.map((id) => [id, randomUUID()] as const)
        if (ids.length > 0)
          await tx.execute(sql`
            update ${delegation} set
              id = renamed.new_id,
              delegator_code = ${replacement(delegation.delegatorCode)},
              delegate_code = ${replacement(delegation.delegateCode)},
              status = case when ${delegation.status} in ('pending', 'active') then 'revoked' else ${delegation.status} end,
              ends_at = case when ${delegation.status} = 'active' then now() else ${delegation.endsAt} end,
              updated_at = now(), revised_at = now()
            from unnest(${sql.param(ids)}::text[], ${sql.param(renamed.map(([, newId]) => newId))}::text[]) as renamed (old_id, new_id)
            where ${delegation.id} = renamed.old_id`)
        if (isStorableText(code)) await eraseFromHistory(tx, code, pseudonym, renamed)
        const scenarios = isStorableText(code) ? await eraseFromScenarios(tx, [code, ...ids]) : 0
        const messages = await deadMessages(tx, queue, code)
        if (messages.length > 0) await tx.delete(outboxDeadLetter).where(inArray(outboxDeadLetter.position, [...messages]))
        const isLast = ids.length < rowsAtOnce
        const registrations = isLast && isStorableText(code) ? await eraseRegistration(tx, code) : 0
        await record(tx, {
          counts: { delegations: ids.length, registrations, scenarios, messages: messages.length },
          nodes: ids.map((id) => ['Delegation', id]),
          isLast,
        })
      })
    },
    async export({ code }: CitizenReferences, after, limit) {
      if (after === registrationPosition) return []
      const codes = [code, pseudonyms.of(code)].filter(isStorableText)
      const rows = await database.orm
        .select()
        .from(delegation)
        .where(and(naming(...codes), after === undefined ? undefined : gt(delegation.id, after)))
        .orderBy(asc(delegation.id))
        .limit(limit)
      const delegations = rows.map((row) => ({
        position: row.id,
        type: 'delegation',
        data: {
          id: row.id,
          delegator: row.delegatorCode,
          delegate: row.delegateCode,
          group_id: row.groupId,
          domain: row.domain,
          scope: row.scope,
          status: row.status,
          starts_at: row.startsAt,
          ends_at: row.endsAt,
          created_at: row.createdAt,
          updated_at: row.updatedAt,
        },
      }))
      return rows.length < limit ? [...delegations, ...(await registrationOf(database, code))] : delegations
    },
  }
}

/** Returns the entry of a citizen in the register, with the outcomes of verifications. */
async function registrationOf({ orm }: Database, code: string): Promise<readonly ExportedRecord[]> {
  if (!isStorableText(code)) return []
  const [entry] = await orm.select().from(registeredCitizen).where(eq(registeredCitizen.code, code))
  if (entry === undefined) return []
  const outcomes = await orm.select().from(registeredOutcome).where(eq(registeredOutcome.code, code)).orderBy(asc(registeredOutcome.at))
  return [
    {
      position: registrationPosition,
      type: 'registration',
      data: {
        verification: entry.verification,
        verified_at: entry.verifiedAt,
        expires_on: entry.expiresOn,
        registered_at: entry.registeredAt,
        outcomes: outcomes.map(({ jobId, outcome, at, expiresOn }) => ({ job_id: jobId, outcome, at, expires_on: expiresOn })),
      },
    },
  ]
}

const Message = z.object({ delegator: z.unknown(), delegate: z.unknown() }).partial()

/** Returns the positions of undeliverable messages that name the citizen. */
async function deadMessages(orm: Queryable, queue: string, code: string): Promise<readonly number[]> {
  if (!isStorableText(code)) return []
  const content = sql<string>`${outboxDeadLetter.content}::text`
  const rows = await orm
    .select({ position: outboxDeadLetter.position, content })
    .from(outboxDeadLetter)
    .where(and(eq(outboxDeadLetter.queue, queue), sql`strpos(${content}, ${JSON.stringify(code).slice(1, -1)}) > 0`))
  return rows.flatMap((row) => {
    const { success, data } = Message.safeParse(JSON.parse(row.content))
    // codes are trimmed when they are read
    return success && [data.delegator, data.delegate].some((each) => typeof each === 'string' && each.trim() === code) ? [row.position] : []
  })
}

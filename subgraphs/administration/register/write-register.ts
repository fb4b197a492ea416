import type { CitizenOutcome } from '../../../engines/citizen-data/citizen-outcomes.ts'
import { advisoryLocks, takeLock } from '../../../engines/relational/advisory-locks.ts'
import type { Database, Transaction } from '../../../engines/relational/database.ts'
import { and, asc, eq, inArray, lt, sql } from '../../../engines/relational/drizzle.ts'
import { isStorableText } from '../../../foundation/validation/values.ts'
import { registeredCitizen, registeredOutcome } from '../tables.ts'
import { statusAfter, unverified } from './registered-status.ts'
import { maxCodeLength } from './search-codes.ts'

const rowsAtOnce = 1000

/** Excludes imports of delegations, erasures and other changes of verification statuses until the end of the transaction. */
export const holdRegister = takeLock(advisoryLocks.erasedCitizens)

/** Whether the register can have a code: services may submit any text. */
const isRegistrable = (code: string): boolean => code.length <= maxCodeLength && isStorableText(code)

/** Returns the current day in UTC. */
const today = (): string => new Date().toISOString().slice(0, 10)

/**
 * Applies outcomes of verifications, in a transaction that has called `holdRegister`. Repeating it changes nothing.
 * @param outcomeDays - days for which outcomes are kept; the statuses stay
 */
export async function applyOutcomes(tx: Transaction, outcomes: readonly CitizenOutcome[], outcomeDays: number): Promise<void> {
  const storable = outcomes.filter(({ code }) => isRegistrable(code))
  if (storable.length === 0) return
  const codes = [...new Set(storable.map(({ code }) => code))]
  await tx
    .insert(registeredCitizen)
    .values(codes.map((code) => ({ code, ...unverified })))
    .onConflictDoNothing()
  const rows = await tx.select().from(registeredCitizen).where(inArray(registeredCitizen.code, codes)).for('update')
  const known = new Map(rows.map((row) => [row.code, row]))
  const changed = [...Map.groupBy(storable, ({ code }) => code)].flatMap(([code, ofCitizen]) => {
    const before = known.get(code) ?? unverified
    const after = ofCitizen.reduce((status, outcome) => statusAfter(status, outcome, today()), before)
    return after === before ? [] : [{ code, ...after }]
  })
  for (const { code, verification, verifiedAt, expiresOn } of changed)
    await tx.update(registeredCitizen).set({ verification, verifiedAt, expiresOn }).where(eq(registeredCitizen.code, code))
  await copyStatus(
    tx,
    changed.map(({ code }) => code),
  )
  const keptSince = Date.now() - outcomeDays * dayMs
  const kept = storable.filter(({ at }) => at.getTime() > keptSince)
  if (kept.length === 0) return
  await tx
    .insert(registeredOutcome)
    .values(kept.map((outcome) => ({ ...outcome })))
    .onConflictDoUpdate({
      target: registeredOutcome.jobId,
      set: { outcome: sql`excluded.outcome`, at: sql`excluded.at`, expiresOn: sql`excluded.expires_on` },
      setWhere: sql`excluded.at >= ${registeredOutcome.at}`,
    })
}

const dayMs = 86_400_000

/** Copies the statuses of citizens to their groups. */
async function copyStatus(tx: Transaction, codes: readonly string[]): Promise<void> {
  if (codes.length === 0) return
  await tx.execute(sql`
    update registered_citizen_group as its set verification = citizen.verification
    from registered_citizen as citizen
    where citizen.code = its.code and citizen.code = any(${sql.param([...codes])}::text[]) and its.verification <> citizen.verification`)
}

/** Marks citizens as expired whose documents are no longer valid. @returns the number of citizens */
export async function expireCitizens(database: Database, signal: AbortSignal): Promise<number> {
  let expired = 0
  for (let rows = rowsAtOnce; rows === rowsAtOnce && !signal.aborted; expired += rows)
    rows = await database.transaction(async (tx) => {
      await tx.execute(holdRegister)
      const due = await tx
        .select({ code: registeredCitizen.code })
        .from(registeredCitizen)
        .where(and(eq(registeredCitizen.verification, 'verified'), lt(registeredCitizen.expiresOn, today())))
        .orderBy(asc(registeredCitizen.expiresOn))
        .limit(rowsAtOnce)
      const codes = due.map(({ code }) => code)
      if (codes.length > 0)
        await tx.update(registeredCitizen).set({ verification: 'expired' }).where(inArray(registeredCitizen.code, codes))
      await copyStatus(tx, codes)
      return codes.length
    })
  return expired
}

/** Removes outcomes that are older than their retention. @returns the number of outcomes */
export async function removeOldOutcomes({ orm }: Database, outcomeDays: number, signal: AbortSignal): Promise<number> {
  let removed = 0
  for (let rows = rowsAtOnce; rows === rowsAtOnce && !signal.aborted; removed += rows) {
    const { rowCount } = await orm.execute(sql`
      delete from registered_outcome where job_id in (
        select job_id from registered_outcome where at < now() - make_interval(days => ${outcomeDays}) order by at limit ${rowsAtOnce} for update skip locked)`)
    rows = rowCount ?? 0
  }
  return removed
}

/** Removes a citizen from the register; delegations under the code have been erased before. @returns the number of removed entries */
export async function eraseRegistration(tx: Transaction, code: string): Promise<number> {
  await tx.delete(registeredOutcome).where(eq(registeredOutcome.code, code))
  const rows = await tx.delete(registeredCitizen).where(eq(registeredCitizen.code, code)).returning({ code: registeredCitizen.code })
  return rows.length
}

/** Removes those of the citizens from the register who have no delegation and no verification, in a transaction that has called `holdRegister`. */
export async function removeUnreferenced(tx: Transaction, codes: readonly string[]): Promise<void> {
  await tx.execute(sql`
    delete from registered_citizen as citizen where code = any(${sql.param([...codes])}::text[]) and verification = 'unverified'
      and not exists (select from registered_citizen_group where code = citizen.code)
      and not exists (select from registered_outcome where code = citizen.code)`)
}

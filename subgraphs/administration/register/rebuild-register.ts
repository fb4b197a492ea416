import type { CitizenOutcomes } from '../../../engines/citizen-data/citizen-outcomes.ts'
import type { Database, Transaction } from '../../../engines/relational/database.ts'
import { type SQL, sql } from '../../../engines/relational/drizzle.ts'
import { citizenRegister } from '../tables.ts'
import { applyOutcomes, holdRegister, removeUnreferenced } from './write-register.ts'

const codesAtOnce = 1000
const outcomesAtOnce = 500

export interface RegisterSources {
  readonly database: Database
  readonly outcomes: CitizenOutcomes
  /** OUTCOME_RETENTION_DAYS */
  readonly outcomeDays: number
}

export interface RebuildOptions {
  readonly signal: AbortSignal
  /** receives the number of citizens and outcomes that were read */
  readonly onProgress?: (done: number) => void
}

/**
 * Counts the delegations of all citizens again and applies the stored outcomes of verifications, 1,000 citizens in a transaction, beside a running
 * platform. A status whose verification was deleted stays: nothing else has it.
 * @returns the number of citizens and outcomes that were read  @throws the reason of the aborted signal
 */
export async function rebuildRegister(sources: RegisterSources, { signal, onProgress }: RebuildOptions): Promise<number> {
  const { database } = sources
  let done = 0
  const add = (count: number): void => {
    done += count
    onProgress?.(done)
  }
  for (const pass of passes)
    for (let codes = [''] as readonly string[]; codes.length > 0; add(codes.length)) {
      signal.throwIfAborted()
      const after = codes.at(-1) ?? ''
      codes = await database.transaction((tx) => recount(tx, pass, after))
    }
  add(await applyStoredOutcomes(sources, signal))
  await database.orm
    .insert(citizenRegister)
    .values({})
    .onConflictDoUpdate({ target: citizenRegister.isOnly, set: { builtAt: sql`clock_timestamp()` } })
  return done
}

/** Whether the register has what was stored before it existed. */
export async function isRegisterBuilt({ orm }: Database): Promise<boolean> {
  return (await orm.select().from(citizenRegister)).length > 0
}

/** Applies all stored outcomes. @returns their number */
export async function applyStoredOutcomes({ database, outcomes, outcomeDays }: RegisterSources, signal: AbortSignal): Promise<number> {
  let applied = 0
  for (let after: string | undefined, isMore = true; isMore; ) {
    signal.throwIfAborted()
    const from: string | undefined = after
    const page = await database.transaction(async (tx) => {
      // an erasure waits, so that no outcome of its citizen returns
      await tx.execute(holdRegister)
      const read = await outcomes.after(from, outcomesAtOnce)
      await applyOutcomes(tx, read, outcomeDays)
      return read
    })
    applied += page.length
    after = page.at(-1)?.jobId
    isMore = page.length === outcomesAtOnce
  }
  return applied
}

/** Citizens by the way they are found: delegators, other delegates, and registered citizens without delegations. */
const passes: readonly ((after: string) => SQL)[] = [
  (after) => sql`select distinct delegator_code as code from delegation where delegator_code > ${after} order by 1`,
  (after) => sql`
    select distinct delegate_code as code from delegation as named where delegate_code > ${after}
      and not exists (select from delegation where delegator_code = named.delegate_code) order by 1`,
  // the codes of delegations have the collation of the database
  (after) => sql`
    select code from registered_citizen as named where code > ${after}
      and not exists (select from delegation where delegator_code = named.code collate "default")
      and not exists (select from delegation where delegate_code = named.code collate "default") order by 1`,
]

/** Counts the next citizens of a pass again. @returns their codes */
async function recount(tx: Transaction, pass: (after: string) => SQL, after: string): Promise<readonly string[]> {
  await tx.execute(holdRegister)
  // no delegation changes between the count and the commit
  await tx.execute(sql`lock table delegation in share mode`)
  const { rows } = await tx.execute<{ code: string }>(sql`${pass(after)} limit ${codesAtOnce}`)
  const codes = rows.map(({ code }) => code)
  if (codes.length === 0) return codes
  const these = sql`any(${sql.param(codes)}::text[])`
  await tx.execute(sql`delete from registered_citizen_group where code = ${these}`)
  await removeUnreferenced(tx, codes)
  const sides = sql`
    select group_id collate "C" as group_id, delegator_code collate "C" as code, true as is_given, status = 'active' as is_active
      from delegation where delegator_code = ${these}
    union all
    select group_id, delegate_code, false, status = 'active' from delegation where delegate_code = ${these}`
  await tx.execute(sql`
    insert into registered_citizen (code) select distinct code from (${sides}) as side order by code on conflict do nothing`)
  await tx.execute(sql`
    insert into registered_citizen_group (group_id, code, verification, given, received, active_given, active_received)
      select group_id, code, verification, count(*) filter (where is_given), count(*) filter (where not is_given),
        count(*) filter (where is_given and is_active), count(*) filter (where not is_given and is_active)
      from (${sides}) as side join registered_citizen using (code) group by group_id, code, verification`)
  return codes
}

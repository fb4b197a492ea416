import type { CitizenPseudonyms } from '../../../engines/citizen-data/citizen-pseudonyms.ts'
import { advisoryLocks, shareLock, takeLock } from '../../../engines/relational/advisory-locks.ts'
import type { Queryable, Transaction } from '../../../engines/relational/database.ts'
import { inArray } from '../../../engines/relational/drizzle.ts'
import { erasedCitizen } from '../tables.ts'
import type { DelegationProblem, NewDelegation } from './delegation-record.ts'

/** Holds off erasures until the end of the transaction, so that none ends between the check and the write of delegations. */
export const holdOffErasures = shareLock(advisoryLocks.erasedCitizens)

/** Marks a citizen as erased: later imports do not store delegations of this code. Waits for imports that have checked before. */
export async function markErased(tx: Transaction, pseudonym: string): Promise<void> {
  await tx.execute(takeLock(advisoryLocks.erasedCitizens))
  await tx.insert(erasedCitizen).values({ pseudonym }).onConflictDoNothing()
}

/** Returns those of the codes whose citizens were erased. */
export async function erasedAmong(
  orm: Queryable,
  pseudonyms: CitizenPseudonyms,
  codes: readonly string[],
): Promise<ReadonlySet<string | undefined>> {
  const codeOf = new Map([...new Set(codes)].map((code) => [pseudonyms.of(code), code]))
  if (codeOf.size === 0) return new Set()
  const rows = await orm
    .select({ pseudonym: erasedCitizen.pseudonym })
    .from(erasedCitizen)
    .where(inArray(erasedCitizen.pseudonym, [...codeOf.keys()]))
  return new Set(rows.map(({ pseudonym }) => codeOf.get(pseudonym)))
}

/** Returns the problems of delegations that name erased citizens; others are absent. */
export async function namingErased(
  orm: Queryable,
  pseudonyms: CitizenPseudonyms,
  records: readonly NewDelegation[],
): Promise<ReadonlyMap<NewDelegation, readonly DelegationProblem[]>> {
  const erased = await erasedAmong(
    orm,
    pseudonyms,
    records.flatMap(({ delegatorCode, delegateCode }) => [delegatorCode, delegateCode]),
  )
  if (erased.size === 0) return new Map()
  const problemsOf = ({ delegatorCode, delegateCode }: NewDelegation): readonly DelegationProblem[] =>
    Object.entries({ delegator: delegatorCode, delegate: delegateCode })
      .filter(([, code]) => erased.has(code))
      .map(([field]) => ({ field, message: 'names an erased citizen; the delegation is not stored' }))
  return new Map(records.map((record) => [record, problemsOf(record)] as const).filter(([, problems]) => problems.length > 0))
}

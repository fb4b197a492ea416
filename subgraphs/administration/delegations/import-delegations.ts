import type { Clock } from '../../../foundation/clock.ts'
import type { FileLine } from '../../../foundation/files/data-file.ts'
import { type DelegationProblem, type NewDelegation, textOfProblem } from './delegation-record.ts'
import { type DelegationFormat, readDelegationLines } from './read-delegation-lines.ts'
import { type DelegationStore, type StoredCounts, storeDelegations } from './store-delegations.ts'

const rowsAtOnce = 1000
const maxProblems = 100

export interface ImportResult extends StoredCounts {
  readonly received: number
  /** one sentence per skipped line, at most 100 */
  readonly problems: readonly string[]
  readonly refused: number
}

/**
 * Reads lines of a file and stores the delegations, 1,000 at a time. An invalid line (truncated, not UTF-8, out of range) is skipped and
 * reported, as is a line that names an erased citizen. Repeating an import changes nothing.
 * @throws {InvalidInput} for a CSV header without a known column  @throws {EngineUnavailable} lines before the failure are stored
 */
export async function importDelegations(
  parts: DelegationStore & { readonly clock: Clock },
  lines: AsyncIterable<FileLine>,
  format: DelegationFormat,
): Promise<ImportResult> {
  const sum = { received: 0, refused: 0, created: 0, updated: 0, unchanged: 0 }
  const problems: string[] = []
  let held: { readonly number: number; readonly record: NewDelegation }[] = []
  const refuse = (number: number, found: readonly DelegationProblem[]): void => {
    sum.refused += 1
    if (problems.length < maxProblems) problems.push(`line ${number}: ${found.map(textOfProblem).join('; ')}`)
  }
  const flush = async (): Promise<void> => {
    const records = held.map(({ record }) => record)
    const { created, updated, unchanged, refusals } = await storeDelegations(parts, records, 'import')
    for (const { number, record } of held) {
      const found = refusals.get(record)
      if (found !== undefined) refuse(number, found)
    }
    sum.created += created
    sum.updated += updated
    sum.unchanged += unchanged
    held = []
  }
  for await (const line of readDelegationLines(lines, format, parts.clock)) {
    sum.received += 1
    if ('problems' in line) refuse(line.number, line.problems)
    else held.push(line)
    if (held.length >= rowsAtOnce) await flush()
  }
  await flush()
  return { ...sum, problems }
}

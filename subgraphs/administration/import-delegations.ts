import type { Database } from '../engines/relational/database.ts'
import type { Clock } from '../foundation/clock.ts'
import { InvalidInput } from '../foundation/fault.ts'
import type { NewDelegation } from './delegation-record.ts'
import { readDelegation } from './delegation-record.ts'
import { type Kept, keepDelegations } from './keep-delegations.ts'

const rowsAtOnce = 1000
const mostProblems = 100

export interface Imported extends Kept {
  readonly received: number
  /** a sentence for each line that was left out, at most 100 */
  readonly problems: readonly string[]
  readonly refused: number
}

/**
 * Reads lines of NDJSON, or of CSV with a header (RFC 4180; no line breaks in fields), and keeps what they say, 1,000 at a time. A line that
 * is wrong is left out and told. Doing it twice changes nothing.
 * @throws {InvalidInput} for a CSV whose header names no column of ours  @throws {EngineUnavailable} the lines before are kept
 */
export async function importDelegations(
  parts: { readonly database: Database; readonly clock: Clock },
  lines: AsyncIterable<string>,
  format: 'ndjson' | 'csv',
): Promise<Imported> {
  const sum = { received: 0, refused: 0, created: 0, updated: 0, unchanged: 0 }
  const problems: string[] = []
  let held: NewDelegation[] = []
  let header: readonly string[] | undefined
  let number = 0
  const flush = async (): Promise<void> => {
    const { created, updated, unchanged } = await keepDelegations(parts.database, held, 'import')
    sum.created += created
    sum.updated += updated
    sum.unchanged += unchanged
    held = []
  }
  for await (const line of lines) {
    number += 1
    const text = line.replace(/^\uFEFF|\r$/g, '')
    if (text.trim() === '') continue
    if (format === 'csv' && header === undefined) {
      header = fieldsOf(text)
      if (!header.includes('delegator'))
        throw new InvalidInput('The first line of a CSV file names its columns: delegator, delegate, group_id, starts_at, …')
      continue
    }
    sum.received += 1
    const record = readDelegation(format === 'csv' ? named(header ?? [], fieldsOf(text)) : parsed(text), parts.clock.now())
    if ('problems' in record) {
      sum.refused += 1
      if (problems.length < mostProblems) problems.push(`line ${number}: ${record.problems.join('; ')}`)
    } else held.push(record)
    if (held.length >= rowsAtOnce) await flush()
  }
  await flush()
  return { ...sum, problems }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function named(header: readonly string[], fields: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(header.map((name, index) => [name.trim(), fields[index] ?? '']))
}

/** One record of CSV: fields may be in double quotes, with two of them for one inside. */
function fieldsOf(text: string): readonly string[] {
  return [...text.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain)
}

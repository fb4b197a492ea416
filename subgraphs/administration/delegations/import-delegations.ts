import { CsvError, parse } from 'csv-parse/sync'
import type { Database } from '../../engines/relational/database.ts'
import type { Clock } from '../../foundation/clock.ts'
import { InvalidInput } from '../../foundation/fault.ts'
import type { FileLine } from '../../foundation/files/file-line.ts'
import type { NewDelegation } from './delegation-record.ts'
import { readDelegation } from './delegation-record.ts'
import { type Kept, keepDelegations } from './keep-delegations.ts'

const rowsAtOnce = 1000
const maxProblems = 100

export interface Imported extends Kept {
  readonly received: number
  /** a sentence for each line that was left out, at most 100 */
  readonly problems: readonly string[]
  readonly refused: number
}

/**
 * Reads lines of NDJSON, or of CSV with a header (RFC 4180; no line breaks in fields), and keeps what they say, 1,000 at a time. A line that
 * is wrong (broken off, not UTF-8, out of range) is left out and told. Doing it twice changes nothing.
 * @throws {InvalidInput} for a CSV whose header names no column of ours  @throws {EngineUnavailable} the lines before are kept
 */
export async function importDelegations(
  parts: { readonly database: Database; readonly clock: Clock },
  lines: AsyncIterable<FileLine>,
  format: 'ndjson' | 'csv',
): Promise<Imported> {
  const sum = { received: 0, refused: 0, created: 0, updated: 0, unchanged: 0 }
  const problems: string[] = []
  let held: NewDelegation[] = []
  let header: readonly string[] | undefined
  const flush = async (): Promise<void> => {
    const { created, updated, unchanged } = await keepDelegations(parts.database, held, 'import')
    sum.created += created
    sum.updated += updated
    sum.unchanged += unchanged
    held = []
  }
  for await (const line of lines) {
    if ('text' in line && line.text.trim() === '') continue
    if (format === 'csv' && header === undefined) {
      header = 'text' in line ? fieldsOf(line.text)?.map((name) => name.trim()) : undefined
      if (!header?.includes('delegator'))
        throw new InvalidInput('The first line of a CSV file names its columns: delegator, delegate, group_id, starts_at, …')
      continue
    }
    sum.received += 1
    const record = readLine(line, format === 'csv' ? (header ?? []) : undefined, parts.clock.now())
    if ('problems' in record) {
      sum.refused += 1
      if (problems.length < maxProblems) problems.push(`line ${line.number}: ${record.problems.join('; ')}`)
    } else held.push(record)
    if (held.length >= rowsAtOnce) await flush()
  }
  await flush()
  return { ...sum, problems }
}

/** @param header - the names of the columns; undefined where a line is JSON */
function readLine(line: FileLine, header: readonly string[] | undefined, nowMs: number): ReturnType<typeof readDelegation> {
  if ('problem' in line) return { problems: [line.problem] }
  const text = line.text.replace(/\r$/, '')
  if (header === undefined) return readDelegation(parsed(text), nowMs)
  const fields = fieldsOf(text)
  if (fields === undefined) return { problems: ['the line is not CSV: a quote is where none may be, or is never closed'] }
  // a line that broke off would else be a delegation that never ends
  if (fields.length !== header.length) return { problems: [`the line has ${fields.length} fields instead of ${header.length}`] }
  return readDelegation(Object.fromEntries(header.map((name, index) => [name, fields[index]])), nowMs)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The fields of one record of CSV; undefined when it is none. Read line by line, so that a quote never closed spoils no other line. */
function fieldsOf(text: string): readonly string[] | undefined {
  try {
    return parse(text, { relax_column_count: true })[0]
  } catch (error) {
    if (error instanceof CsvError) return undefined
    throw error
  }
}

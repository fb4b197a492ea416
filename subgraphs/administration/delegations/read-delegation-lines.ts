import { CsvError, parse } from 'csv-parse/sync'
import type { Clock } from '../../../foundation/clock.ts'
import { pauses } from '../../../foundation/concurrency/steps.ts'
import { InvalidInput } from '../../../foundation/fault.ts'
import type { FileLine } from '../../../foundation/files/data-file.ts'
import { tooMany, wrongPattern } from '../../../foundation/validation/violation.ts'
import { type DelegationProblem, type NewDelegation, readDelegation } from './delegation-record.ts'

export type DelegationFormat = 'ndjson' | 'csv'

/** A line of a file: its delegation or its problems. */
export type ReadLine = { readonly number: number } & (
  | { readonly record: NewDelegation }
  | { readonly problems: readonly DelegationProblem[] }
)

/**
 * Reads lines of NDJSON or of CSV with a header (RFC 4180, without line breaks in fields), in steps that do not hold the event loop. Empty lines are
 * skipped.
 * @throws {InvalidInput} for a CSV header without a known column or with too many
 */
export async function* readDelegationLines(
  lines: AsyncIterable<FileLine> | Iterable<FileLine>,
  format: DelegationFormat,
  clock: Clock,
): AsyncGenerator<ReadLine> {
  let header: readonly string[] | undefined
  const pause = pauses()
  for await (const line of lines) {
    await pause()
    if ('text' in line && line.text.trim() === '') continue
    if (format === 'csv' && header === undefined) {
      header = 'text' in line ? fieldsOf(line.text)?.map((name) => name.trim()) : undefined
      if (!header?.includes('delegator')) throw new InvalidInput(noHeader, [wrongPattern(['file'], noHeader)])
      if (header.length > maxColumns) throw new InvalidInput(tooWide, [{ ...tooMany(['file'], maxColumns), message: tooWide }])
      continue
    }
    const read = readLine(line, format === 'csv' ? (header ?? []) : undefined, clock.now())
    yield 'problems' in read ? { number: line.number, problems: read.problems } : { number: line.number, record: read }
  }
}

const noHeader = 'The first line of a CSV file must name the columns: delegator, delegate, group_id, starts_at, …'

const maxColumns = 100
const tooWide = `The header of a CSV file has more than ${maxColumns} columns`

/** @param header - column names; undefined for JSON */
function readLine(line: FileLine, header: readonly string[] | undefined, nowMs: number): ReturnType<typeof readDelegation> {
  if ('problem' in line) return { problems: [{ field: null, message: line.problem }] }
  const text = line.text.replace(/\r$/, '')
  if (header === undefined) return readDelegation(parsed(text), nowMs)
  const fields = fieldsOf(text)
  if (fields === undefined) return { problems: [{ field: null, message: 'the line is not CSV: a quote is misplaced or not closed' }] }
  // a truncated line would otherwise become a delegation without an end
  if (fields.length !== header.length)
    return { problems: [{ field: null, message: `the line has ${fields.length} fields; the header has ${header.length}` }] }
  return readDelegation(Object.fromEntries(header.map((name, index) => [name, fields[index]])), nowMs)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Splits one CSV record into fields; undefined when it is invalid. Lines are parsed separately, so that an unclosed quote affects one line
 * only.
 */
function fieldsOf(text: string): readonly string[] | undefined {
  try {
    return parse(text, { relax_column_count: true })[0]
  } catch (error) {
    if (error instanceof CsvError) return undefined
    throw error
  }
}

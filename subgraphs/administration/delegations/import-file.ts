import type { AuditEntry, AuditedRequest, AuditTrail } from '../../../engines/audit/audit-trail.ts'
import type { Database, Transaction } from '../../../engines/relational/database.ts'
import type { Clock } from '../../../foundation/clock.ts'
import type { CommitWindow } from '../../../foundation/concurrency/deadline.ts'
import { Fault, InvalidInput } from '../../../foundation/fault.ts'
import type { FileLine } from '../../../foundation/files/data-file.ts'
import { linesIn } from '../../../foundation/text/lines.ts'
import { tooFew, tooMany } from '../../../foundation/validation/violation.ts'
import type { DelegationProblem, NewDelegation } from './delegation-record.ts'
import { holdOffErasures, namingErased } from './erased-citizens.ts'
import { type DelegationFormat, type ReadLine, readDelegationLines } from './read-delegation-lines.ts'
import { countsOf, type DelegationStore, newestOf, type StoredCounts, writeDelegations } from './store-delegations.ts'

/** maximum of delegations per transaction */
export const maxLines = 1000

const maxLineLength = 128 * 1024
const tooLongLine = `the line is longer than ${maxLineLength} characters`

/** Result of a line. */
export interface LineReport {
  readonly number: number
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'refused'
  readonly problems: readonly DelegationProblem[]
}

export interface FileReport extends StoredCounts {
  /** false for a dry run and for a file with an invalid line */
  readonly isStored: boolean
  readonly refused: number
  readonly lines: readonly LineReport[]
}

export interface DelegationFile {
  readonly text: string
  readonly format: DelegationFormat
  /** whether to report the result without storing anything */
  readonly isTry: boolean
}

/**
 * Stores a file in one transaction together with its audit record: all lines, or none if one is invalid. A dry run rolls the transaction
 * back.
 * @throws {InvalidInput} for no lines, too many lines, or a CSV header without a known column
 * @throws {Fault} CONFLICT if a citizen of the file is erased meanwhile; nothing is stored  @throws {EngineUnavailable}
 */
export async function importFile(
  parts: DelegationStore & { readonly clock: Clock; readonly audit: AuditTrail },
  { text, format, isTry }: DelegationFile,
  request: AuditedRequest & { readonly deadline: CommitWindow },
): Promise<FileReport> {
  const { database, clock, audit, pseudonyms } = parts
  const read = await firstLines(readDelegationLines(linesOf(text), format, clock))
  const refusals = await namingErased(database.orm, pseudonyms, read.slice(0, maxLines).flatMap(recordsOf))
  const lines = read.map((line): ReadLine => {
    const problems = 'record' in line ? refusals.get(line.record) : undefined
    return problems === undefined ? line : { number: line.number, problems }
  })
  if (lines.length === 0) {
    const message = 'The file has no delegations'
    throw new InvalidInput(message, [{ ...tooFew(['file'], 1), message }])
  }
  if (lines.length > maxLines) {
    const message = `The file has more than ${maxLines.toLocaleString('en')} delegations; import it with "npm run civigraph -- delegations import"`
    throw new InvalidInput(message, [{ ...tooMany(['file'], maxLines), message }])
  }
  const refused = lines.filter((line) => 'problems' in line).length
  const isStored = !isTry && refused === 0
  const writeReport = async (tx: Transaction): Promise<FileReport> => ({ ...(await write(tx, lines)), isStored, refused })
  const entryOf = ({ created, updated, unchanged }: FileReport): AuditEntry => ({
    action: 'delegations.import',
    outcome: isStored || isTry ? 'done' : 'refused',
    details: { received: lines.length, refused, created, updated, unchanged, dryRun: isTry },
  })
  if (!isStored) {
    const report = await rolledBack(database, writeReport)
    await audit.record(request, [entryOf(report)])
    return report
  }
  return database.transaction(async (tx) => {
    await tx.execute(holdOffErasures)
    if ((await namingErased(tx, pseudonyms, lines.flatMap(recordsOf))).size > 0)
      throw new Fault(
        'CONFLICT',
        'A citizen of the file is being erased; nothing was stored. Remove the citizen from the file and import it again',
      )
    const report = await writeReport(tx)
    await audit.record(request, [entryOf(report)], tx)
    return report
  }, request.deadline)
}

const recordsOf = (line: ReadLine): readonly NewDelegation[] => ('record' in line ? [line.record] : [])

/** Reads at most one line more than the limit, so that an oversized file is detected without reading it whole. */
async function firstLines(lines: AsyncIterable<ReadLine>): Promise<readonly ReadLine[]> {
  const first: ReadLine[] = []
  for await (const line of lines) if (first.push(line) > maxLines) break
  return first
}

/** Yields the lines that are not empty. */
function* linesOf(text: string): Generator<FileLine> {
  for (const line of linesIn(text))
    if (line.text !== '') yield line.text.length > maxLineLength ? { number: line.number, problem: tooLongLine } : line
}

async function write(tx: Transaction, lines: readonly ReadLine[]): Promise<Omit<FileReport, 'isStored' | 'refused'>> {
  const records = lines.flatMap(recordsOf)
  const newest = new Set(newestOf(records))
  const written = await writeDelegations(tx, [...newest], 'import')
  const reportOf = (line: ReadLine): LineReport => {
    if ('problems' in line) return { number: line.number, outcome: 'refused', problems: line.problems }
    const { number, record } = line
    // another line of the file may have a newer revision
    const outcome = newest.has(record) ? written.get(record.id) : undefined
    return { number, outcome: outcome ?? 'unchanged', problems: [] }
  }
  return { ...countsOf(records, written), lines: lines.map(reportOf) }
}

/** Returns the result of a transaction that is rolled back. */
async function rolledBack<Result>(database: Database, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  const answer: { result?: Result } = {}
  try {
    await database.transaction(async (tx) => {
      answer.result = await work(tx)
      throw new RolledBack()
    })
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error
  }
  return answer.result as Result
}

class RolledBack extends Error {}

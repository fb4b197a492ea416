import { createHash } from 'node:crypto'
import { pauses } from '../../../foundation/concurrency/steps.ts'
import { csvText, otherSeparatorIn } from '../../../foundation/files/csv.ts'
import { linesIn } from '../../../foundation/text/lines.ts'
import type { Constraint, Violation, ViolationCode } from '../../../foundation/validation/violation.ts'
import { changeKinds, type FileChanges, separator } from './scenario.ts'

/** Most changes of a file. */
export const maxFileChanges = 100_000
/** Most characters of a file: 100,000 changes with two UUIDs each. */
export const maxFileCharacters = 8 * 1024 * 1024
/** lines that are read before the time is checked */
const linesAtOnce = 50
/** longer than two codes with each character quoted */
const maxLine = 1024
/** problems that are listed; others are counted */
const maxListed = 20

const path = ['changes']
const header = ['change', 'code', 'delegate']
const kinds: ReadonlyMap<string, number> = new Map(changeKinds.map((kind, index) => [kind, index]))

/** The changes of a file, or what is wrong with it. */
export type ChangesRead = { readonly file: FileChanges } | { readonly violations: readonly Violation[] }

export interface FileRules {
  /** delegators whose delegation is assumed beside the file */
  readonly assumed: ReadonlySet<string>
  /** rules of a code or an id */
  readonly textViolations: (path: Violation['path'], text: string) => readonly Violation[]
}

/**
 * Reads the changes of a scenario from CSV (RFC 4180, without line breaks in fields), in steps that do not hold the event loop. Blank lines are
 * skipped.
 */
export async function readChangesFile(text: string, rules: FileRules, signal?: AbortSignal): Promise<ChangesRead> {
  const problems = new FileProblems()
  if (text.length > maxFileCharacters) {
    const limit = `${maxFileCharacters.toLocaleString('en')} characters and ${maxFileChanges.toLocaleString('en')} changes`
    const message = `The file has ${text.length.toLocaleString('en')} characters; at most ${limit} are read: leave out changes`
    return { violations: [{ code: 'too_long', path, message, constraint: { max: maxFileCharacters, actual: text.length } }] }
  }
  const pause = pauses()
  const rows = new FileRows(rules, problems)
  let lastLine = 0
  for (const { number: line, text: ended } of linesIn(text)) {
    if (lastLine % linesAtOnce === 0) await pause(signal)
    lastLine = line
    const each = ended.endsWith('\r') ? ended.slice(0, -1) : ended
    if (line === 1) {
      const violation = headerViolation(each.slice(0, maxLine))
      if (violation !== undefined) return { violations: [violation] }
    } else if (rows.count < maxFileChanges || isBlank(each)) rows.read(each, line)
    else {
      const message = `The file has more than ${maxFileChanges.toLocaleString('en')} changes: leave out this one and those after it`
      return { violations: [located(line, 1, 'too_many', message, { max: maxFileChanges })] }
    }
  }
  if (rows.count === 0)
    problems.add(lastLine, 1, 'too_few', `The file has no changes: write one on each line, such as ${example}`, { min: 1 })
  const violations = problems.violations()
  if (violations.length > 0) return { violations }
  const digest = createHash('sha256').update(text).digest('base64url')
  await pause(signal)
  return { file: rows.changes(digest) }
}

/** spreadsheets write separators on blank lines */
const isBlank = (line: string): boolean => /^[\s,"]*$/.test(line)

const example = 'add,CIT-1,CIT-2'

/** Returns the violation of something that a file names. @param column - of the CSV, from 1 */
export const located = (line: number, column: number, code: ViolationCode, message: string, constraint?: Constraint): Violation => ({
  code,
  path,
  message: `Line ${line}, column ${column}: ${message}`,
  ...(constraint !== undefined && { constraint }),
})

/** Returns the first problems of a file, followed by the number of the others. @param count - of all */
export function withOthers(problems: readonly Violation[], count = problems.length): readonly Violation[] {
  const listed = problems.slice(0, maxListed)
  if (count <= listed.length) return listed
  const message = `and ${(count - listed.length).toLocaleString('en')} more`
  return [...listed, { code: 'too_many', path, message, constraint: { max: listed.length, actual: count } }]
}

class FileProblems {
  readonly #listed: Violation[] = []
  #count = 0

  add(...problem: Parameters<typeof located>): void {
    if (++this.#count <= maxListed) this.#listed.push(located(...problem))
  }

  violations(): readonly Violation[] {
    return withOthers(this.#listed, this.#count)
  }
}

function headerViolation(line: string): Violation | undefined {
  const names = fieldsOf(line)?.map((name) => name.trim())
  if (names?.join() === header.join()) return undefined
  const other = otherSeparatorIn(line)
  if (other !== undefined)
    return located(1, 1, 'wrong_pattern', `The columns are separated by ${JSON.stringify(other.separator)}: separate them by commas`)
  const wrong = header.findIndex((name, index) => names?.[index] !== name)
  return located(1, wrong < 0 ? header.length + 1 : wrong + 1, 'wrong_pattern', `The first line must be ${header.join()}`)
}

/** The changes of a file while it is read. */
class FileRows {
  readonly #problems: FileProblems
  readonly #rules: FileRules
  /** line of each delegator whose delegation the file assumes */
  readonly #assumedHere = new Map<string, number>()
  readonly #kinds: number[] = []
  readonly #lines: number[] = []
  readonly #codes: string[] = []
  readonly #delegates: string[] = []
  /** lines that are not blank, valid or not */
  count = 0

  constructor(rules: FileRules, problems: FileProblems) {
    this.#rules = rules
    this.#problems = problems
  }

  read(text: string, line: number): void {
    if (text.length > maxLine) {
      this.count++
      this.#problems.add(line, 1, 'too_long', `The line has more than ${maxLine.toLocaleString('en')} characters`, { max: maxLine })
      return
    }
    const fields = fieldsOf(text)?.map((field) => csvText(field.trim()))
    if (fields?.every((field) => field === '')) return
    this.count++
    if (fields === undefined)
      this.#problems.add(line, 1, 'wrong_pattern', 'The line is not CSV: a quotation mark is misplaced or not closed on the same line')
    else if (fields.length > header.length)
      this.#problems.add(line, header.length + 1, 'wrong_pattern', `The line has ${fields.length} columns: write ${header.join()}`)
    else this.#add(line, ...(fields as [string, string?, string?]))
  }

  #add(line: number, name: string, code = '', delegate = ''): void {
    const kind = kinds.get(name)
    if (kind === undefined) {
      this.#problems.add(line, 1, 'unknown', `This is not a change: write ${changeKinds.join(', ')}`)
      return
    }
    const isNamed = this.#checkText(line, 2, code, name === 'remove_id' ? 'id of the delegation' : 'code of the citizen')
    if (name === 'add') this.#checkAdded(line, code, delegate, isNamed)
    else if (delegate !== '') this.#problems.add(line, 3, 'exclusive', `A delegate is for add only: leave it empty after ${name}`)
    this.#kinds.push(kind)
    this.#lines.push(line)
    this.#codes.push(code)
    this.#delegates.push(delegate)
  }

  #checkAdded(line: number, delegator: string, delegate: string, isNamed: boolean): void {
    if (!this.#checkText(line, 3, delegate, 'code of the delegate') || !isNamed) return
    if (delegator === delegate) this.#problems.add(line, 3, 'duplicate', 'The delegate must be another citizen than the delegator')
    const before = this.#assumedHere.get(delegator)
    if (before !== undefined)
      this.#problems.add(line, 2, 'duplicate', `The delegator has another assumed delegation in line ${before}: leave one of them out`)
    else if (this.#rules.assumed.has(delegator))
      this.#problems.add(line, 2, 'duplicate', 'The delegator has another assumed delegation beside the file: leave one of them out')
    else this.#assumedHere.set(delegator, line)
  }

  #checkText(line: number, column: number, text: string, what: string): boolean {
    if (text === '') {
      this.#problems.add(line, column, 'required', `The ${what} is missing`)
      return false
    }
    const [violation] = this.#rules.textViolations(path, text)
    if (violation !== undefined) this.#problems.add(line, column, violation.code, violation.message, violation.constraint)
    return violation === undefined
  }

  changes(digest: string): FileChanges {
    return {
      digest,
      kinds: Uint8Array.from(this.#kinds),
      lines: Int32Array.from(this.#lines),
      codes: this.#codes.join(separator),
      delegates: this.#delegates.join(separator),
    }
  }
}

/** a field with its separator, in quotation marks or not */
const field = / *"((?:[^"]|"")*)" *(,|$)|([^",]*)(,|$)/y

/** Splits a line of CSV; undefined when it is invalid. A parser takes a hundred times as long for each line. */
function fieldsOf(text: string): readonly string[] | undefined {
  if (!text.includes('"')) return text.split(',')
  const fields: string[] = []
  field.lastIndex = 0
  for (;;) {
    const [found, quoted, afterQuoted, plain = '', afterPlain] = field.exec(text) ?? []
    if (found === undefined) return undefined
    fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if ((afterQuoted ?? afterPlain) === '') return fields
  }
}

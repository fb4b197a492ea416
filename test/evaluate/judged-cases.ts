import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DocumentCase } from './document-cases.ts'

/** Outcome of a case. */
export interface JudgedCase {
  readonly documentCase: DocumentCase
  readonly outcome: string
  readonly reasons: readonly string[]
}

interface Line {
  /** Index of the case. */
  readonly at: number
  readonly name: string
  readonly outcome: string
  readonly reasons: readonly string[]
}

/**
 * A file of JSON lines with the outcome of each case, so that an interrupted evaluation can resume.
 * It does not record the version of the code: delete it after a change.
 */
export class JudgedCases {
  readonly #file: string | undefined
  readonly #cases: readonly DocumentCase[]

  /** @param file - absent: nothing is stored */
  constructor(file: string | undefined, cases: readonly DocumentCase[]) {
    this.#file = file
    this.#cases = cases
  }

  /** Header of the file. @throws {Error} when the file has other cases */
  read(): readonly JudgedCase[] {
    if (this.#file === undefined) return []
    mkdirSync(dirname(this.#file), { recursive: true })
    if (!existsSync(this.#file)) return []
    // an incomplete last line is judged again
    const text = readFileSync(this.#file, 'utf8')
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    truncateSync(this.#file, Buffer.byteLength(whole))
    const lines = whole.split('\n').slice(0, -1)
    return lines.map((line) => {
      const { at, name, outcome, reasons } = JSON.parse(line) as Line
      const documentCase = this.#cases[at]
      if (documentCase === undefined || nameOf(documentCase) !== name)
        throw new Error(`${this.#file} is of other cases (${name}): delete it, or name another file`)
      return { documentCase, outcome, reasons }
    })
  }

  add({ documentCase, outcome, reasons }: JudgedCase): void {
    if (this.#file === undefined) return
    const line: Line = { at: this.#cases.indexOf(documentCase), name: nameOf(documentCase), outcome, reasons }
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`)
  }
}

const nameOf = ({ kind, condition, defect, printing }: DocumentCase): string => [kind, condition, defect, printing].join(' | ')

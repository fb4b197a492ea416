import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DocumentCase } from './document-cases.ts'

/** What became of a case. */
export interface Judged {
  readonly made: DocumentCase
  readonly outcome: string
  readonly reasons: readonly string[]
  /** pixels of the portrait on the captured front; absent where no face was found */
  readonly printedWidth?: number | undefined
}

interface Line {
  /** the place of the case among all */
  readonly at: number
  readonly name: string
  readonly outcome: string
  readonly reasons: readonly string[]
  readonly printedWidth?: number | undefined
}

/**
 * A file of lines of JSON that keeps what became of each case, so that an evaluation of hours that was interrupted goes on where it was.
 * It knows nothing of the code that judged: delete it after a change.
 */
export class JudgedBefore {
  readonly #file: string | undefined
  readonly #cases: readonly DocumentCase[]

  /** @param file - absent: nothing is kept */
  constructor(file: string | undefined, cases: readonly DocumentCase[]) {
    this.#file = file
    this.#cases = cases
  }

  /** Comes before what is added. @throws {Error} a sentence, when the file is of other cases */
  read(): readonly Judged[] {
    if (this.#file === undefined) return []
    mkdirSync(dirname(this.#file), { recursive: true })
    if (!existsSync(this.#file)) return []
    // a last line that the interruption has cut off is judged again
    const text = readFileSync(this.#file, 'utf8')
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    truncateSync(this.#file, Buffer.byteLength(whole))
    const lines = whole.split('\n').slice(0, -1)
    return lines.map((line) => {
      const { at, name, outcome, reasons, printedWidth } = JSON.parse(line) as Line
      const made = this.#cases[at]
      if (made === undefined || nameOf(made) !== name)
        throw new Error(`${this.#file} is of other cases (${name}): delete it, or name another file`)
      return { made, outcome, reasons, printedWidth }
    })
  }

  add({ made, outcome, reasons, printedWidth }: Judged): void {
    if (this.#file === undefined) return
    const line: Line = { at: this.#cases.indexOf(made), name: nameOf(made), outcome, reasons, printedWidth }
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`)
  }
}

const nameOf = ({ kind, condition, defect, printing }: DocumentCase): string => [kind, condition, defect, printing].join(' | ')

import { redactionWords } from './redaction-words.ts'

/** Consecutive digits. */
export interface DigitGroup {
  readonly from: number
  readonly to: number
  readonly digits: string
  /** letters replace some of the digits: O for 0, l for 1 */
  readonly hasLetters: boolean
  /** separator before the group; empty at the start of a run */
  readonly gap: string
  /** the marks of the separator without blanks and brackets; a blank or a line break for no mark */
  readonly mark: string
}

const markOf = (gap: string): string => gap.replace(/[ ()[\]{}+]/g, '') || (gap.includes('\n') ? '\n' : ' ')

const maxGroupLength = 34
/** Groups of whole words, or after an announcing word; a number of ten digits that starts with 0 also within a word: num0612345678. */
const group = new RegExp(
  `(?:(?<![\\p{L}\\p{N}])|(?<=(?<!\\p{L})(?:${redactionWords.phone.announcing})))[\\dOoIl]{1,${maxGroupLength}}(?![\\p{L}\\p{N}])|(?<!\\p{N})0[1-9]\\d{8}(?!\\p{N})`,
  'giu',
)
/** Blanks and brackets around at most three marks, a word for a mark, or a line break with the sign of a list; a mark may be a picture. */
const separator = new RegExp(
  `^[)\\]}]?(?: ?[-./·_|*,:;~'’=+\\\\<>"“”«»#&^§!?\\p{So}]{1,3}| ?[([{]?(?:${redactionWords.phone.separators})[)\\]}]?|\\n)? ?\\n?(?: ?[-*·>] | )?[([{]{0,2}[+]?$`,
  'iu',
)
const maxGapLength = 12

/** Yields runs of digit groups that only separators divide. */
export function* digitRuns(text: string): Generator<readonly DigitGroup[]> {
  let run: DigitGroup[] = []
  for (const { 0: written, index } of text.matchAll(group)) {
    if (!/\d/.test(written)) continue
    const digits = written.replace(/o/gi, '0').replace(/[il]/gi, '1')
    const last = run.at(-1)
    const between = last && index - last.to <= maxGapLength ? text.slice(last.to, index) : undefined
    const isNext = between !== undefined && separator.test(between)
    if (!isNext && run.length > 0) {
      yield run
      run = []
    }
    const gap = isNext ? between : ''
    run.push({ from: index, to: index + written.length, digits, hasLetters: /\D/.test(written), gap, mark: markOf(gap) })
  }
  if (run.length > 0) yield run
}

/** Consecutive groups and the next one. */
export interface DigitWindow {
  readonly groups: readonly DigitGroup[]
  readonly next: DigitGroup | undefined
  readonly from: number
  readonly to: number
}

/**
 * Yields windows with the digit count of a kind of number, the longest first for each first group; no window overlaps one that `accepts`.
 */
export function* windowsIn(
  text: string,
  [minDigits, maxDigits]: readonly [number, number],
  accepts: (window: DigitWindow) => boolean,
): Generator<DigitWindow> {
  for (const run of digitRuns(text))
    for (let first = 0; first < run.length; first += 1) {
      const window = windowsFrom(run, first, [minDigits, maxDigits]).find(accepts)
      if (window === undefined) continue
      yield window
      first += window.groups.length - 1
    }
}

function windowsFrom(run: readonly DigitGroup[], first: number, [minDigits, maxDigits]: readonly [number, number]): DigitWindow[] {
  const windows: DigitWindow[] = []
  let digits = 0
  for (let at = first; at < run.length; at += 1) {
    const last = run[at]
    digits += last?.digits.length ?? 0
    if (last === undefined || digits > maxDigits) break
    if (digits >= minDigits)
      windows.unshift({ groups: run.slice(first, at + 1), next: run[at + 1], from: run[first]?.from ?? 0, to: last.to })
  }
  return windows
}

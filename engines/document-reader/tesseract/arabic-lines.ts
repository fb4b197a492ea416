import type { Box, TextLine, TextWord } from '../document-reader.ts'
import { type Grey, shrink } from '../page/pixels.ts'
import { around, lineOf, overlap, type ReadWord } from '../page/printed-lines.ts'
import type { TextEngine } from '../text-engine/text-engine.ts'

/**
 * Passes over a page with their widths in pixels. Of 256 words on fourteen synthetic cards the first reads 220 (196 at twice the width, where print
 * breaks into letters), the second 207 (151).
 */
const scans = [
  { layout: 'page', width: 900 },
  { layout: 'sparse', width: 700 },
] as const
const arabicWord = /\p{Script=Arabic}{2}/u
const minConfidence = 0.4
/** Confidence from which a Latin word is not Arabic. */
const sureLatin = 0.8

/**
 * Reads lines in Arabic script, which the Latin reader skips or takes for noise. Segmented pages read best; missing lines are searched anywhere.
 * Numbers are left to the Latin reader: this one misreads Arabic digits.
 * @param latin - positions of its confident words are skipped
 */
export async function readArabic(engine: TextEngine, page: Grey, latin: readonly TextLine[]): Promise<TextLine[]> {
  const occupied = latin.flatMap(({ words }) => words.filter(isSureLatin).map(({ box }) => box))
  const lines: TextLine[] = []
  for (const { layout, width } of scans) {
    const view = shrink(page, Math.min(page.width, width))
    for (const read of await engine.read(view, 'ara', { layout })) {
      const words = joined(read).filter(
        ({ text, confidence }) => arabicWord.test(text) && !/\p{N}/u.test(text) && confidence > minConfidence,
      )
      const line = withoutTaken(lineOf(words, page.width / view.width), occupied)
      if (line === undefined) continue
      occupied.push(...line.words.map(({ box }) => box))
      const row = lines.findIndex((other) => isBeside(other.box, line.box))
      lines.splice(row < 0 ? lines.length : row, 1, inOrder(lines[row], line))
    }
    if (lines.length === 0) break
  }
  return lines
}

const middle = ({ top, height }: Box): number => top + height / 2
const isBeside = (a: Box, b: Box): boolean => Math.abs(middle(a) - middle(b)) < Math.min(a.height, b.height) / 2

/** Inserts words of the second pass between those of the first. */
function inOrder(row: TextLine | undefined, line: TextLine): TextLine {
  if (row === undefined) return line
  return (
    lineOf(
      [...row.words, ...line.words].sort((a, b) => b.box.left - a.box.left),
      1,
    ) ?? line
  )
}

/** Removes the Latin readings of Arabic lines. */
export function withoutWordsUnder(lines: readonly TextLine[], arabic: readonly TextLine[]): TextLine[] {
  const occupied = arabic.flatMap(({ words }) => words.map(({ box }) => box))
  return lines.flatMap((line) => withoutTaken(line, occupied, isSureLatin) ?? [])
}

/** @param stays - whether a word is kept even if its position is taken */
function withoutTaken(
  line: TextLine | undefined,
  occupied: readonly Box[],
  stays: (word: TextWord) => boolean = () => false,
): TextLine | undefined {
  const words = line?.words.filter((word) => stays(word) || !occupied.some((box) => overlap(box, word.box)))
  if (line === undefined || words?.length === line.words.length) return line
  return words === undefined || words.length === 0 ? undefined : { ...line, words, text: words.map(({ text }) => text).join(' ') }
}

const isSureLatin = ({ confidence }: Pick<TextWord, 'confidence'>): boolean => confidence > sureLatin

/** Letters that do not join the next one: the reader splits the word there. */
const unjoined = /[اأإآٱدذرزوؤةىء]$/
/** Minimum width of a blank between words, as a share of the line height. */
const gap = 0.2
/** Unicode marks of writing direction. */
const marks = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Joins words that were split into letters. @param words - of a line, rightmost first */
function joined(words: readonly ReadWord[]): readonly ReadWord[] {
  const whole: ReadWord[] = []
  for (const read of words) {
    const word = { ...read, text: read.text.replace(marks, '') }
    const before = whole.at(-1)
    const isPart =
      before !== undefined &&
      unjoined.test(before.text) &&
      /^\p{Script=Arabic}/u.test(word.text) &&
      before.box.left - (word.box.left + word.box.width) < gap * Math.max(before.box.height, word.box.height)
    if (isPart) whole[whole.length - 1] = both(before, word)
    else whole.push(word)
  }
  return whole
}

function both(a: ReadWord, b: ReadWord): ReadWord {
  const letters = a.text.length + b.text.length
  return {
    text: a.text + b.text,
    confidence: (a.confidence * a.text.length + b.confidence * b.text.length) / letters,
    box: around(a.box, b.box),
  }
}

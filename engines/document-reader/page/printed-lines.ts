import type { Box, TextLine, TextWord } from '../document-reader.ts'

/** A word as read, in pixels of the image that the reader received. */
export interface ReadWord {
  readonly text: string
  /** 0 to 1 */
  readonly confidence: number
  readonly box: Box
}

/** Minimum confidence; below it the text is the pattern of the paper. */
const minConfidence = 0.2

/**
 * @param scale - page pixels per pixel of the reader's image
 * @returns undefined without a word
 */
export function lineOf(words: readonly ReadWord[], scale: number): TextLine | undefined {
  const selected = words
    .filter(({ text }) => /\S/.test(text))
    .map(({ text, confidence, box }): TextWord => ({ text, confidence, box: scaled(box, scale) }))
  const [first] = selected
  if (first === undefined) return undefined
  const box = selected.reduce((all, { box: word }) => around(all, word), first.box)
  return { text: selected.map(({ text }) => text).join(' '), confidence: meanConfidence(selected), box, words: selected }
}

export function withoutNoise(line: TextLine): TextLine | undefined {
  const words = line.words.filter(({ confidence }) => confidence >= minConfidence)
  if (words.length === line.words.length) return line
  return words.length === 0 ? undefined : { ...line, words, text: words.map(({ text }) => text).join(' ') }
}

/** Returns the mean confidence, weighted by word length. */
export const confidenceOf = (lines: readonly TextLine[]): number => meanConfidence(lines.flatMap(({ words }) => words))

export const lettersOf = (lines: readonly TextLine[]): number =>
  lines.reduce((sum, { text }) => sum + text.replace(/[^\p{L}\p{N}]/gu, '').length, 0)

export const overlap = (a: Box, b: Box): boolean =>
  a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height

const scaled = ({ left, top, width, height }: Box, by: number): Box => ({
  left: left * by,
  top: top * by,
  width: width * by,
  height: height * by,
})

/** Returns the smallest box that contains both. */
export function around(a: Box, b: Box): Box {
  const [left, top] = [Math.min(a.left, b.left), Math.min(a.top, b.top)]
  const [right, bottom] = [Math.max(a.left + a.width, b.left + b.width), Math.max(a.top + a.height, b.top + b.height)]
  return { left, top, width: right - left, height: bottom - top }
}

function meanConfidence(words: readonly TextWord[]): number {
  const letters = words.reduce((sum, { text }) => sum + text.length, 0)
  return letters === 0 ? 0 : words.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0) / letters
}

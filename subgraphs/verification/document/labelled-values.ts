import type { Box, TextLine, TextWord } from '../../../engines/document-reader/document-reader.ts'
import { type FieldLabel, labelAt } from './document-labels.ts'
import { isArabic } from './transliteration.ts'

/** Script of a label; Arabic runs from right to left. */
export type Script = 'latin' | 'arabic'

interface Label {
  readonly field: FieldLabel
  readonly script: Script
  readonly box: Box
}

/** Returns candidate values of a field, most likely first. @param script - of the labels; numbers after Arabic ones are read as Latin */
export type ValuesOf = (field: FieldLabel, script: Script) => readonly (readonly TextWord[])[]

/** @param width - of the page */
export function labelledValues(lines: readonly TextLine[], width: number): ValuesOf {
  const latin = lines.filter(({ text }) => !isArabic(text))
  const read = { latin: separate(latin), arabic: separate(lines.map((line) => mirrored(line, width))) } as const
  return (field, script) => {
    const { labels, words } = read[script]
    const wanted = labels.filter((label) => label.field === field && label.script === script)
    return wanted.flatMap((label) => valuesOf(label, labels, words))
  }
}

/** Mirrors a line, so that right-to-left text runs from left to right. */
const mirrored = (line: TextLine, width: number): TextLine => ({
  ...line,
  words: line.words.map((word) => ({ ...word, box: { ...word.box, left: width - right(word.box) } })),
})

const right = (box: Box): number => box.left + box.width
const bottom = (box: Box): number => box.top + box.height
const middle = (box: Box): number => box.top + box.height / 2
/** Returns the box around both boxes. */
function around(a: Box, b: Box): Box {
  const left = Math.min(a.left, b.left)
  return { ...a, left, width: Math.max(right(a), right(b)) - left }
}

/** Separates the labels of all lines from the other words. */
function separate(lines: readonly TextLine[]): { labels: Label[]; words: TextWord[] } {
  const labels: Label[] = []
  const words: TextWord[] = []
  for (const line of lines) {
    let at = 0
    while (at < line.words.length) {
      const label = labelAt(line.words.slice(at).map(({ text }) => text))
      const [first, last] = [line.words[at], line.words[at + (label?.length ?? 1) - 1]]
      if (first === undefined || last === undefined) break
      if (label === undefined) words.push(first)
      else {
        const previous = labels.at(-1)
        const box = around(first.box, last.box)
        const script = isArabic(first.text) ? 'arabic' : 'latin'
        // "NOM / Surname": one label in two languages
        const continues =
          previous?.field === label.field && previous.script === script && Math.abs(middle(previous.box) - middle(box)) < box.height
        if (continues) labels[labels.length - 1] = { field: label.field, script, box: around(previous.box, box) }
        else labels.push({ field: label.field, script, box })
      }
      at += label?.length ?? 1
    }
  }
  return { labels, words: words.filter(({ text }) => /[\p{L}\p{N}]/u.test(text)) }
}

/** Returns candidate values of a label: beside it, below it, or further along its row. */
function valuesOf(label: Label, labels: readonly Label[], words: readonly TextWord[]): TextWord[][] {
  const { box } = label
  const line = Math.max(box.height, 8)
  const rightOf = labels.filter((other) => Math.abs(middle(other.box) - middle(box)) < line && other.box.left > right(box))
  const edge = Math.min(...rightOf.map((other) => other.box.left), Number.POSITIVE_INFINITY)
  const row = words
    .filter(
      (word) => Math.abs(middle(word.box) - middle(box)) < line * 0.8 && word.box.left >= right(box) - line * 0.3 && word.box.left < edge,
    )
    .sort((a, b) => a.box.left - b.box.left)
  const near = row[0] !== undefined && row[0].box.left - right(box) < line * 3 ? unbroken(row) : []
  const under = words.filter(
    (word) =>
      word.box.top > middle(box) &&
      word.box.top - bottom(box) < line * 2.5 &&
      right(word.box) > box.left - line &&
      word.box.left < Math.max(edge - line * 0.5, right(box)),
  )
  const top = Math.min(...under.map((word) => middle(word.box)))
  const first = under.filter((word) => middle(word.box) - top < line * 0.9).sort((a, b) => a.box.left - b.box.left)
  const between = labels.some(
    (other) => other !== label && middle(other.box) > bottom(box) && middle(other.box) < top - line && overlaps(other.box, box),
  )
  // text to the right of the label is below another label's value
  const below = between || (first[0]?.box.left ?? 0) > right(box) + line ? [] : unbroken(first)
  return [near, below, unbroken(row)].filter((group) => group.length > 0)
}

const overlaps = (a: Box, b: Box): boolean => a.left < right(b) && b.left < right(a)

/** Returns the words before the first column-wide gap. */
function unbroken(row: readonly TextWord[]): TextWord[] {
  const cut = row.findIndex((word, at) => {
    const before = row[at - 1]
    return before !== undefined && word.box.left - right(before.box) > Math.max(word.box.height, before.box.height) * 2.5
  })
  return row.slice(0, cut < 0 ? row.length : cut)
}

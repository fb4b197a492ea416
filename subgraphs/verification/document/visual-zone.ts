import type { Box, DocumentText, TextLine, TextWord } from '../../engines/document-reader/document-reader.ts'
import { findDates, type WrittenDate } from './dates.ts'
import { type FieldLabel, labelAt } from './document-labels.ts'
import { best, matchName, type NameMatch, type NameRule } from './name-matching.ts'
import { isArabic, latinLine, toLatin } from './transliteration.ts'

/** A field of the visual zone with how sure its reading is, 0 to 1. */
export interface VisualField<Value> {
  readonly value: Value
  readonly confidence: number
}

/** What stands on a document for people to read, found by its labels in several languages. */
export interface VisualZone {
  readonly surname?: VisualField<string>
  readonly givenNames?: VisualField<string>
  readonly birth?: VisualField<WrittenDate>
  readonly expiry?: VisualField<WrittenDate>
  readonly sex?: VisualField<'M' | 'F'>
  readonly nationality?: VisualField<string>
  readonly number?: VisualField<string>
  /** every date, labelled or not */
  readonly dates: readonly WrittenDate[]
  /** every line in A-Z, 0-9 and single spaces */
  readonly lines: readonly string[]
  /** the lines in Arabic script as they were read; absent without any */
  readonly arabic?: readonly string[]
  readonly confidence: number
}

interface Label {
  readonly field: FieldLabel
  readonly box: Box
}

const right = (box: Box): number => box.left + box.width
const bottom = (box: Box): number => box.top + box.height
const middle = (box: Box): number => box.top + box.height / 2
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / (values.length || 1)
const textOf = (words: readonly TextWord[]): string => words.map(({ text }) => text).join(' ')

/** Labels of all lines and the words that are none. */
function separate(lines: readonly TextLine[]): { labels: Label[]; words: TextWord[] } {
  const labels: Label[] = []
  const words: TextWord[] = []
  for (const line of lines) {
    let at = 0
    while (at < line.words.length) {
      const found = labelAt(line.words.slice(at).map(({ text }) => text))
      const [first, last] = [line.words[at], line.words[at + (found?.length ?? 1) - 1]]
      if (first === undefined || last === undefined) break
      if (found === undefined) words.push(first)
      else {
        const previous = labels.at(-1)
        const box = { ...first.box, width: right(last.box) - first.box.left }
        // "NOM / Surname": one label in two languages
        const continues = previous?.field === found.field && Math.abs(middle(previous.box) - middle(box)) < box.height
        if (continues) labels[labels.length - 1] = { field: found.field, box: { ...previous.box, width: right(box) - previous.box.left } }
        else labels.push({ field: found.field, box })
      }
      at += found?.length ?? 1
    }
  }
  return { labels, words: words.filter(({ text }) => /[\p{L}\p{N}]/u.test(text)) }
}

/** Words that can be the value of a label: beside it, else under it, else further along its row. */
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
  // what begins to the right of the label stands under another one's value
  const below = between || (first[0]?.box.left ?? 0) > right(box) + line ? [] : unbroken(first)
  return [near, below, unbroken(row)].filter((group) => group.length > 0)
}

const overlaps = (a: Box, b: Box): boolean => a.left < right(b) && b.left < right(a)

/** The first words up to a gap as wide as a column's. */
function unbroken(row: readonly TextWord[]): TextWord[] {
  const cut = row.findIndex((word, at) => {
    const before = row[at - 1]
    return before !== undefined && word.box.left - right(before.box) > Math.max(word.box.height, before.box.height) * 2.5
  })
  return row.slice(0, cut < 0 ? row.length : cut)
}

/** Reads the fields of one side. @param country - of the document, decides ambiguous dates  @param now - decides two-digit years */
export function readVisualZone(text: DocumentText, country: string | undefined, now: number): VisualZone {
  const arabic = text.lines.map((line) => line.text).filter(isArabic)
  const { labels, words } = separate(text.lines.filter((line) => !isArabic(line.text)))
  const year = new Date(now).getUTCFullYear()
  function field<Value>(name: FieldLabel, read: (value: string) => Value | undefined): VisualField<Value> | undefined {
    for (const label of labels.filter((candidate) => candidate.field === name)) {
      for (const group of valuesOf(label, labels, words)) {
        const value = read(textOf(group))
        if (value !== undefined) return { value, confidence: mean(group.map(({ confidence }) => confidence)) }
      }
    }
    return undefined
  }
  const name = (value: string): string | undefined => {
    const letters = value.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
    return /[A-Z]{2}/.test(toLatin(letters)) && !/\d{2}/.test(letters) ? letters : undefined
  }
  const date = (latest: number) => (value: string) => findDates(value, country, latest)[0]
  const fields = {
    surname: field('surname', name),
    givenNames: field('given_names', name),
    birth: field('birth', date(year)),
    expiry: field('expiry', date(year + 50)),
    sex: field('sex', (value): 'M' | 'F' | undefined => {
      const letter = /^[^A-Z]*([MFHWV])(?![A-Z]{0,2}\d)/.exec(toLatin(value))?.[1]
      return letter === undefined ? undefined : letter === 'F' || letter === 'W' ? 'F' : 'M'
    }),
    nationality: field('nationality', name),
    number: field('number', (value) => {
      const found = value.toUpperCase().replace(/(?<=[A-Z0-9])[ .-](?=[A-Z0-9])/g, '')
      return /[A-Z0-9]{5,20}/.exec(found)?.[0].match(/\d{3}/) ? /[A-Z0-9]{5,20}/.exec(found)?.[0] : undefined
    }),
  }
  const lines = text.lines.filter((line) => !isArabic(line.text)).map((line) => latinLine(line.text))
  return {
    // exactOptionalPropertyTypes: what was not found is absent
    ...(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<VisualZone>),
    dates: text.lines.flatMap((line) => findDates(line.text, country, year + 50)),
    lines,
    ...(arabic.length > 0 && { arabic }),
    confidence: text.confidence,
  }
}

/** The words of the printed lines that come closest to a name, wherever they stand. */
export function closestName(lines: readonly string[], name: string, rule: NameRule): NameMatch {
  const count = toLatin(name).split(' ').length
  const matches: NameMatch[] = []
  for (const line of lines) {
    const words = line.split(' ')
    for (let from = 0; from < words.length; from++) {
      for (let length = Math.max(1, count - 1); length <= count + 1 && from + length <= words.length; length++) {
        matches.push(matchName(name, words.slice(from, from + length).join(' '), { part: 'surname', ...(rule.cut ? { cut: true } : {}) }))
      }
    }
  }
  return best(matches)
}

/** Whether the printed lines hold this number, alone or inside a longer one, blanks apart. */
export function holdsNumber(lines: readonly string[], number: string): boolean {
  return number.length >= 5 && lines.some((line) => line.replace(/ /g, '').includes(number))
}

import type { DocumentText, TextWord } from '../../../engines/document-reader/document-reader.ts'
import { findDates, type WrittenDate } from './dates.ts'
import type { FieldLabel } from './document-labels.ts'
import { labelledValues, type Script } from './labelled-values.ts'
import { best, comparableName, matchName, type NameMatch, type NameRule } from './name-matching.ts'
import { bareArabic, isArabic, latinLine, toLatin } from './transliteration.ts'

/** A field of the visual zone with its confidence, 0 to 1. */
export interface VisualField<Value> {
  readonly value: Value
  readonly confidence: number
}

/** The printed data of a document, found by labels in several languages. Names may be in Arabic script. */
export interface VisualZone {
  readonly surname?: VisualField<string>
  readonly givenNames?: VisualField<string>
  readonly birth?: VisualField<WrittenDate>
  readonly expiry?: VisualField<WrittenDate>
  readonly sex?: VisualField<'M' | 'F'>
  readonly nationality?: VisualField<string>
  readonly number?: VisualField<string>
  /** every date, with or without a label */
  readonly dates: readonly WrittenDate[]
  /** every line in A-Z, 0-9 and single spaces */
  readonly lines: readonly string[]
  /** lines in Arabic script as read; absent without any */
  readonly arabic?: readonly string[]
  readonly confidence: number
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / (values.length || 1)

/** confidence above which a Latin field is not searched in Arabic */
const minLatinConfidence = 0.6

/** Reads the fields of one side. @param country - of the document, decides ambiguous dates  @param now - decides two-digit years */
export function readVisualZone(text: DocumentText, country: string | undefined, now: number): VisualZone {
  const arabic = text.lines.map((line) => line.text).filter(isArabic)
  const valuesOf = labelledValues(text.lines, text.width)
  const year = new Date(now).getUTCFullYear()
  const readIn = <Value>(script: Script, field: FieldLabel, read: (value: string) => Value | undefined): VisualField<Value> | undefined => {
    for (const group of valuesOf(field, script)) {
      const value = read(textOf(group))
      if (value !== undefined) return { value, confidence: mean(group.map(({ confidence }) => confidence)) }
    }
    return undefined
  }
  function field<Value>(name: FieldLabel, read: (value: string) => Value | undefined): VisualField<Value> | undefined {
    const latin = readIn('latin', name, read)
    if (latin !== undefined && latin.confidence >= minLatinConfidence) return latin
    const other = readIn('arabic', name, read)
    return other !== undefined && other.confidence > (latin?.confidence ?? 0) ? other : latin
  }
  const date = (latest: number) => (value: string) => findDates(value, country, latest)[0]
  const fields = {
    surname: field('surname', nameOf),
    givenNames: field('given_names', nameOf),
    birth: field('birth', date(year)),
    expiry: field('expiry', date(year + 50)),
    sex: field('sex', sexOf),
    nationality: field('nationality', nameOf),
    number: field('number', numberOf),
  }
  const lines = text.lines.filter((line) => !isArabic(line.text)).map((line) => latinLine(line.text))
  return {
    // exactOptionalPropertyTypes: missing fields must be absent
    ...(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<VisualZone>),
    dates: text.lines.flatMap((line) => findDates(line.text, country, year + 50)),
    lines,
    ...(arabic.length > 0 && { arabic }),
    confidence: text.confidence,
  }
}

const textOf = (words: readonly TextWord[]): string => words.map(({ text }) => text).join(' ')

/** Keeps the words in the script of the first word: the name is often repeated in the other script. */
function nameOf(value: string): string | undefined {
  const words = value.replace(/^[^\p{L}]+|(?<=\p{L})[^\p{L}]+$/gu, '').split(' ')
  const script = isArabic(words[0] ?? '')
  const letters = words.filter((word) => isArabic(word) === script).join(' ')
  return /[A-Z]{2}/.test(toLatin(letters)) && !/\d{2}/.test(letters) ? letters : undefined
}

const arabicSexes: Readonly<Record<string, 'M' | 'F'>> = { ذكر: 'M', أنثى: 'F' }
const bareSexes = new Map(Object.entries(arabicSexes).map(([word, sex]) => [bareArabic(word), sex]))

function sexOf(value: string): 'M' | 'F' | undefined {
  const word = bareSexes.get(bareArabic(value))
  if (word !== undefined || isArabic(value)) return word
  const letter = /^[^A-Z]*([MFHWV])(?![A-Z]{0,2}\d)/.exec(toLatin(value))?.[1]
  return letter === undefined ? undefined : letter === 'F' || letter === 'W' ? 'F' : 'M'
}

function numberOf(value: string): string | undefined {
  const compact = value.toUpperCase().replace(/(?<=[A-Z0-9])[ .-](?=[A-Z0-9])/g, '')
  return /[A-Z0-9]{5,20}/.exec(compact)?.[0].match(/\d{3}/) ? /[A-Z0-9]{5,20}/.exec(compact)?.[0] : undefined
}

/** Returns the printed words most similar to a name, in any position and script. */
export function closestName({ lines, arabic = [] }: Pick<VisualZone, 'lines' | 'arabic'>, wantedName: string, rule: NameRule): NameMatch {
  const name = comparableName(wantedName)
  const count = toLatin(name).split(' ').length
  const matches: NameMatch[] = []
  for (const line of [...lines, ...arabic]) {
    const words = line.split(' ')
    for (let from = 0; from < words.length; from++) {
      for (let length = Math.max(1, count - 1); length <= count + 1 && from + length <= words.length; length++) {
        matches.push(matchName(name, words.slice(from, from + length).join(' '), { part: 'surname', ...(rule.cut ? { cut: true } : {}) }))
      }
    }
  }
  return best(matches)
}

/** Returns whether the printed lines contain this number, also within a longer one, ignoring blanks. */
export function holdsNumber(lines: readonly string[], number: string): boolean {
  return number.length >= 5 && lines.some((line) => line.replace(/ /g, '').includes(number))
}

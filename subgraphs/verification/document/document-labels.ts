import { z } from 'zod'
import { readData } from '../../../foundation/files/data-file.ts'
import { editDistance } from './name-matching.ts'
import { bareArabic, isArabic, toLatin } from './transliteration.ts'

const fields = ['surname', 'given_names', 'birth', 'expiry', 'sex', 'nationality', 'number', 'other'] as const
export type FieldLabel = (typeof fields)[number]

/**
 * Labels of fields on identity documents in French, English, Spanish, Portuguese, German and Italian, as `toLatin` writes them, and in
 * Arabic.
 */
const labels = readData(
  'subgraphs/verification/document/data/document-labels.json',
  z.record(
    z.enum(fields),
    z
      .array(
        z.string().regex(/^([A-Z]+|[\u0621-\u064a]+)( ([A-Z]+|[\u0621-\u064a]+))*$/, 'must be capital or Arabic letters and single spaces'),
      )
      .min(1),
  ),
)
const folded = (text: string): string => (isArabic(text) ? bareArabic(text) : toLatin(text.replace(/['’]/g, ' ')))

const byLength = fields
  .flatMap((field) => labels[field].map((name) => ({ field, name: folded(name) })))
  .sort((a, b) => b.name.length - a.name.length)
const maxWords = 6

/** Merges look-alikes of narrow print: RN and M, VV and W. */
const blurred = (text: string): string => text.replace(/RN/g, 'M').replace(/VV/g, 'W').replace(/[1|]/g, 'I')

/** Allows one misread letter in five, two in ten; short labels must match exactly. */
function alike(read: string, label: string): boolean {
  if (label.length < 5 || read.charAt(0) !== label.charAt(0)) return false
  const slips = label.length >= 10 ? 2 : 1
  const [one, other] = [blurred(read), blurred(label)]
  return Math.abs(one.length - other.length) <= slips && editDistance(one, other) <= slips
}

/**
 * Returns the label at the start of the words.
 * @returns its field and its number of words, including punctuation
 */
export function labelAt(words: readonly string[]): { readonly field: FieldLabel; readonly length: number } | undefined {
  const plain = words.slice(0, maxWords).map(folded)
  if (plain[0] === '' || plain[0] === undefined) return undefined
  const phrases = plain
    .map((last, at) => ({
      length: at + 1,
      last,
      text: plain
        .slice(0, at + 1)
        .filter((word) => word !== '')
        .join(' '),
    }))
    .filter(({ last }) => last !== '')
    .reverse()
  for (const matches of [(phrase: string, name: string) => phrase === name, alike]) {
    for (const { text, length } of phrases) {
      // an N is a label only in forms such as N° and No.
      const label = byLength.find(({ name }) => matches(text, name) && (name !== 'N' || /^n\s?[°ºo.:]/i.test(words[0] ?? '')))
      if (label === undefined) continue
      let end = length
      while (end < words.length && /^[^\p{L}\p{N}]+$/u.test(words[end] ?? '')) end++
      return { field: label.field, length: end }
    }
  }
  return undefined
}

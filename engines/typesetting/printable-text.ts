import { normalForm } from '../../foundation/text/normal-form.ts'
import { coverageOf } from './font-coverage.ts'
import type { FontFamily } from './font-files.ts'

export type Direction = 'ltr' | 'rtl'

/** characters that every Latin font has, the common case */
const plain = /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u017e\u2013\u2014\u2018-\u201d\u2022\u2026\u20ac]*$/
/** a character with its combining marks, which must come from one font */
const clusters = /\P{M}\p{M}*|\p{M}+/gu
/** Invisible characters for joining, breaking and direction. Direction embeddings and overrides are excluded because they hide the reading order. */
const steering = /^[\u00ad\u200b-\u200f\u2060\u2066-\u2069]$/
/** without a variation selector a cluster keeps its meaning */
const selectors = /\p{Variation_Selector}/gu
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u
/** words of this length get break opportunities at this distance */
const [maxWordLength, piece] = [30, 12]

/** Whether a printable text shows nothing. */
export const isBlank = (text: string): boolean => /^[\s\p{Cf}]*$/u.test(text)

/** Converts any text to one that these fonts can print. */
export type Printable = (text: string) => string

/** Replaces characters without a glyph by U+FFFD, removes invisible ones, and lets long words break. */
export function printableWith(families: readonly FontFamily[]): Printable {
  const coverages = families.map(({ files }) => coverageOf(files))
  const isCovered = (cluster: string): boolean => {
    const codes = Array.from(cluster, (character) => character.codePointAt(0) ?? 0)
    return coverages.some((coverage) => codes.every((code) => coverage[code] === 1))
  }
  const cache = new Map<string, string>()
  const shown = (cluster: string): string => {
    const before = cache.get(cluster)
    if (before !== undefined) return before
    const printable = shownAnew(cluster)
    if (cache.size < 50_000) cache.set(cluster, printable)
    return printable
  }
  const shownAnew = (cluster: string): string => {
    if (cluster === '\t' || cluster === '\n') return ' '
    if (steering.test(cluster)) return cluster
    const seen = cluster.replace(selectors, '')
    const [first = ''] = seen
    if (seen === '' || unseen.test(first)) return ''
    if (isCovered(seen)) return seen
    return seen.length > first.length && isCovered(first) ? first : '\ufffd'
  }
  return (text) => {
    const clean = plain.test(text) ? text : normalForm(text, 'NFC').replace(clusters, shown)
    return breakable(clean, maxWordLength, piece)
  }
}

/** Adds break opportunities to words of `longest` characters, `apart` characters from each other. */
export function breakable(text: string, longest: number, apart: number): string {
  if (text.length < longest) return text
  const { words, pieces } = patternsOf(longest, apart)
  return text.replace(words, (word) => word.replace(pieces, '$&\u200b'))
}

const patterns = new Map<string, { readonly words: RegExp; readonly pieces: RegExp }>()
function patternsOf(longest: number, apart: number) {
  const name = `${longest} ${apart}`
  const cached = patterns.get(name)
  if (cached !== undefined) return cached
  // linear: one class, repeated
  const words = new RegExp(`[^\\s\\u200b\\u00ad-]{${longest},}`, 'gu')
  // linear: a bounded number of clusters that begin with a base character
  const own = { words, pieces: new RegExp(`(?:\\P{M}\\p{M}*){${apart}}(?=.)`, 'gsu') }
  patterns.set(name, own)
  return own
}

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u
const strong = /\p{L}/u

/** Returns the direction of the first letter, as HTML's dir="auto"; undefined without letters. */
export function directionOf(text: string): Direction | undefined {
  const [letter] = strong.exec(text) ?? []
  return letter === undefined ? undefined : rightToLeft.test(letter) ? 'rtl' : 'ltr'
}

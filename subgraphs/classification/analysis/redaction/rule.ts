/** Kinds of personal data that are redacted. */
export type PersonalDataType = 'email' | 'iban' | 'national_id' | 'payment_card' | 'phone'

/** Start and end of a piece of text. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** A rule for one kind of personal data, over text from `plainText`. */
export interface Rule {
  readonly type: PersonalDataType
  /** Returns non-overlapping pieces in text order, in time linear in the length of the text. */
  readonly find: (text: string) => Iterable<Span>
}

/** characters of context around a number */
export const contextLength = 60

/**
 * Yields pieces that match a pattern.
 * @param pattern - global
 * @param reach - returns how many characters of a match belong to the data, given the text before and after; absent: all
 */
export function* matchesOf(
  text: string,
  pattern: RegExp,
  reach?: (candidate: string, before: string, after: string) => number,
): Generator<Span> {
  for (const { 0: match, index } of text.matchAll(pattern)) {
    const end = index + match.length
    const length =
      reach?.(match, text.slice(Math.max(0, index - contextLength), index), text.slice(end, end + contextLength)) ?? match.length
    if (length > 0) yield { from: index, to: index + length }
  }
}

/** Regular expression for a gap between two characters of a number: blanks, a line break, or a mark with or without blanks. */
export const gap = '(?: ?[-./·_|*,\\n] ?| )'

export const digitsOf = (text: string): string => text.replace(/\D/g, '')

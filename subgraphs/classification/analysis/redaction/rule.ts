/** Kinds of personal data that are looked for. */
export type PersonalDataType = 'email' | 'iban' | 'national_id' | 'payment_card' | 'phone'

/** A piece of a text: where it begins and ends. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** What one kind of personal data looks like in a text that `plainText` has made plain. */
export interface Rule {
  readonly type: PersonalDataType
  /** Returns pieces in the order of the text; none overlaps another. Takes a time that is linear in the length of the text. */
  readonly find: (text: string) => Iterable<Span>
}

/** characters around a number that say what it is of */
export const contextLength = 60

/**
 * Pieces that match a pattern.
 * @param pattern - global
 * @param reach - returns how many characters of a match are meant, given what stands shortly before and after it; absent: all
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

/** What may stand between two signs of a number: blanks, a line break, or a mark with or without blanks. A regular expression. */
export const gap = '(?: ?[-./·_|*,\\n] ?| )'

export const digitsOf = (text: string): string => text.replace(/\D/g, '')

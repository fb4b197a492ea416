/** Combining marks, and the two letters that a compatibility form makes marks. */
const markClass = String.raw`[\p{M}\uff9e\uff9f]`
/** longest run of marks in a text that people write: the limit of the Stream-Safe Text Format (UAX #15, section 13) */
const maxMarks = 30

// linear: one class, repeated
const longRun = new RegExp(`${markClass}{${maxMarks + 1}}`, 'u')
// linear: one class, repeated
const parts = new RegExp(`${markClass}{${maxMarks}}(?=${markClass})`, 'gu')
const graphemeJoiner = '\u034f'

/** Returns whether a text has more marks in a row than people write; Unicode normalisation sorts them, in quadratic time. */
export const hasLongRunOfMarks = (text: string): boolean => longRun.test(text)

/**
 * Returns a Unicode normal form in linear time: joins what has more than 30 marks in a row by an invisible character after each 30th, as the Stream-Safe
 * Text Format does. For 100,000 marks of two classes `String.normalize` would take a minute.
 */
export const normalForm = (text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string =>
  (hasLongRunOfMarks(text) ? text.replace(parts, `$&${graphemeJoiner}`) : text).normalize(form)

/** longer ones are refused by servers and proxies */
const maxUrlLength = 8192

/**
 * Parses a URL from outside; undefined for other texts. A parser normalises the name of the host: what takes quadratic time is no URL.
 * @see normalForm
 */
export const readUrl = (text: string): URL | undefined =>
  text.length > maxUrlLength || hasLongRunOfMarks(text) ? undefined : (URL.parse(text) ?? undefined)

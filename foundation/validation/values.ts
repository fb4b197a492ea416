/** Whether both RFC 3339 and PostgreSQL can represent a time: years have four digits, and there is no year 0. */
export function isStorableMoment(moment: Date): boolean {
  const year = moment.getUTCFullYear()
  return year >= 1 && year <= 9999
}

/** Whether PostgreSQL can store a text: no U+0000 and no lone surrogates. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000')

/** Whether a text has a character that can be seen: no space, control, format or other invisible one (zero-width, filler, variation selector). */
export const hasVisibleCharacter = (text: string): boolean => /[^\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u.test(text)

/** Whether a text is a valid tenant name. */
export const isTenant = (name: string): boolean => /^[a-z0-9-]{1,63}$/.test(name)

/** Whether a text is a lower-case UUID; a search index would treat upper case as another id. */
export const isUuid = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)

const maxExcerptLength = 100

/** Returns the start of a text, with a mark if it was cut, for error messages and records. @param max - maximum number of characters, 100 by default */
export function excerpt(text: string, max = maxExcerptLength): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`
}

/**
 * Returns the code of a language in ISO 639-1, otherwise in ISO 639-3 ("fra" becomes fr); undefined for a code that no language has. ICU knows the
 * usual script of languages that it has no name for, such as Mandinka.
 */
export function languageCode(code: string): string | undefined {
  if (!/^[a-z]{2,3}$/.test(code)) return undefined
  const locale = new Intl.Locale(code)
  return locale.maximize().script === undefined ? undefined : locale.language
}

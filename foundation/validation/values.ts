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

const longestExcerpt = 100

/** Returns at most the first 100 characters of a text, with a mark if it was cut, for error messages and logs. */
export function excerpt(text: string): string {
  return text.length <= longestExcerpt ? text : `${text.slice(0, longestExcerpt - 1).toWellFormed()}…`
}

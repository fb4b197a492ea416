/** Whether RFC 3339 and PostgreSQL both have a word for a moment: years have four digits there, and there is no year 0. */
export function isStorableMoment(moment: Date): boolean {
  const year = moment.getUTCFullYear()
  return year >= 1 && year <= 9999
}

/** Whether PostgreSQL keeps a text as it is: it holds neither U+0000 nor lone surrogates. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000')

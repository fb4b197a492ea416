/** Whether both RFC 3339 and PostgreSQL can represent a time: years have four digits, and there is no year 0. */
export function isStorableMoment(moment: Date): boolean {
  const year = moment.getUTCFullYear()
  return year >= 1 && year <= 9999
}

/** Whether PostgreSQL can store a text: no U+0000 and no lone surrogates. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000')

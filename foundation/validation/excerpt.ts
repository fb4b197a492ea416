const longestExcerpt = 100

/** Returns at most the first 100 characters of a text, with a mark if it was cut, for error messages and logs. */
export function excerpt(text: string): string {
  return text.length <= longestExcerpt ? text : `${text.slice(0, longestExcerpt - 1).toWellFormed()}…`
}

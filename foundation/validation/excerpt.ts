const longestExcerpt = 100

/** The beginning of a caller's text, for error messages and logs: at most 100 characters, marked where it was cut. */
export function excerpt(text: string): string {
  return text.length <= longestExcerpt ? text : `${text.slice(0, longestExcerpt - 1).toWellFormed()}…`
}

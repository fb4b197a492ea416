/** What a column holds: text, or a number that a spreadsheet may calculate with. */
export type CsvCell = string | number

/**
 * CSV (RFC 4180) that a spreadsheet may open: no text of it becomes a formula or another cell, whichever separator the spreadsheet reads.
 * @see OWASP, "CSV Injection"
 */
export function csvOf(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((row) => `${row.map((cell) => (typeof cell === 'number' ? String(cell) : textCell(cell))).join(',')}\r\n`).join('')
}

/** what begins a formula, in full width, too */
const formula = /[=+\-@\uff1d\uff0b\uff0d\uff20]/
/** where a spreadsheet of another language, or one that ignores quotes, begins the next cell */
const separator = /[,;\t\r\n|]/
const skipped = /[\s"]/

function textCell(text: string): string {
  const harmless = withoutFormulas(text)
  return /[",;|\s]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** Puts an apostrophe before each sign that would begin a formula at the start of the text or behind a separator in it. */
function withoutFormulas(text: string): string {
  let isStart = true
  let harmless = /^[\t\r]/.test(text) ? "'" : ''
  for (const character of text) {
    harmless += isStart && formula.test(character) ? `'${character}` : character
    isStart = separator.test(character) || (isStart && skipped.test(character))
  }
  return harmless
}

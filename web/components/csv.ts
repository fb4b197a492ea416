/** Content of a column: text, or numbers that a spreadsheet can calculate with. */
export type CsvCell = string | number

/**
 * Returns CSV (RFC 4180) that is safe to open in a spreadsheet: no text becomes a formula or another cell, whichever separator the
 * spreadsheet uses.
 * @see OWASP, "CSV Injection"
 */
export function csvOf(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((row) => `${row.map((cell) => (typeof cell === 'number' ? String(cell) : textCell(cell))).join(',')}\r\n`).join('')
}

/** characters that begin a formula, full-width ones included */
const formula = /[=+\-@\uff1d\uff0b\uff0d\uff20]/
/** separators after which a spreadsheet of another locale, or one that ignores quotes, begins a cell */
const separator = /[,;\t\r\n|]/
const skipped = /[\s"]/

function textCell(text: string): string {
  const harmless = withoutFormulas(text)
  return /[",;|\s]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** Puts an apostrophe before each character that would begin a formula at the start of the text or after a separator. */
function withoutFormulas(text: string): string {
  let isStart = true
  let harmless = /^[\t\r]/.test(text) ? "'" : ''
  for (const character of text) {
    harmless += isStart && formula.test(character) ? `'${character}` : character
    isStart = separator.test(character) || (isStart && skipped.test(character))
  }
  return harmless
}

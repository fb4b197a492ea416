/** Content of a column: text, or numbers that a spreadsheet can calculate with. */
export type CsvCell = string | number

/**
 * Returns CSV (RFC 4180) that is safe to open in a spreadsheet: no text becomes a formula or another cell, whichever separator the
 * spreadsheet uses. foundation/files/csv.ts follows the same rule.
 * @see OWASP, "CSV Injection"
 */
export function csvOf(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((row) => `${row.map((cell) => (typeof cell === 'number' ? String(cell) : textCell(cell))).join(',')}\r\n`).join('')
}

function textCell(text: string): string {
  const harmless = withoutFormulas(text)
  return /[",;|\s]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** characters that begin a formula, full-width ones included */
const formula = /[=+\-@\uff1d\uff0b\uff0d\uff20]/
/** a formula at the start of a cell, with the apostrophes of the text before it */
const start = /'*[=+\-@\uff1d\uff0b\uff0d\uff20]/y
const controlAtStart = /^'*[\t\r]/
/** separators after which a spreadsheet of another locale, or one that ignores quotes, begins a cell */
const separator = /[,;\t\r\n|]/
const skipped = /[\s"]/

/** Puts an apostrophe before a control character at the start, and before each formula at the start or after a separator. */
function withoutFormulas(text: string): string {
  const prefix = controlAtStart.test(text) ? "'" : ''
  return formula.test(text) ? prefix + atStarts(text, (found) => `'${found}`) : prefix + text
}

/** Replaces each formula that begins the text or follows a separator. */
function atStarts(text: string, replaced: (found: string) => string): string {
  let isStart = true
  let result = ''
  for (let at = 0; at < text.length; ) {
    start.lastIndex = at
    const found: string | undefined = isStart ? start.exec(text)?.[0] : undefined
    const character = text.charAt(at)
    result += found === undefined ? character : replaced(found)
    isStart = found === undefined && (separator.test(character) || (isStart && skipped.test(character)))
    at += found?.length ?? 1
  }
  return result
}

/** Content of a column; an empty cell for null. */
export type CsvCell = string | number | null

/**
 * Returns a row of CSV (RFC 4180) that is safe to open in a spreadsheet: no text becomes a formula or another cell, whichever separator the
 * spreadsheet uses. Numbers stay numbers. web/components/csv.ts follows the same rule.
 * @see OWASP, "CSV Injection"
 */
export const csvRow = (cells: readonly CsvCell[]): string =>
  `${cells.map((cell) => (typeof cell === 'string' ? textCell(cell) : (cell ?? ''))).join(',')}\r\n`

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

/** Returns the text of a cell that `csvRow` has written. */
export function csvText(cell: string): string {
  const text = /^'+[\t\r]/.test(cell) ? cell.slice(1) : cell
  return text.includes("'") ? atStarts(text, (found) => found.replace("'", '')) : text
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

/** Returns the separator of a header line and its position, from 1, if it is not a comma: spreadsheets in French and German write semicolons. */
export function otherSeparatorIn(header: string): { readonly separator: string; readonly column: number } | undefined {
  const bare = header.replaceAll('"', '')
  const other = bare.includes(',') ? undefined : [';', '\t', '|'].find((each) => bare.includes(each))
  return other === undefined ? undefined : { separator: other, column: bare.indexOf(other) + 1 }
}

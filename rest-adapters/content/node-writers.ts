import type { RowWriter } from '../route/streaming-routes.ts'

interface Row {
  readonly depth: number
  readonly body_format: string
}
/** the operation's rows are in the words of REST already; only the enumeration is spelled differently there */
const textOf = (row: unknown): string => JSON.stringify({ ...(row as Row), body_format: 'markdown' })

/** One line of JSON for each node; an answer that breaks off ends in a line with an `error`. */
export function linesWriter(): RowWriter {
  return {
    write: (rows) => rows.map((row) => `${textOf(row)}\n`).join(''),
    end: () => '',
    failure: `${JSON.stringify({ error: { detail: 'The response was interrupted; send the request again' } })}\n`,
  }
}

/** One array of all nodes. */
export function listWriter(): RowWriter {
  let first = true
  return {
    write(rows) {
      const text = rows.map(textOf).join(',\n')
      const before = first ? '[' : rows.length > 0 ? ',\n' : ''
      first = false
      return before + text
    },
    end: () => (first ? '[]' : ']'),
  }
}

/** The first node with all others inside, each in the `children` of the one above it. Needs no memory of what it has written, however deep. */
export function nestedWriter(): RowWriter {
  let top: number | undefined
  let last = 0
  return {
    write(rows) {
      let text = ''
      for (const row of rows) {
        const { depth } = row as Row
        top ??= depth
        if (depth !== top) text += depth > last ? '' : `${']}'.repeat(last - depth + 1)},`
        last = depth
        text += `${textOf(row).slice(0, -1)},"children":[`
      }
      return text
    },
    end: () => (top === undefined ? 'null' : ']}'.repeat(last - top + 1)),
  }
}

import type { RowWriter } from '../route/streaming-routes.ts'

interface Row {
  readonly depth: number
  readonly body_format: string
}
/** rows already have REST names; only the enum differs */
const textOf = (row: unknown): string => JSON.stringify({ ...(row as Row), body_format: 'markdown' })

/** Writes one JSON line per node; an interrupted response ends with a line with `error`. */
export function linesWriter(): RowWriter {
  return {
    write: (rows) => rows.map((row) => `${textOf(row)}\n`).join(''),
    end: () => '',
    failure: `${JSON.stringify({ error: { detail: 'The response was interrupted; send the request again' } })}\n`,
  }
}

/** Writes one array of all nodes. */
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

/** Writes the first node with all others nested in `children`, without buffering, at any depth. */
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

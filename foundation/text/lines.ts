/** A line of a text, numbered from 1. */
export interface TextLine {
  readonly number: number
  readonly text: string
}

/** Yields the lines of a text, empty ones included. Only line feeds end a line; a byte-order mark is skipped. */
export function* linesIn(text: string): Generator<TextLine> {
  let number = 1
  for (let from = text.startsWith('\ufeff') ? 1 : 0; from <= text.length; number++) {
    const feed = text.indexOf('\n', from)
    const end = feed < 0 ? text.length : feed
    yield { number, text: text.slice(from, end) }
    from = end + 1
  }
}

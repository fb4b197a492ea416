/** A place in a text, both from 1; columns count UTF-16 code units. */
export interface TextPosition {
  readonly line: number
  readonly column: number
}

export function positionAt(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset)
  const lines = before.split('\n')
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

const space = /\s*/y
const literal = /"(?:[^"\\]|\\.)*"|[^\s,\]}]+/y

/**
 * Returns where a member of a JSON text begins; where its deepest existing ancestor begins if it is absent.
 * @param text - valid JSON
 */
export function positionInJson(text: string, path: readonly (string | number)[]): TextPosition {
  let at = 0
  let found = 0
  const skipSpace = (): void => {
    space.lastIndex = at
    space.exec(text)
    at = space.lastIndex
  }
  const readLiteral = (): string => {
    literal.lastIndex = at
    const [read = ''] = literal.exec(text) ?? []
    at += Math.max(read.length, 1)
    return read
  }
  /** @param rest - path from this value on; undefined: the value is skipped. @returns whether the search is over */
  const value = (rest: readonly (string | number)[] | undefined): boolean => {
    skipSpace()
    if (rest !== undefined) found = at
    if (rest?.length === 0) return true
    const open = text[at]
    if (open !== '{' && open !== '[') {
      readLiteral()
      return rest !== undefined
    }
    at++
    for (let index = 0; ; index++) {
      skipSpace()
      if (text[at] === '}' || text[at] === ']' || at >= text.length) break
      let name: string | number = index
      if (open === '{') {
        name = String(JSON.parse(readLiteral()))
        skipSpace()
        at++
      }
      if (value(rest !== undefined && rest[0] === name ? rest.slice(1) : undefined)) return true
      skipSpace()
      if (text[at] === ',') at++
    }
    at++
    return rest !== undefined
  }
  value(path)
  return positionAt(text, found)
}

import markdownIt, { type Token } from 'markdown-it'

const parser = markdownIt({ html: false, linkify: false, typographer: false, maxNesting: 200 })
const highest = 6

/** A piece of a text, with its children. */
export interface Piece {
  readonly token: Token
  readonly children: readonly Piece[]
  /** level of a heading */
  readonly level: number
}

/**
 * Parses a body. Its headings are below the text's own and skip no level.
 * @param level - of the heading above the text
 */
export function piecesOf(markdown: string, level: number): readonly Piece[] {
  const headings: number[] = []
  const levelOf = (written: number): number => {
    while ((headings.at(-1) ?? 0) >= written) headings.pop()
    headings.push(written)
    return Math.min(highest, level + headings.length)
  }
  return nested(parser.parse(markdown, {}), levelOf)
}

function nested(tokens: readonly Token[], levelOf: (written: number) => number): readonly Piece[] {
  const whole: Piece[] = []
  const open: Piece[][] = [whole]
  for (const token of tokens) {
    if (token.nesting === -1) {
      open.pop()
      continue
    }
    const children: Piece[] = token.type === 'inline' ? [...nested(token.children ?? [], levelOf)] : []
    const level = token.type === 'heading_open' ? levelOf(Number(token.tag.slice(1))) : 0
    open.at(-1)?.push({ token, children, level })
    if (token.nesting === 1) open.push(children)
  }
  return whole
}

/** Returns the text of a piece. */
export const textIn = ({ token, children }: Piece): string =>
  children.length > 0 ? children.map(textIn).join('') : token.type === 'inline' ? '' : token.content

const firstLetter = /\p{L}/u
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Nko}\p{Script=Adlam}\p{Script=Syriac}\p{Script=Thaana}]/u

/** Returns the direction of the first letter: `dir=auto` ignores nested blocks that have a direction. */
export function directionIn(piece: Piece): 'rtl' | 'ltr' | undefined {
  const [letter] = firstLetter.exec(textIn(piece)) ?? []
  return letter === undefined ? undefined : rightToLeft.test(letter) ? 'rtl' : 'ltr'
}

import markdownIt, { type Token } from 'markdown-it'

const parser = markdownIt({ html: false, linkify: false, typographer: false, maxNesting: 200 })
const highest = 6

/** A part of a text, with the parts in it. */
export interface Piece {
  readonly token: Token
  readonly children: readonly Piece[]
  /** of a heading */
  readonly level: number
}

/** What a body is made of. Headings are below the one above the text, and leave no level out. @param level - of the heading above the text */
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

/** What can be read of a piece. */
export const textIn = ({ token, children }: Piece): string =>
  children.length > 0 ? children.map(textIn).join('') : token.type === 'inline' ? '' : token.content

const firstLetter = /\p{L}/u
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Nko}\p{Script=Adlam}\p{Script=Syriac}\p{Script=Thaana}]/u

/** The direction of the first letter: `dir=auto` would not look into blocks that have one of their own. */
export function directionIn(piece: Piece): 'rtl' | 'ltr' | undefined {
  const [letter] = firstLetter.exec(textIn(piece)) ?? []
  return letter === undefined ? undefined : rightToLeft.test(letter) ? 'rtl' : 'ltr'
}

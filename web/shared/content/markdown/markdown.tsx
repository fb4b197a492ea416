import { memo, type ReactNode, useMemo } from 'react'
import { Scrolling } from '../../../components/keyboard.tsx'
import { useContentWords } from '../words/words.ts'
import { Inline } from './inline.tsx'
import { directionIn, type Piece, piecesOf } from './pieces.ts'

export interface MarkdownProps {
  readonly text: string
  /** level of the heading above it */
  readonly level: number
}

/** Renders a Markdown body as elements. It never inserts HTML, so HTML in a body stays text. */
export const Markdown = memo(({ text, level }: MarkdownProps) => {
  const pieces = useMemo(() => piecesOf(text, level), [text, level])
  return <Blocks pieces={pieces} />
})

function Blocks({ pieces }: { pieces: readonly Piece[] }): ReactNode {
  // keyed by index: the pieces of a text are never reordered
  return pieces.map((piece, at) => <Block key={at} piece={piece} />)
}

const plain = {
  paragraph_open: 'p',
  bullet_list_open: 'ul',
  list_item_open: 'li',
  blockquote_open: 'blockquote',
  thead_open: 'thead',
  tbody_open: 'tbody',
  tr_open: 'tr',
} as const

const headings = ['h1', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const

function Block({ piece }: { piece: Piece }): ReactNode {
  const { word } = useContentWords()
  const { token, children, level } = piece
  if (token.type === 'inline') return <Inline pieces={children} />
  const inside = <Blocks pieces={children} />
  // a paragraph of a tight list
  if (token.hidden) return inside
  const dir = directionIn(piece)
  switch (token.type) {
    case 'hr':
      return <hr />
    case 'fence':
    case 'code_block':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <pre dir="ltr" tabIndex={0}>
          <code>{token.content.replace(/\n$/, '')}</code>
        </pre>
      )
    case 'heading_open': {
      const Heading = headings[level] ?? 'h6'
      return <Heading dir={dir}>{inside}</Heading>
    }
    case 'ordered_list_open':
      return (
        <ol dir={dir} start={Number(token.attrGet('start') ?? 1)}>
          {inside}
        </ol>
      )
    case 'table_open':
      return (
        <Scrolling label={word('table')} className="wide-table">
          <table dir={dir}>{inside}</table>
        </Scrolling>
      )
    case 'th_open':
      return (
        <th scope="col" dir={dir} className={alignOf(piece)}>
          {inside}
        </th>
      )
    case 'td_open':
      return (
        <td dir={dir} className={alignOf(piece)}>
          {inside}
        </td>
      )
  }
  const Plain = plain[token.type as keyof typeof plain]
  return Plain === undefined ? inside : <Plain dir={dir}>{inside}</Plain>
}

const alignOf = ({ token }: Piece): string | undefined => /text-align:(left|center|right)/.exec(String(token.attrGet('style')))?.[1]

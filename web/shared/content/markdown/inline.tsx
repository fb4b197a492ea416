import type { ReactNode } from 'react'
import { type Piece, textIn } from './pieces.ts'

const maxUrlLength = 2000

/** Returns an address with the scheme http, https or mailto; undefined for any other. */
export function followable(address: unknown): string | undefined {
  const text = String(address ?? '')
  if (text.length > maxUrlLength || !/^(?:https?:\/\/|mailto:)/i.test(text) || !URL.canParse(text)) return undefined
  return new URL(text).href
}

const styles: Readonly<Record<string, 'em' | 'strong' | 's'>> = { em_open: 'em', strong_open: 'strong', s_open: 's' }

/** Inline content. @param isInLink - whether it is inside a link */
export function Inline({ pieces, isInLink = false }: { pieces: readonly Piece[]; isInLink?: boolean }): ReactNode {
  // keyed by index: the pieces of a text are never reordered
  return pieces.map((piece, at) => <InlinePiece key={at} piece={piece} isInLink={isInLink} />)
}

function InlinePiece({ piece, isInLink }: { piece: Piece; isInLink: boolean }): ReactNode {
  const { token, children } = piece
  switch (token.type) {
    case 'text':
      return token.content
    case 'softbreak':
      return '\n'
    case 'hardbreak':
      return <br />
    case 'code_inline':
      return <code dir="ltr">{token.content}</code>
    case 'image':
      return <Picture piece={piece} isInLink={isInLink} />
    case 'link_open':
      return (
        <InlineLink address={token.attrGet('href')}>
          <Inline pieces={children} isInLink />
        </InlineLink>
      )
  }
  const Style = styles[token.type]
  const inside = <Inline pieces={children} isInLink={isInLink} />
  return Style === undefined ? inside : <Style>{inside}</Style>
}

const embeddedPicture = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/i

/** A picture that its address contains. External images are not loaded: a link leads to them. */
function Picture({ piece, isInLink }: { piece: Piece; isInLink: boolean }) {
  const address = piece.token.attrGet('src')
  if (embeddedPicture.test(String(address)))
    return <img src={String(address)} alt={piece.token.content} title={textOf(piece.token.attrGet('title'))} />
  const text = piece.token.content || textIn(piece) || String(address)
  return isInLink ? text : <InlineLink address={address}>{text}</InlineLink>
}

const textOf = (attribute: string | number | null): string | undefined => (attribute === null ? undefined : String(attribute))

function InlineLink({ address, children }: { address: unknown; children: ReactNode }) {
  const href = followable(address)
  if (href === undefined) return <span>{children}</span>
  return (
    <a href={href} rel="noopener noreferrer">
      {children}
    </a>
  )
}

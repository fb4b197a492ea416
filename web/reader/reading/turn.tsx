import { beside, type KnownText, type Outline } from '../contents/outline.ts'
import { PlaceLink } from '../place/place-link.tsx'
import type { PlacedText } from '../service/content-view.ts'
import { useWords } from '../words/words.ts'
import { written } from './writing.ts'

/** What comes before and after, in the same part. */
export function Turn({ node, outline }: { node: PlacedText; outline: Outline }) {
  const { word } = useWords()
  const [before, after] = beside(outline, node.id, node.parent_id)
  if (before === undefined && after === undefined) return null
  return (
    <nav className="turn" aria-label={word('turn')}>
      <Way text={before} kind="previous" />
      <Way text={after} kind="next" />
    </nav>
  )
}

function Way({ text, kind }: { text: KnownText | undefined; kind: 'previous' | 'next' }) {
  const { word } = useWords()
  return text === undefined ? null : (
    <PlaceLink to={text.id} className={kind} rel={kind === 'previous' ? 'prev' : 'next'}>
      <span className="quiet">{word(kind)}</span>
      <span {...written(text)}>{text.title}</span>
    </PlaceLink>
  )
}

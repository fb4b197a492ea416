import { beside, type LoadedText, type Outline } from '../../shared/content/outline/outline.ts'
import type { PlacedText } from '../../shared/content/place/content-view.ts'
import { PlaceLink } from '../../shared/content/place/place-link.tsx'
import { written } from '../../shared/content/text/language-of.ts'
import { useWords } from '../words/words.ts'

/** The previous and next text of the section. */
export function SiblingLinks({ node, outline }: { node: PlacedText; outline: Outline }) {
  const { word } = useWords()
  const [before, after] = beside(outline, node.id, node.parent_id)
  if (before === undefined && after === undefined) return null
  return (
    <nav className="turn" aria-label={word('turn')}>
      <SiblingLink text={before} kind="previous" />
      <SiblingLink text={after} kind="next" />
    </nav>
  )
}

function SiblingLink({ text, kind }: { text: LoadedText | undefined; kind: 'previous' | 'next' }) {
  const { word } = useWords()
  return text === undefined ? null : (
    <PlaceLink to={text.id} className={kind} rel={kind === 'previous' ? 'prev' : 'next'}>
      <span className="quiet">{word(kind)}</span>
      <span {...written(text)}>{text.title}</span>
    </PlaceLink>
  )
}

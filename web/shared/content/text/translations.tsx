import { Fragment } from 'react'
import { childrenOf, type KnownText, type Outline } from '../outline/outline.ts'
import { PlaceLink } from '../place/place-link.tsx'
import { useContentWords } from '../words/words.ts'
import type { PlacedText } from './content-view.ts'
import { languageName, written } from './language-of.ts'

/** Texts that say the same name the same text in `metadata`: the one that was there first. */
export function groupOf({ id, metadata }: KnownText): string {
  const first = metadata?.translation_of
  return typeof first === 'string' ? first : id
}

/** The same text in other languages, where it stands beside them. */
export function Translations({ node, outline }: { node: PlacedText; outline: Outline }) {
  const { word, language } = useContentWords()
  const others = childrenOf(outline, node.parent_id ?? undefined).filter((each) => each.id !== node.id && groupOf(each) === groupOf(node))
  if (others.length === 0) return null
  return (
    <span>
      {word('also-in')}{' '}
      {others.map((each, at) => (
        <Fragment key={each.id}>
          {at > 0 && ', '}
          <PlaceLink to={each.id} hrefLang={each.locale ?? undefined} title={each.title}>
            {each.locale === null ? <span {...written(each)}>{each.title}</span> : languageName(each.locale, language)}
          </PlaceLink>
        </Fragment>
      ))}
    </span>
  )
}

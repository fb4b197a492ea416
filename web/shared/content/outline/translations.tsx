import { Fragment } from 'react'
import type { PlacedText } from '../place/content-view.ts'
import { PlaceLink } from '../place/place-link.tsx'
import { languageName, written } from '../text/language-of.ts'
import { useContentWords } from '../words/words.ts'
import { childrenOf, type LoadedText, type Outline } from './outline.ts'

/** Translations share an id in `metadata`: that of the original. */
export function groupOf({ id, metadata }: LoadedText): string {
  const first = metadata?.translation_of
  return typeof first === 'string' ? first : id
}

/** Links to translations of a text among its siblings. */
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

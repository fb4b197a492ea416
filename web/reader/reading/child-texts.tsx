import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { childrenOf } from '../../shared/content/outline/outline.ts'
import type { Magazine } from '../../shared/content/outline/use-magazine.ts'
import { PlaceLink } from '../../shared/content/place/place-link.tsx'
import { written } from '../../shared/content/text/language-of.ts'
import { useWords } from '../words/words.ts'

/** The loaded texts below this one. */
export function ChildTexts({ id, magazine }: { id: string; magazine: Magazine }) {
  const { word, language } = useWords()
  const [wanted, setWanted] = useState<string>()
  const children = childrenOf(magazine.outline, id)
  if (children.length === 0) return null
  const isMore = magazine.outline.branches.get(id)?.next !== undefined
  return (
    <section className="inside" aria-labelledby="inside">
      <h2 id="inside">{word('inside')}</h2>
      <ol className="cards">
        {children.map((child) => (
          <li key={child.id} className="card" {...written(child)}>
            <h3>
              <PlaceLink to={child.id} {...(child.id === wanted && { place: focus })}>
                {child.title}
              </PlaceLink>
            </h3>
            {child.summary != null && child.summary !== '' && <p dir="auto">{child.summary}</p>}
            {child.children_count !== undefined && child.children_count > 0 && (
              <p className="quiet" lang={language} dir={language === 'ar' ? 'rtl' : 'ltr'}>
                {word('inside.count', { count: child.children_count })}
              </p>
            )}
          </li>
        ))}
      </ol>
      {isMore && (
        <p>
          <Button onPress={() => void magazine.more(id).then(setWanted)}>{word('more')}</Button>
        </p>
      )}
    </section>
  )
}

/** Must be a stable function, so that the focus is set once. */
const focus = (link: HTMLAnchorElement | null): void => link?.focus()

import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { PlaceLink } from '../place/place-link.tsx'
import { written } from '../text/language-of.ts'
import { useContentWords } from '../words/words.ts'
import { shownIn } from './outline.ts'
import type { Magazine } from './use-magazine.ts'

export interface LineProps {
  readonly id: string
  readonly magazine: Magazine
  /** id of the displayed text */
  readonly here: string | undefined
  /** takes the focus on mount */
  readonly isWanted?: boolean
}

/** A text in the contents and, when open, the texts below it. */
export function Line({ id, magazine, here, isWanted = false }: LineProps) {
  const { word } = useContentWords()
  const [wanted, setWanted] = useState<string>()
  const branch = magazine.outline.branches.get(id)
  if (branch === undefined) return null
  const { text, isOpen, next } = branch
  const isLeaf = text.children_count === 0
  const isShown = isOpen && !isLeaf
  return (
    <li data-node={id} className={isLeaf ? 'leaf' : undefined}>
      <div className="line">
        {!isLeaf && (
          <button
            type="button"
            className="toggle"
            aria-expanded={isShown}
            aria-label={word(isShown ? 'contents.close' : 'contents.open', { title: text.title })}
            onClick={() => magazine.toggle(id)}
          >
            <span aria-hidden="true" />
          </button>
        )}
        <PlaceLink to={id} {...written(text)} aria-current={id === here ? 'page' : undefined} {...(isWanted && { place: focus })}>
          {text.title}
        </PlaceLink>
      </div>
      {isShown && (
        <ul>
          {shownIn(branch).map((child) => (
            <Line key={child} id={child} magazine={magazine} here={here} isWanted={child === wanted} />
          ))}
          {next !== undefined && (
            <li className="rest">
              <Button onPress={() => void magazine.more(id).then(setWanted)}>{word('more')}</Button>
            </li>
          )}
        </ul>
      )}
    </li>
  )
}

/** Must be a stable function, so that the focus is set once. */
const focus = (link: HTMLAnchorElement | null): void => link?.focus()

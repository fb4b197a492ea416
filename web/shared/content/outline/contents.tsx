import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useContentWords } from '../words/words.ts'
import { followArrows } from './arrow-keys.ts'
import './contents.css'
import { Line } from './line.tsx'
import type { Magazine } from './use-magazine.ts'

const narrow = matchMedia('(max-width: 60rem)')

export interface ContentsProps {
  readonly magazine: Magazine
  /** id of the displayed text */
  readonly here: string | undefined
  /** content below the tree */
  readonly children?: ReactNode
}

/** The contents at the side, collapsed on narrow screens: a tree whose branches load when opened. */
export function Contents({ magazine, here, children }: ContentsProps) {
  const { word } = useContentWords()
  const { outline, toggle } = magazine
  const [isOpen, setOpen] = useState(!narrow.matches)
  useEffect(() => {
    const follow = (): void => setOpen(!narrow.matches)
    narrow.addEventListener('change', follow)
    return () => narrow.removeEventListener('change', follow)
  }, [])
  useEffect(() => {
    // selecting a text closes the collapsed contents
    if (here !== undefined && narrow.matches) setOpen(false)
  }, [here])
  const tree = useRef<HTMLElement>(null)
  useEffect(() => {
    const place = tree.current
    if (place === null) return
    const follow = (event: KeyboardEvent): void => followArrows(event, place, toggle)
    place.addEventListener('keydown', follow)
    return () => place.removeEventListener('keydown', follow)
  }, [toggle])
  return (
    <details className="contents" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <h2>{word('contents')}</h2>
      </summary>
      <nav aria-label={word('contents')} ref={tree}>
        {outline.top !== undefined && (
          <ul>
            <Line id={outline.top} magazine={magazine} here={here} />
          </ul>
        )}
      </nav>
      {children}
    </details>
  )
}

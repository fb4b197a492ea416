import { Link } from 'wouter'
import { useMedia } from '../../shared/frame/page-hooks.ts'
import { useWords, type Word } from '../words/words.ts'
import { LinkMenu } from './link-menu.tsx'

export interface Section {
  /** number of entries that wait, what they are, and the list of them; shown when there are any */
  readonly waiting?: { readonly count: number; readonly about: string; readonly path: string } | undefined
  readonly path: string
  readonly word: Word
}

export interface SectionsProps {
  readonly sections: readonly Section[]
  /** the current section */
  readonly here: Section | undefined
}

/** The sections of the console side by side, or in a menu named after the current one where they do not fit on one line. */
export function Sections({ sections, here }: SectionsProps) {
  const { word, number } = useWords()
  const isNarrow = useMedia(sections.length > 4 ? '(max-width: 48rem)' : '(max-width: 30rem)')
  const links = (
    <ul>
      {sections.map((section) => (
        <li key={section.path}>
          <Link href={section.path} aria-current={section.path === here?.path ? 'page' : undefined}>
            {word(section.word)}
          </Link>
          {section.waiting !== undefined && section.waiting.count > 0 && (
            <Link
              href={section.waiting.path}
              className="count"
              title={section.waiting.about}
              aria-label={`${number(section.waiting.count)} ${section.waiting.about}`}
            >
              {number(section.waiting.count)}
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
  return (
    <nav className="wide sections" aria-label={word('sections')}>
      {isNarrow && sections.length > 2 ? <LinkMenu title={word(here?.word ?? 'sections')}>{links}</LinkMenu> : links}
    </nav>
  )
}

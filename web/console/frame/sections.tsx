import { Button, MenuTrigger } from 'react-aria-components'
import { Link, useLocation } from 'wouter'
import { Menu } from '../../components/menu.tsx'
import { useMedia } from '../../shared/frame/use-media.ts'
import { useWords, type Word } from '../words/words.ts'

export interface Section {
  readonly path: string
  readonly word: Word
}

/** so many fit on one line of a phone, in the longest language */
const mostInLine = 3

export interface SectionsProps {
  readonly sections: readonly Section[]
  /** the one that is open */
  readonly here: Section | undefined
}

/** The parts of the console, side by side; on a phone, where they would fill half the screen, in a menu whose button says which one is open. */
export function Sections({ sections, here }: SectionsProps) {
  const { word } = useWords()
  const isNarrow = useMedia('(max-width: 48rem)')
  return (
    <nav className="wide sections" aria-label={word('sections')}>
      {isNarrow && sections.length > mostInLine ? (
        <SectionsMenu sections={sections} here={here} />
      ) : (
        <ul>
          {sections.map((section) => (
            <li key={section.path}>
              <Link href={section.path} aria-current={section === here ? 'page' : undefined}>
                {word(section.word)}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </nav>
  )
}

function SectionsMenu({ sections, here }: SectionsProps) {
  const { word } = useWords()
  const [, go] = useLocation()
  return (
    <MenuTrigger>
      <Button className="sections-menu">
        <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
          <path d="M3 6h18M3 12h18M3 18h18" fill="none" stroke="currentColor" strokeWidth="2" />
        </svg>
        {word((here ?? sections[0])?.word ?? 'sections')}
        <span aria-hidden="true">▾</span>
      </Button>
      <Menu
        label={word('sections')}
        items={sections.map((section) => ({ id: section.path, text: word(section.word) }))}
        selected={here?.path ?? ''}
        onSelect={go}
      />
    </MenuTrigger>
  )
}

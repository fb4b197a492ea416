import type { ReactNode } from 'react'
import { useSharedWords } from '../words/dictionary.ts'
import { Appearance } from './appearance.tsx'
import { focusContent } from './focus-content.ts'
import { Languages } from './languages.tsx'

export interface BandProps {
  /** where the platform's name leads */
  readonly home?: string
  /** links beside the name, and what their list is called */
  readonly links?: { readonly label: string; readonly items: readonly { readonly href: string; readonly text: string }[] }
  /** who is signed in */
  readonly who?: ReactNode
  /** a row of its own: the parts of the page */
  readonly below?: ReactNode
}

/** The band at the top of every page, which begins with a way past it: to `<main id="content" tabIndex={-1}>`. */
export function Band({ home = '/', links, who, below }: BandProps) {
  const { word } = useSharedWords()
  return (
    <>
      {/* a button: in a page whose address names its view, a link could not name a place in it */}
      <button type="button" className="skip" onClick={focusContent}>
        {word('skip')}
      </button>
      <header className="band">
        <div className="wide">
          <a className="wordmark" href={home}>
            <img src="/pages/emblem.svg" alt="" width="36" height="36" />
            Civigraph
          </a>
          {links !== undefined && (
            <nav aria-label={links.label}>
              <ul>
                {links.items.map(({ href, text }) => (
                  <li key={href}>
                    <a href={href}>{text}</a>
                  </li>
                ))}
              </ul>
            </nav>
          )}
          <Languages />
          <Appearance />
          {who}
        </div>
        {below}
      </header>
    </>
  )
}

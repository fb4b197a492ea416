import type { ReactNode } from 'react'
import { useSharedWords } from '../words/language.tsx'
import { Appearance } from './appearance.tsx'
import { Languages } from './languages.tsx'
import { focusContent } from './page-document.ts'

export interface PageHeaderProps {
  /** target of the platform's name */
  readonly home?: string
  /** links beside the name, with the label of their list */
  readonly links?: { readonly label: string; readonly items: readonly { readonly href: string; readonly text: string }[] }
  /** the signed-in user */
  readonly who?: ReactNode
  /** a second row: the sections of the page */
  readonly below?: ReactNode
}

/** The header of every page, with a skip link to `<main id="content" tabIndex={-1}>`. */
export function PageHeader({ home = '/', links, who, below }: PageHeaderProps) {
  const { word } = useSharedWords()
  return (
    <>
      {/* a button: on pages that use the fragment for their view, a link cannot address an element */}
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

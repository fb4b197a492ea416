import type { ReactNode } from 'react'
import { Markdown } from '../markdown/markdown.tsx'
import { useContentPlace } from '../place/content-place.ts'
import { Heading } from '../place/heading.tsx'
import type { ContentText } from './content-view.ts'
import { written } from './language-of.ts'
import './shown-text.css'

export interface ShownTextProps {
  readonly text: Pick<ContentText, 'title' | 'summary' | 'body' | 'locale'>
  /** levels of its title below that of a text that is shown by itself */
  readonly below: number
  /** what stands between what it is about and what it says */
  readonly children?: ReactNode
}

/** A text as it is read. */
export function ShownText({ text, below, children }: ShownTextProps) {
  const { level } = useContentPlace()
  const { title, summary, body } = text
  return (
    <article {...written(text)}>
      {title !== '' && (
        <Heading below={below} dir="auto" {...(below === 0 && { tabIndex: -1 })}>
          {title}
        </Heading>
      )}
      {summary !== null && summary !== '' && (
        <p className="lede" dir="auto">
          {summary}
        </p>
      )}
      {children}
      <div className="text">
        <Markdown text={body ?? ''} level={level + below} />
      </div>
    </article>
  )
}

import type { ReactNode } from 'react'
import { Markdown } from '../markdown/markdown.tsx'
import { useContentPlace } from '../place/content-place.ts'
import type { ContentText } from '../place/content-view.ts'
import { Heading } from '../place/heading.tsx'
import { written } from './language-of.ts'
import './shown-text.css'

export interface ShownTextProps {
  readonly text: Pick<ContentText, 'title' | 'summary' | 'body' | 'locale'>
  /** levels of its title below that of a text shown alone */
  readonly below: number
  /** content between summary and body */
  readonly children?: ReactNode
}

/** A displayed text. */
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

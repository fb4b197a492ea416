import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Markdown } from '../../shared/content/markdown/markdown.tsx'
import type { PlacedText } from '../../shared/content/place/content-view.ts'
import '../../shared/content/text/shown-text.css'
import { dayText, languageName, written } from '../../shared/content/text/language-of.ts'
import { useWords } from '../words/words.ts'
import { MediaList } from './media-list.tsx'
import { positionIn } from './positions.ts'
import { scrollToPosition, usePosition } from './use-position.ts'

export interface ArticleProps {
  readonly node: PlacedText
  /** content below the title */
  readonly children?: ReactNode
}

/** One text: title and body. */
export function Article({ node, children }: ArticleProps) {
  const { word, language } = useWords()
  const { title, summary, body, locale, media, updated_at } = node
  const text = useRef<HTMLDivElement>(null)
  const here = { lang: language, dir: language === 'ar' ? 'rtl' : 'ltr' }
  usePosition(node, text)
  useEffect(() => {
    if (history.state?.goOn === true) scrollToPosition(node, text.current)
    // once per text
  }, [node.id])
  return (
    <article {...written(node)}>
      <h1 tabIndex={-1} dir="auto">
        {title}
      </h1>
      {summary !== null && summary !== '' && (
        <p className="lede" dir="auto">
          {summary}
        </p>
      )}
      <p className="quiet about" {...here}>
        <time dateTime={updated_at}>{word('updated', { day: dayText(updated_at, language) })}</time>
        {locale !== null && locale.split('-')[0] !== language && <span className="mark">{languageName(locale, language)}</span>}
        {children}
      </p>
      <GoOnHere key={node.id} node={node} onGo={() => scrollToPosition(node, text.current)} />
      {body !== null && body !== '' && (
        <div className="text" ref={text}>
          <Markdown text={body} level={1} />
        </div>
      )}
      {media.length > 0 && <MediaList media={media} />}
    </article>
  )
}

/** A link to the stored reading position. */
function GoOnHere({ node, onGo }: { node: PlacedText; onGo: () => void }) {
  const { word, percent, language } = useWords()
  const [position] = useState(() => positionIn(node.tenant_id, node.id))
  if (position === undefined) return null
  const share = percent(position.share)
  return (
    <p lang={language}>
      <Button onPress={onGo}>{word('go-on.here', { share })}</Button>
    </p>
  )
}

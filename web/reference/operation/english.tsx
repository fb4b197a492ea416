import { Markdown } from '../../shared/content/markdown/markdown.tsx'

/** A text of the document, always in English. @param level - of the heading above */
export function English({ text, level }: { text: string | undefined; level: number }) {
  if (text === undefined || text === '') return null
  return (
    <div className="said" lang="en" dir="ltr">
      <Markdown text={text} level={level} />
    </div>
  )
}

/** Inline text of the document with code. */
export function EnglishLine({ text }: { text: string }) {
  return (
    <span lang="en" dir="ltr">
      {text.split(/`([^`]+)`/).map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>))}
    </span>
  )
}

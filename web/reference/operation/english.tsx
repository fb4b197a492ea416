import { Markdown } from '../../shared/content/markdown/markdown.tsx'

/** What the document says, which is in English whatever the page speaks. @param level - of the heading above it */
export function English({ text, level }: { text: string | undefined; level: number }) {
  if (text === undefined || text === '') return null
  return (
    <div className="said" lang="en" dir="ltr">
      <Markdown text={text} level={level} />
    </div>
  )
}

/** The same within a line, in which only code is set apart. */
export function EnglishLine({ text }: { text: string }) {
  return (
    <span lang="en" dir="ltr">
      {text.split(/`([^`]+)`/).map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>))}
    </span>
  )
}

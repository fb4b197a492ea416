import type { ReactNode } from 'react'

/** The text of a model card, with emphasis and code. Its title is already shown above. Cards are in English. */
export function CardText({ markdown }: { markdown: string }) {
  return (
    <div lang="en" dir="ltr">
      {paragraphsOf(markdown).map((text) => (
        <p key={text}>{marked(text)}</p>
      ))}
    </div>
  )
}

/** A line that begins with emphasis begins a paragraph. */
function paragraphsOf(markdown: string): readonly string[] {
  const paragraphs: string[] = []
  for (const line of markdown.split('\n').map((each) => each.trim())) {
    if (line === '' || line.startsWith('# ')) continue
    if (line.startsWith('**') || paragraphs.length === 0) paragraphs.push(line)
    else paragraphs[paragraphs.length - 1] += ` ${line}`
  }
  return paragraphs
}

const marks = /(\*\*[^*]+\*\*|`[^`]+`)/

function marked(text: string): readonly ReactNode[] {
  return text.split(marks).map((part, at) => {
    const key = `${at} ${part}`
    if (part.startsWith('**')) return <strong key={key}>{part.slice(2, -2)}</strong>
    if (part.startsWith('`')) return <code key={key}>{part.slice(1, -1)}</code>
    return part
  })
}

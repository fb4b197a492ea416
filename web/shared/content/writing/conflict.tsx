import { useEffect, useRef } from 'react'
import { Button } from '../../../components/button.tsx'
import { Heading } from '../place/heading.tsx'
import { useContentWords } from '../words/words.ts'
import { type FieldName, fieldNames, type TextFields } from './text-fields.ts'

export interface ConflictProps {
  readonly theirs: TextFields
  readonly mine: TextFields
  readonly onTake: (name: FieldName) => void
}

/** The fields that another user changed meanwhile, beside the user's own. */
export function Conflict({ theirs, mine, onTake }: ConflictProps) {
  const { word } = useContentWords()
  const place = useRef<HTMLDivElement>(null)
  // the notice is above the form
  useEffect(() => place.current?.focus(), [theirs])
  const differing = fieldNames.filter((name) => theirs[name] !== mine[name])
  return (
    <div className="notice bad" role="alert" ref={place} tabIndex={-1}>
      <Heading below={1}>{word('conflict.title')}</Heading>
      <p>{word('conflict.about')}</p>
      {differing.map((name) => (
        <details key={name} open>
          <summary>{word('conflict.theirs', { field: word(`field.${name}`) })}</summary>
          <pre dir="auto">{theirs[name] || word('conflict.empty')}</pre>
          <Button onPress={() => onTake(name)}>{word('conflict.take')}</Button>
        </details>
      ))}
    </div>
  )
}

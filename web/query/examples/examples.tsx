/** @jsxImportSource preact */
import { useRef } from 'preact/hooks'
import type { QueryDocument } from '../documents/documents.ts'
import { useWords } from '../words/words.tsx'
import examples from './examples.json' with { type: 'json' }

interface Example {
  readonly query: string
  readonly variables?: object
}

/** An example operation of each component, in a menu. */
export function Examples({ onOpen }: { readonly onOpen: (example: Omit<QueryDocument, 'id'>) => void }) {
  const { word } = useWords()
  const place = useRef<HTMLDetailsElement>(null)
  const open = ({ query, variables }: Example): void => {
    close()
    onOpen({ query, variables: variables === undefined ? '' : JSON.stringify(variables, undefined, 2) })
  }
  const close = (): void => {
    if (place.current !== null) place.current.open = false
  }
  const leave = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return
    close()
    place.current?.querySelector('summary')?.focus()
  }
  return (
    <details
      class="examples"
      ref={place}
      onKeyDown={leave}
      onFocusOut={({ relatedTarget }) => relatedTarget instanceof Node && !place.current?.contains(relatedTarget) && close()}
    >
      <summary>{word('examples')}</summary>
      <ul>
        {(Object.entries(examples) as [keyof typeof examples, Example][]).map(([name, example]) => (
          <li key={name}>
            <button type="button" onClick={() => open(example)}>
              {word(`example.${name}`)}
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** @jsxImportSource preact */
import { type GraphQLSchema, isInputObjectType, isInterfaceType, isObjectType } from 'graphql'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Problem } from '../words/problem.ts'
import { useWords } from '../words/words.tsx'
import { type Place, searchSchema } from './search-schema.ts'
import { Roots, ShownField, ShownType } from './shown-place.tsx'

interface DocsProps {
  readonly schema: GraphQLSchema | undefined
  readonly problem: Problem | undefined
  /** path to the displayed place, which is its last entry; empty: the start */
  readonly path: readonly Place[]
  readonly onPathChange: (path: readonly Place[]) => void
  readonly onReload: () => void
  readonly onClose: () => void
}

const maxFound = 60

/** The documentation of the schema: types and fields with links between them, and a search. */
export function Docs({ schema, problem, path, onPathChange, onReload, onClose }: DocsProps) {
  const { word } = useWords()
  const [words, setWords] = useState('')
  const heading = useRef<HTMLHeadingElement>(null)
  const place = path.at(-1)
  const type = place === undefined ? undefined : schema?.getType(place.type)
  const fields = isObjectType(type) || isInterfaceType(type) || isInputObjectType(type) ? type.getFields() : undefined
  const field = place?.field === undefined ? undefined : fields?.[place.field]
  const hits = schema === undefined ? [] : searchSchema(schema, words, maxFound)

  // after following a link the focus moves to its target
  useEffect(() => heading.current?.focus(), [path])

  const go = (to: Place): void => {
    setWords('')
    onPathChange([...path, to])
  }
  // the first Escape leaves the search
  const leave = ({ key }: KeyboardEvent): void => {
    if (key !== 'Escape') return
    if (words === '') onClose()
    else setWords('')
  }
  return (
    <aside class="docs" aria-label={word('docs')} onKeyDown={leave}>
      <div class="row">
        {path.length > 0 && (
          <button type="button" class="button plain small" onClick={() => onPathChange(path.slice(0, -1))}>
            {word('docs.back')}
          </button>
        )}
        <button type="button" class="button plain small" onClick={onReload}>
          {word('docs.read-again')}
        </button>
        <button type="button" class="button plain small" onClick={onClose}>
          {word('close')}
        </button>
      </div>
      {problem !== undefined && (
        <div class="notice bad" role="alert">
          <p>{word(problem.key, problem.values)}</p>
        </div>
      )}
      {schema === undefined && problem === undefined && <p role="status">{word('loading')}</p>}
      {schema !== undefined && (
        <search>
          <label for="docs-search">{word('docs.search')}</label>
          <input
            id="docs-search"
            type="search"
            autocomplete="off"
            spellcheck={false}
            dir="ltr"
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
          <p role="status" class="quiet">
            {words.trim() !== '' && word('docs.found', { count: hits.length })}
          </p>
        </search>
      )}
      {hits.length > 0 && (
        <ul class="things" dir="ltr">
          {hits.map((hit) => (
            <li key={`${hit.type}.${hit.field}`}>
              <button type="button" class="link" onClick={() => go(hit)}>
                <code>{hit.field === undefined ? hit.type : `${hit.type}.${hit.field}`}</code>
              </button>
            </li>
          ))}
        </ul>
      )}
      {words.trim() === '' && (
        <div class="place">
          <h2 ref={heading} tabIndex={-1}>
            {place === undefined ? word('docs') : <bdi>{field === undefined ? place.type : `${place.type}.${field.name}`}</bdi>}
          </h2>
          {field !== undefined && <ShownField field={field} onGo={go} />}
          {schema !== undefined && field === undefined && type !== undefined && <ShownType schema={schema} type={type} onGo={go} />}
          {schema !== undefined && type === undefined && <Roots schema={schema} onGo={go} />}
        </div>
      )}
    </aside>
  )
}

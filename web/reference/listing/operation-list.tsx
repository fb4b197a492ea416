import { useEffect, useMemo, useState } from 'react'
import { Field } from '../../components/field.tsx'
import { English, useDocument } from '../interface/document.tsx'
import { groupsOf, isFound } from '../interface/operations.ts'
import { decoded, encoded } from '../interface/references.ts'
import { useWords } from '../words/words.ts'
import { elementIdOf, OperationItem } from './operation-item.tsx'
import { useOpened } from './use-opened.ts'

/** The operations by tag, with a search. */
export function OperationList() {
  const { word } = useWords()
  const document = useDocument()
  const groups = useMemo(() => groupsOf(document), [document])
  const [words, setWords] = useState('')
  const { places, arrival, toggle } = useOpened()
  const query = words.trim()
  const matches = groups.flatMap(({ operations }) => operations.filter((each) => isFound(each, query)))

  const listed = groups.flatMap(({ tag, operations }) => [encoded(tag), ...operations.map(({ place }) => place)])
  const missed = arrival.place !== undefined && !listed.includes(arrival.place) ? decoded(arrival.place) : undefined

  useEffect(() => {
    if (arrival.place === undefined) return
    setWords('')
    goTo(elementIdOf(arrival.place))
  }, [arrival])

  return (
    <>
      <search className="seek">
        <Field label={word('search')} type="search" value={words} onChange={setWords} autoComplete="off" />
        <p role="status" className="quiet">
          {query !== '' ? word('found', { count: matches.length }) : missed !== undefined && word('not-here', { name: missed })}
        </p>
      </search>
      {groups.map(({ tag, description, operations }) => {
        const id = elementIdOf(encoded(tag))
        return (
          <section key={tag} className="group" aria-labelledby={id} hidden={!operations.some((each) => matches.includes(each))}>
            <h2 id={id} tabIndex={-1}>
              <bdi lang="en">{tag}</bdi>
            </h2>
            <English text={description} level={2} />
            <ul className="operations">
              {operations.map((operation) => (
                <OperationItem
                  key={operation.place}
                  operation={operation}
                  isOpen={places.includes(operation.place)}
                  isHidden={!matches.includes(operation)}
                  onToggle={() => toggle(operation.place)}
                />
              ))}
            </ul>
          </section>
        )
      })}
    </>
  )
}

function goTo(id: string): void {
  const element = document.getElementById(id)
  element?.scrollIntoView({ behavior: 'instant', block: 'start' })
  element?.focus({ preventScroll: true })
}

import { PreviewTaxonomyDraftDocument, TaxonomyPreviewDocument } from '@civigraph/client/documents'
import { type ReactNode, useState } from 'react'
import { useMutation, useQuery } from 'urql'
import { Button } from '../../components/button.tsx'
import { Scrolling } from '../../components/keyboard.tsx'
import { Problem } from '../../components/problem.tsx'
import { useRepeated } from '../../shared/frame/page-hooks.ts'
import { type Draft, useNames, useTaxonomyWords } from './use-draft.ts'

const pollMs = 1000
const rowsOfPage = 50

/** What the draft would change among the latest expressions. */
export function Preview({ draft }: { draft: Draft }) {
  const { word, number, percent } = useTaxonomyWords()
  const nameOf = useNames(draft)
  const [{ data, error }, reload] = useQuery({ query: TaxonomyPreviewDocument, requestPolicy: 'network-only' })
  const [request, preview] = useMutation(PreviewTaxonomyDraftDocument)
  // the preview of a draft that was published or discarded says nothing about the next one
  const made = draft.differences.length === 0 ? undefined : data?.taxonomyDraft?.preview
  const isOpen = made?.state === 'WAITING' || made?.state === 'RUNNING'
  useRepeated(pollMs, () => reload({ requestPolicy: 'network-only' }), isOpen)
  const begin = async (): Promise<void> => {
    await preview({ input: { revision: draft.revision } })
    reload({ requestPolicy: 'network-only' })
  }
  return (
    <section aria-labelledby="preview">
      <h2 id="preview">{word('taxonomy.preview')}</h2>
      <p>{word('taxonomy.preview-help')}</p>
      <Problem error={error ?? request.error} />
      <p>
        <Button isPending={isOpen || request.fetching} isDisabled={draft.differences.length === 0} onPress={() => void begin()}>
          {word('taxonomy.make-preview')}
        </Button>
      </p>
      <p role="status">
        {isOpen && word('taxonomy.previewing', { count: made.examined })}
        {made?.state === 'FAILED' && made.problem}
        {made?.state === 'DONE' && word('taxonomy.previewed', { examined: made.examined, changed: made.changed })}{' '}
        {made?.state === 'DONE' && made.revision !== draft.revision && word('taxonomy.preview-stale')}
      </p>
      {made?.state === 'DONE' && (
        <>
          {made.accuracy != null && (
            <p>
              {word('taxonomy.accuracy', {
                count: made.accuracy.corrections,
                before: percent(made.accuracy.before, 1),
                after: percent(made.accuracy.after, 1),
              })}{' '}
              {made.accuracy.examples > 0 && word('taxonomy.accuracy-examples', { count: made.accuracy.examples })}
            </p>
          )}
          {made.accuracy != null && (
            <LongTable
              caption={word('taxonomy.confusions')}
              heads={[word('taxonomy.chosen'), word('taxonomy.found'), word('taxonomy.before'), word('taxonomy.after')]}
              rows={made.accuracy.confusions}
              keyOf={({ truth, predicted }) => `${truth} ${predicted}`}
              cellsOf={({ truth, predicted, before, after }) => [nameOf(truth), nameOf(predicted), number(before), number(after)]}
            />
          )}
          <LongTable
            caption={word('taxonomy.flows')}
            heads={[word('taxonomy.from'), word('taxonomy.to'), word('taxonomy.count')]}
            rows={made.flows}
            keyOf={({ from, to }) => `${from} ${to}`}
            cellsOf={({ from, to, count }) => [nameOf(from), nameOf(to), number(count)]}
          />
          {made.examples.length > 0 && (
            <Scrolling label={word('taxonomy.preview-examples')} className="stacked">
              <table className="findings">
                <caption>{word('taxonomy.preview-examples')}</caption>
                <thead>
                  <tr>
                    <th scope="col">{word('taxonomy.text')}</th>
                    <th scope="col">{word('taxonomy.from')}</th>
                    <th scope="col">{word('taxonomy.to')}</th>
                  </tr>
                </thead>
                <tbody>
                  {made.examples.flatMap(({ expression, from, to }) =>
                    expression == null
                      ? []
                      : [
                          <tr key={expression.id}>
                            <td data-label={word('taxonomy.text')}>
                              <div dir="auto" lang={expression.lang?.code}>
                                {expression.text}
                              </div>
                            </td>
                            <td data-label={word('taxonomy.from')}>{nameOf(from)}</td>
                            <td data-label={word('taxonomy.to')}>{nameOf(to)}</td>
                          </tr>,
                        ],
                  )}
                </tbody>
              </table>
            </Scrolling>
          )}
        </>
      )}
    </section>
  )
}

interface LongTableProps<Row> {
  readonly caption: string
  readonly heads: readonly string[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly cellsOf: (row: Row) => readonly ReactNode[]
}

/** A table of counts whose further rows a button shows, a page at a time; nothing without rows. */
function LongTable<Row>({ caption, heads, rows, keyOf, cellsOf }: LongTableProps<Row>) {
  const { word } = useTaxonomyWords()
  const [shown, setShown] = useState(rowsOfPage)
  if (rows.length === 0) return null
  return (
    <>
      <Scrolling label={caption} className="stacked">
        <table className="findings">
          <caption>{caption}</caption>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row) => (
              <tr key={keyOf(row)}>
                {cellsOf(row).map((cell, index) => (
                  <td key={heads[index]} data-label={heads[index]}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
      {rows.length > shown && (
        <p>
          <Button onPress={() => setShown(shown + rowsOfPage)}>{word('taxonomy.more-rows', { count: rows.length - shown })}</Button>
        </p>
      )}
    </>
  )
}

import { PreviewTaxonomyDraftDocument, TaxonomyPreviewDocument } from '@civigraph/client/documents'
import { useEffect } from 'react'
import { useMutation, useQuery } from 'urql'
import { Button } from '../../components/button.tsx'
import { Scrolling } from '../../components/keyboard.tsx'
import { Problem } from '../../components/problem.tsx'
import { type Draft, useNames, useTaxonomyWords } from './use-draft.ts'

const pollMs = 1000

/** What the draft would change among the latest expressions. */
export function Preview({ draft }: { draft: Draft }) {
  const { word, number } = useTaxonomyWords()
  const nameOf = useNames(draft.domains)
  const [{ data, error }, reload] = useQuery({ query: TaxonomyPreviewDocument, requestPolicy: 'network-only' })
  const [request, preview] = useMutation(PreviewTaxonomyDraftDocument)
  const made = data?.taxonomyDraft?.preview
  const isOpen = made?.state === 'WAITING' || made?.state === 'RUNNING'
  useEffect(() => {
    if (!isOpen) return
    const timer = setInterval(() => reload({ requestPolicy: 'network-only' }), pollMs)
    return () => clearInterval(timer)
  }, [isOpen, reload])
  const begin = async (): Promise<void> => {
    await preview({ input: { revision: draft.revision } })
    reload({ requestPolicy: 'network-only' })
  }
  const percent = (share: number): string => `${number(Math.round(share * 1000) / 10)} %`
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
                before: percent(made.accuracy.before),
                after: percent(made.accuracy.after),
              })}
            </p>
          )}
          {made.flows.length > 0 && (
            <Scrolling label={word('taxonomy.flows')}>
              <table className="findings">
                <caption>{word('taxonomy.flows')}</caption>
                <thead>
                  <tr>
                    <th scope="col">{word('taxonomy.from')}</th>
                    <th scope="col">{word('taxonomy.to')}</th>
                    <th scope="col">{word('taxonomy.count')}</th>
                  </tr>
                </thead>
                <tbody>
                  {made.flows.slice(0, 50).map(({ from, to, count }) => (
                    <tr key={`${from} ${to}`}>
                      <td>{nameOf(from)}</td>
                      <td>{nameOf(to)}</td>
                      <td>{number(count)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scrolling>
          )}
          {made.examples.length > 0 && (
            <Scrolling label={word('taxonomy.preview-examples')}>
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
                            <td dir="auto" lang={expression.lang?.code}>
                              {expression.text}
                            </td>
                            <td>{nameOf(from)}</td>
                            <td>{nameOf(to)}</td>
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

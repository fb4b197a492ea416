import { FindExpressionDocument, SearchExpressionsDocument } from '@civigraph/client/documents'
import { useState } from 'react'
import { useQuery } from 'urql'
import { ListState } from '../../components/list-state.tsx'
import { type Expression, ExpressionDialog } from '../expressions/expression-dialog.tsx'
import { useWords } from '../words/words.ts'
import { isForVerifications, type SearchFilter } from './search-filter.ts'
import { useSearchWords } from './search-words/words.ts'

const shown = 10
/** an id has no blanks; words of a text may look like one */
const mayBeId = (text: string): boolean => /^[\w:.~-]{8,200}$/.test(text)

/** The expressions that contain the words, and the one whose id the text is; each opens in place. */
export function FoundExpressions({ text, filter }: { text: string; filter: SearchFilter }) {
  const { word, date } = useWords()
  const { word: searchWord } = useSearchWords()
  const days = { ...(filter.from !== '' && { from: filter.from }), ...(filter.to !== '' && { to: filter.to }) }
  const isPaused = isForVerifications(filter)
  const [{ data, error, fetching }, reload] = useQuery({
    query: SearchExpressionsDocument,
    variables: { input: { text, mode: 'TEXT' as const, filter: days }, first: shown },
    requestPolicy: 'network-only',
    pause: isPaused,
  })
  const [one] = useQuery({ query: FindExpressionDocument, variables: { id: text }, pause: isPaused || !mayBeId(text) })
  const [chosen, choose] = useState<Expression>()
  const [gone, setGone] = useState<readonly string[]>([])
  const exact = one.data?.expression
  const found = [...(exact == null ? [] : [exact]), ...(data?.searchExpressions?.nodes ?? []).filter(({ id }) => id !== exact?.id)]
  const listed = isPaused ? [] : found.filter(({ id }) => !gone.includes(id))
  const close = (withdrawn: readonly string[] = []): void => {
    choose(undefined)
    setGone([...gone, ...withdrawn])
    reload({ requestPolicy: 'network-only' })
  }
  return (
    <section aria-labelledby="expressions">
      <h2 id="expressions">{word('expressions.title')}</h2>
      {isPaused ? (
        <p>{searchWord('search.only-verifications')}</p>
      ) : (
        <ListState
          isLoading={fetching}
          isEmpty={listed.length === 0}
          problem={error}
          empty={word('expressions.empty')}
          onRetry={() => reload({ requestPolicy: 'network-only' })}
        />
      )}
      <ul className="lines">
        {listed.map((expression) => (
          <li key={expression.id}>
            <button type="button" className="said" dir="auto" lang={expression.lang?.code} onClick={() => choose(expression)}>
              {expression.text}
            </button>
            <span className="quiet">{date(expression.createdAt)}</span>
          </li>
        ))}
      </ul>
      {chosen !== undefined && (
        <ExpressionDialog
          key={chosen.id}
          expression={chosen}
          isWithdrawn={false}
          onClose={() => choose(undefined)}
          onCorrected={() => close()}
          onWithdrawn={() => close([chosen.id])}
        />
      )}
    </section>
  )
}

import {
  DomainsDocument,
  ExpressionAddedDocument,
  ExpressionsDocument,
  type ExpressionsQuery,
  SearchExpressionsDocument,
  type SearchExpressionsQuery,
} from '@civigraph/client/documents'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useQuery, useSubscription } from 'urql'
import { Button } from '../../components/button.tsx'
import { column, PagedTable } from '../../components/data-table.tsx'
import { Field } from '../../components/field.tsx'
import { SkippableList } from '../../components/keyboard.tsx'
import { Badge } from '../../components/status.tsx'
import { useTitle } from '../../shared/frame/page-hooks.ts'
import { type Pages, usePages } from '../../shared/graph/pages.ts'
import { labelIn } from '../../shared/words/words-in.ts'
import { useWords, type Word } from '../words/words.ts'
import { type Expression, ExpressionDialog } from './expression-dialog.tsx'
import { IndexState } from './index-state.tsx'
import { Models } from './models.tsx'
import { Taxonomy } from './taxonomy.tsx'

const newestOf = ({ expressions }: ExpressionsQuery) => expressions
const foundOf = ({ searchExpressions }: SearchExpressionsQuery) => searchExpressions

/** Expressions, newest first or by search; each can be corrected and withdrawn. */
export function ExpressionsPage() {
  const { word } = useWords()
  const [text, setText] = useState('')
  const wanted = useDeferredValue(text.trim())
  useTitle(word('expressions.title'))
  return (
    <>
      <h1>{word('expressions.title')}</h1>
      <p>
        <a href="#/expressions/moderation">{word('expressions.moderation')}</a> ·{' '}
        <a href="#/expressions/dead-letters">{word('dead.title')}</a>
      </p>
      <div className="filters wide-field">
        <Field label={word('expressions.search')} type="search" value={text} onChange={setText} autoComplete="off" maxLength={1000} />
      </div>
      <ExpressionList text={wanted} />
      <IndexState />
      <Taxonomy />
      <Models />
    </>
  )
}

/** Events received while the page is open. */
interface ReceivedEvents {
  readonly added: number
  /** ids of withdrawn expressions, which leave every list */
  readonly withdrawn: ReadonlySet<string>
}

const noEvents: ReceivedEvents = { added: 0, withdrawn: new Set() }

function ExpressionList({ text }: { text: string }) {
  const [{ data: happened = noEvents }] = useSubscription(
    { query: ExpressionAddedDocument, variables: { withdrawals: true } },
    (before: ReceivedEvents = noEvents, { expressionAdded: { kind, withdrawnId } }) => ({
      added: before.added + (kind === 'ADDED' ? 1 : 0),
      withdrawn: withdrawnId == null ? before.withdrawn : new Set(before.withdrawn).add(withdrawnId),
    }),
  )
  return text === '' ? <NewestExpressions {...happened} /> : <SearchResults text={text} {...happened} />
}

function NewestExpressions({ added, withdrawn }: ReceivedEvents) {
  const pages = usePages(ExpressionsDocument, { first: 50 }, newestOf)
  return (
    <>
      <NewExpressionsNotice added={added} onShow={pages.reload} />
      <ExpressionTable pages={pages} withdrawn={withdrawn} />
    </>
  )
}

function SearchResults({ text, withdrawn }: ReceivedEvents & { text: string }) {
  const pages = usePages(SearchExpressionsDocument, { input: { text }, first: 50 }, foundOf)
  return <ExpressionTable pages={pages} withdrawn={withdrawn} />
}

/** Counts new expressions while the list is open; they are added on request, so that no row moves under the pointer. */
function NewExpressionsNotice({ added, onShow }: Pick<ReceivedEvents, 'added'> & { onShow: () => void }) {
  const { word } = useWords()
  const [shown, setShown] = useState(added)
  const count = added - shown
  return (
    <p role="status">
      {count > 0 ? (
        <Button
          onPress={() => {
            setShown(added)
            onShow()
          }}
        >
          {word('expressions.arrived', { count })}
        </Button>
      ) : (
        <span className="quiet">{word('expressions.live')}</span>
      )}
    </p>
  )
}

/** Returns a function that names a topic in the page's language, or in the expression's where the taxonomy no longer has it. */
function useDomainNames(): (decided: { readonly label: string; readonly domain: { readonly id: string } } | null | undefined) => string {
  const { language } = useWords()
  const [{ data }] = useQuery({ query: DomainsDocument })
  return useMemo(() => {
    const names = new Map((data?.domains?.domains ?? []).map(({ id, labels }) => [id, labelIn(language, labels)]))
    return (decided) => names.get(decided?.domain.id ?? '') ?? decided?.label ?? ''
  }, [data, language])
}

function ExpressionTable({ pages, withdrawn }: Pick<ReceivedEvents, 'withdrawn'> & { pages: Pages<Expression> }) {
  const { word, named, date } = useWords()
  const nameOf = useDomainNames()
  const [chosen, choose] = useState<Expression>()
  const [notice, setNotice] = useState<{ readonly word: Word; readonly isCancelled: boolean }>()
  const place = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    // the dialog would return the focus to a removed row
    if (notice?.isCancelled) place.current?.focus()
  }, [notice])
  const rows = useMemo(() => pages.rows.filter(({ id }) => !withdrawn.has(id)), [pages.rows, withdrawn])
  const columns = useMemo(
    () => [
      column<Expression>('text', word('expressions.text'), (row) => (
        <button type="button" className="said" dir="auto" lang={row.lang?.code} onClick={() => choose(row)}>
          {row.text}
        </button>
      )),
      column<Expression>('domain', word('expressions.domain'), ({ classification }) => nameOf(classification?.domain)),
      column<Expression>('sentiment', word('expressions.sentiment'), ({ sentiment }) =>
        sentiment?.label == null ? '' : <Badge kind="plain">{named('sentiment', sentiment.label)}</Badge>,
      ),
      column<Expression>('place', word('expressions.place'), ({ location }) => location?.place ?? ''),
      column<Expression>('said', word('expressions.said'), ({ createdAt }) => date(createdAt)),
    ],
    [word, named, date, nameOf],
  )
  const changed = (what: typeof notice): void => {
    choose(undefined)
    setNotice(what)
    pages.reload()
  }
  return (
    <>
      <p role="status" ref={place} tabIndex={-1}>
        {notice !== undefined && word(notice.word)}
      </p>
      <SkippableList past={word('list.past')}>
        <PagedTable
          pages={pages}
          caption={word('expressions.title')}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          empty={word('expressions.empty')}
        />
      </SkippableList>
      {chosen !== undefined && (
        <ExpressionDialog
          key={chosen.id}
          expression={chosen}
          isWithdrawn={withdrawn.has(chosen.id)}
          onClose={() => choose(undefined)}
          onCorrected={() => changed({ word: 'expression.corrected', isCancelled: false })}
          onWithdrawn={() => changed({ word: 'expression.gone', isCancelled: true })}
        />
      )}
    </>
  )
}

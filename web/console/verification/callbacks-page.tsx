import {
  CallbackDeliveriesDocument,
  type CallbackDeliveriesQuery,
  type CallbackState,
  RedeliverCallbackDocument,
} from '@civigraph/client/documents'
import { useMemo, useState } from 'react'
import { useMutation } from 'urql'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { column, PagedTable } from '../../components/data-table.tsx'
import { Problem } from '../../components/problem.tsx'
import { Badge } from '../../components/status.tsx'
import { useTitle } from '../../shared/frame/page-hooks.ts'
import { usePages } from '../../shared/graph/pages.ts'
import { Code } from '../codes/citizen-link.tsx'
import { useWords } from '../words/words.ts'

type Callback = NonNullable<CallbackDeliveriesQuery['callbackDeliveries']>['nodes'][number]
const connectionOf = ({ callbackDeliveries }: CallbackDeliveriesQuery) => callbackDeliveries
const states: readonly CallbackState[] = ['PENDING', 'DELIVERED', 'FAILED', 'STOPPED', 'REFUSED']

/** Callbacks to services about finished jobs, newest first: outcome, reason, and a retry. @param state - shown first, in lower case */
export function CallbacksPage({ state: shown }: { state: string | undefined }) {
  const { word, named, date } = useWords()
  const [state, setState] = useState<string>(states.find((each) => each.toLowerCase() === shown) ?? '')
  const pages = usePages(
    CallbackDeliveriesDocument,
    { first: 50, ...(state !== '' && { filter: { state: state as CallbackState } }) },
    connectionOf,
  )
  const [{ error, fetching }, redeliver] = useMutation(RedeliverCallbackDocument)
  const { reload } = pages
  useTitle(word('callbacks.title'))
  const columns = useMemo(() => {
    const redeliverNow = async (id: string): Promise<void> => {
      const { data } = await redeliver({ input: { id } })
      if (data?.redeliverCallback != null) reload()
    }
    return [
      column<Callback>('citizen', word('review.citizen'), ({ job }) => (
        <a href={`#/verifications/${encodeURIComponent(job.id)}`}>
          <Code code={job.citizen.code} />
        </a>
      )),
      column<Callback>('url', word('callbacks.to'), ({ url }) => <code className="cut">{url}</code>),
      column<Callback>('state', word('callbacks.state'), (row) => (
        <Badge kind={row.state === 'DELIVERED' ? 'good' : row.state === 'PENDING' ? 'plain' : 'bad'}>{named('callback', row.state)}</Badge>
      )),
      column<Callback>('last', word('callbacks.last'), ({ attempts }) => {
        const last = attempts.at(-1)
        return last === undefined ? '' : `${date(last.at)} ${last.statusCode ?? ''} ${last.failure?.message ?? ''}`
      }),
      column<Callback>('next', word('callbacks.next'), ({ nextAttemptAt }) => (nextAttemptAt === null ? '' : date(nextAttemptAt))),
      column<Callback>('again', word('callbacks.again'), ({ id }) => (
        <Button isPending={fetching} onPress={() => void redeliverNow(id)}>
          {word('callbacks.again')}
        </Button>
      )),
    ]
  }, [word, named, date, redeliver, reload, fetching])
  return (
    <>
      <h1>{word('callbacks.title')}</h1>
      <p className="lede">{word('callbacks.lede')}</p>
      <div className="filters">
        <Choice
          label={word('callbacks.state')}
          anyText={word('any')}
          options={states.map((id) => ({ id, text: named('callback', id) }))}
          value={state}
          onChange={setState}
        />
        <Button onPress={reload}>{word('reload')}</Button>
      </div>
      <Problem error={error} />
      <PagedTable
        pages={pages}
        caption={word('callbacks.title')}
        columns={columns}
        keyOf={({ id }) => id}
        empty={word('callbacks.empty')}
      />
    </>
  )
}

import { type DelegationStatus, DelegationsDocument, type DelegationsQuery } from '@civigraph/client/documents'
import { useDeferredValue, useMemo, useState } from 'react'
import { Choice } from '../../components/choice.tsx'
import { column, PagedTable } from '../../components/data-table.tsx'
import { Field } from '../../components/field.tsx'
import { Problem } from '../../components/problem.tsx'
import { Badge } from '../../components/status.tsx'
import { useTitle } from '../../shared/frame/page-hooks.ts'
import { usePages } from '../../shared/graph/pages.ts'
import { useSession } from '../../shared/session/session.tsx'
import { labelIn } from '../../shared/words/words-in.ts'
import { useWords } from '../words/words.ts'

type Delegation = NonNullable<DelegationsQuery['delegations']>['nodes'][number]
const connectionOf = ({ delegations }: DelegationsQuery) => delegations
const any = 'any'
const statuses: readonly DelegationStatus[] = ['ACTIVE', 'PENDING', 'EXPIRED', 'REVOKED']

/** The delegations in the caller's scope, newest first. */
export function DelegationsPage() {
  const { word, named, date, list, language } = useWords()
  const { signedIn } = useSession()
  const [status, setStatus] = useState(any)
  const [delegator, setDelegator] = useState('')
  const [delegate, setDelegate] = useState('')
  const people = useDeferredValue({ delegator: delegator.trim(), delegate: delegate.trim() })
  const filter = {
    ...(status !== any && { status: status as DelegationStatus }),
    ...(people.delegator !== '' && { delegator: people.delegator }),
    ...(people.delegate !== '' && { delegate: people.delegate }),
  }
  const pages = usePages(DelegationsDocument, { first: 100, filter }, connectionOf)
  useTitle(word('delegations.title'))
  const columns = useMemo(
    () => [
      column<Delegation>('delegator', word('delegations.from'), (row) => row.delegator.code),
      column<Delegation>('delegate', word('delegations.to'), (row) => row.delegate.code),
      column<Delegation>('for', word('delegations.for'), ({ domain, scope }) =>
        domain === null ? scope : list([labelIn(language, domain.labels) ?? domain.id, scope]),
      ),
      column<Delegation>('group', word('delegations.group'), ({ group }) => group.id),
      column<Delegation>('status', word('delegations.status'), (row) => (
        <Badge kind={row.status === 'ACTIVE' ? 'good' : 'plain'}>{named('delegation', row.status)}</Badge>
      )),
      column<Delegation>('from', word('delegations.since'), ({ startsAt }) => date(startsAt)),
    ],
    [word, named, date, list, language],
  )
  return (
    <>
      <h1>{word('delegations.title')}</h1>
      <p className="lede">{pages.total === undefined ? word('delegations.lede') : word('delegations.count', { count: pages.total })}</p>
      {signedIn?.administrator.roles.includes('SUPER_ADMIN') === true && (
        <p>
          <a href="#/delegations/import">{word('import.title')}</a>
        </p>
      )}
      <div className="filters">
        <Choice
          label={word('delegations.status')}
          options={[{ id: any, text: word('any') }, ...statuses.map((id) => ({ id, text: named('delegation', id) }))]}
          value={status}
          onChange={setStatus}
        />
        <Field label={word('delegations.from')} value={delegator} onChange={setDelegator} autoComplete="off" />
        <Field label={word('delegations.to')} value={delegate} onChange={setDelegate} autoComplete="off" />
      </div>
      <Problem error={pages.problem} />
      <PagedTable
        pages={pages}
        caption={word('delegations.title')}
        columns={columns}
        keyOf={({ id }) => id}
        empty={word('delegations.empty')}
      />
    </>
  )
}

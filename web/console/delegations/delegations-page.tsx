import { type DelegationStatus, DelegationsDocument, type DelegationsQuery } from '@civigraph/client/documents'
import { useDeferredValue, useMemo, useState } from 'react'
import { Choice } from '../../components/choice.tsx'
import { column, PagedTable } from '../../components/data-table.tsx'
import { Field } from '../../components/field.tsx'
import { Badge } from '../../components/status.tsx'
import { useTitle } from '../../shared/frame/page-hooks.ts'
import { usePages } from '../../shared/graph/pages.ts'
import { useSession } from '../../shared/session/session.tsx'
import { labelIn } from '../../shared/words/words-in.ts'
import { CitizenLink } from '../codes/citizen-link.tsx'
import { useWords } from '../words/words.ts'
import { useDomainOptions } from './domain-options.ts'

type Delegation = NonNullable<DelegationsQuery['delegations']>['nodes'][number]
const connectionOf = ({ delegations }: DelegationsQuery) => delegations
const statuses: readonly DelegationStatus[] = ['ACTIVE', 'PENDING', 'EXPIRED', 'REVOKED']
const noFilter = { delegator: '', delegate: '', group: '' }

/** The delegations in the caller's scope, the latest recorded first. */
export function DelegationsPage() {
  const { word, named, date, list, language } = useWords()
  const { signedIn } = useSession()
  const { roles = [], groups = [] } = signedIn?.administrator ?? {}
  const isSuperAdmin = roles.includes('SUPER_ADMIN')
  const [status, setStatus] = useState('')
  const [domain, setDomain] = useState('')
  const [texts, setTexts] = useState(noFilter)
  const typed = useDeferredValue(texts)
  const filter = {
    ...(status !== '' && { status: status as DelegationStatus }),
    ...(domain !== '' && { domainId: domain }),
    ...(typed.delegator.trim() !== '' && { delegator: typed.delegator.trim() }),
    ...(typed.delegate.trim() !== '' && { delegate: typed.delegate.trim() }),
    ...(typed.group.trim() !== '' && { groupId: typed.group.trim() }),
  }
  const pages = usePages(DelegationsDocument, { first: 100, filter }, connectionOf)
  useTitle(word('delegations.title'))
  const domains = useDomainOptions()
  const columns = useMemo(
    () => [
      column<Delegation>('delegator', word('delegations.from'), (row) => <CitizenLink code={row.delegator.code} />),
      column<Delegation>('delegate', word('delegations.to'), (row) => <CitizenLink code={row.delegate.code} />),
      column<Delegation>('for', word('delegations.for'), ({ domain: about, scope }) =>
        list([
          about === null ? word('delegations.every-topic') : (labelIn(language, about.labels) ?? about.id),
          named('delegation-scope', scope),
        ]),
      ),
      column<Delegation>('group', word('delegations.group'), ({ group }) => <bdi>{group.id}</bdi>),
      column<Delegation>('status', word('delegations.status'), (row) => (
        <Badge kind={row.status === 'ACTIVE' ? 'good' : 'plain'}>{named('delegation', row.status)}</Badge>
      )),
      column<Delegation>('from', word('delegations.valid'), ({ startsAt, endsAt }) =>
        endsAt === null
          ? word('delegations.from-day', { day: date(startsAt) })
          : word('delegations.between', { from: date(startsAt), to: date(endsAt) }),
      ),
      column<Delegation>('created', word('delegations.created'), ({ createdAt }) => date(createdAt)),
    ],
    [word, named, date, list, language],
  )
  const set = (name: keyof typeof noFilter) => (value: string) => setTexts({ ...texts, [name]: value })
  return (
    <>
      <h1>{word('delegations.title')}</h1>
      <p className="lede">{pages.total === undefined ? word('delegations.lede') : word('delegations.count', { count: pages.total })}</p>
      {!isSuperAdmin && groups.length > 0 && (
        <p>{word('delegations.yours', { count: groups.length, groups: list(groups.map(({ id }) => id)) })}</p>
      )}
      <p>
        {isSuperAdmin && (
          <>
            <a href="#/delegations/import">{word('import.title')}</a> ·{' '}
          </>
        )}
        <a href="#/delegations/simulations">{word('simulations.title')}</a>
      </p>
      <div className="filters">
        <Choice
          label={word('delegations.status')}
          anyText={word('any')}
          options={statuses.map((id) => ({ id, text: named('delegation', id) }))}
          value={status}
          onChange={setStatus}
        />
        <Choice label={word('delegations.for')} anyText={word('any')} options={domains} value={domain} onChange={setDomain} />
        {isSuperAdmin ? (
          <Field label={word('delegations.group')} value={texts.group} onChange={set('group')} autoComplete="off" />
        ) : (
          groups.length > 1 && (
            <Choice
              label={word('delegations.group')}
              anyText={word('any')}
              options={groups.map(({ id }) => ({ id, text: id }))}
              value={texts.group}
              onChange={set('group')}
            />
          )
        )}
        <Field label={word('delegations.from')} value={texts.delegator} onChange={set('delegator')} autoComplete="off" />
        <Field label={word('delegations.to')} value={texts.delegate} onChange={set('delegate')} autoComplete="off" />
      </div>
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

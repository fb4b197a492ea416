import { type CitizenStatus, CitizensDocument, type CitizensQuery } from '@civigraph/client/documents'
import { useDeferredValue, useMemo, useState } from 'react'
import { Choice } from '../../components/choice.tsx'
import { column, PagedTable } from '../../components/data-table.tsx'
import { Field } from '../../components/field.tsx'
import { Badge } from '../../components/status.tsx'
import { usePages } from '../../shared/graph/pages.ts'
import { useSession } from '../../shared/session/session.tsx'
import { dictionary } from '../../shared/words/language.tsx'
import { CitizenLink } from '../codes/citizen-link.tsx'
import { useWords } from '../words/words.ts'
import ar from './register-words/ar.json' with { type: 'json' }
import en from './register-words/en.json' with { type: 'json' }
import fr from './register-words/fr.json' with { type: 'json' }

/** The words of the register of citizens. */
export const useRegisterWords = dictionary({ fr, en, ar })

type Citizen = NonNullable<CitizensQuery['citizens']>['nodes'][number]
const connectionOf = ({ citizens }: CitizensQuery) => citizens
const statuses: readonly CitizenStatus[] = ['VERIFIED', 'PENDING_REVIEW', 'REJECTED', 'EXPIRED', 'UNVERIFIED']

/** The register of citizens in the caller's scope, by status, group and beginning of the code. */
export function RegisterTable() {
  const { date, number } = useWords()
  const { word, named } = useRegisterWords()
  const { signedIn } = useSession()
  const { roles = [], groups = [] } = signedIn?.administrator ?? {}
  const isSuperAdmin = roles.includes('SUPER_ADMIN')
  const [status, setStatus] = useState('')
  const [texts, setTexts] = useState({ group: '', begins: '' })
  const typed = useDeferredValue(texts)
  const filter = {
    ...(status !== '' && { status: status as CitizenStatus }),
    ...(typed.group.trim() !== '' && { groupId: typed.group.trim() }),
    ...(typed.begins.trim() !== '' && { codePrefix: typed.begins.trim() }),
  }
  const pages = usePages(CitizensDocument, { first: 100, filter }, connectionOf)
  const columns = useMemo(
    () => [
      column<Citizen>('code', word('register.code'), ({ code }) => <CitizenLink code={code} />),
      column<Citizen>('status', word('register.status'), ({ registration }) => registration && <StatusBadge {...registration} />),
      column<Citizen>('since', word('register.since'), ({ registration }) => registration?.statusAt && date(registration.statusAt)),
      column<Citizen>('expires', word('register.expires'), ({ registration }) => registration?.expiresOn && date(registration.expiresOn)),
      column<Citizen>('given', word('register.given'), ({ registration }) => number(registration?.activeDelegationsGiven ?? 0)),
      column<Citizen>('received', word('register.received'), ({ registration }) => number(registration?.activeDelegationsReceived ?? 0)),
    ],
    [word, date, number],
  )
  const setGroup = (group: string) => setTexts({ ...texts, group })
  return (
    <section>
      <h2>{word('register.title')}</h2>
      <p>{word(isSuperAdmin ? 'register.lede' : 'register.group-lede')}</p>
      <div className="filters">
        <Choice
          label={word('register.status')}
          anyText={word('register.any')}
          options={statuses.map((id) => ({ id, text: named('citizen-status', id) }))}
          value={status}
          onChange={setStatus}
        />
        {isSuperAdmin ? (
          <Field label={word('register.group')} value={texts.group} onChange={setGroup} autoComplete="off" />
        ) : (
          groups.length > 1 && (
            <Choice
              label={word('register.group')}
              anyText={word('register.any')}
              options={groups.map(({ id }) => ({ id, text: id }))}
              value={texts.group}
              onChange={setGroup}
            />
          )
        )}
        <Field
          label={word('register.begins')}
          value={texts.begins}
          onChange={(begins) => setTexts({ ...texts, begins })}
          autoComplete="off"
        />
      </div>
      <PagedTable
        pages={pages}
        caption={word('register.title')}
        columns={columns}
        keyOf={({ code }) => code}
        empty={word('register.empty')}
      />
    </section>
  )
}

/** The verification status of a citizen, or that the citizen was erased. */
export function StatusBadge({ status, erasedAt }: { status: CitizenStatus; erasedAt: string | null }) {
  const { word, named } = useRegisterWords()
  if (erasedAt !== null && status === 'UNVERIFIED') return <Badge kind="plain">{word('register.erased')}</Badge>
  return <Badge kind={kinds[status]}>{named('citizen-status', status)}</Badge>
}

const kinds = { VERIFIED: 'good', PENDING_REVIEW: 'warn', REJECTED: 'bad', EXPIRED: 'warn', UNVERIFIED: 'plain' } as const

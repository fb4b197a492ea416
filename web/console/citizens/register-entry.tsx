import type { CitizenFileQuery } from '@civigraph/client/documents'
import { OutcomeBadge } from '../verification/checks.tsx'
import { useWords } from '../words/words.ts'
import { StatusBadge, useRegisterWords } from './register-table.tsx'

type Registration = NonNullable<CitizenFileQuery['citizen']>['registration']

/** The entry of a citizen in the register: status, groups, delegations in and out, outcomes. */
export function RegisterEntry({ registration }: { registration: Registration }) {
  const { date, number, list } = useWords()
  const { word } = useRegisterWords()
  if (registration === null) return <p>{word('register.none')}</p>
  const { statusAt, expiresOn, registeredAt, erasedAt, groups, outcomes } = registration
  const facts = [
    { key: 'register.since', value: statusAt && date(statusAt) },
    { key: 'register.expires', value: expiresOn && date(expiresOn) },
    { key: 'register.registered', value: registeredAt && date(registeredAt) },
    { key: 'register.erased-at', value: erasedAt && date(erasedAt) },
    { key: 'register.given', value: number(registration.activeDelegationsGiven) },
    { key: 'register.received', value: number(registration.activeDelegationsReceived) },
    { key: 'register.groups', value: groups.length === 0 ? null : <bdi>{list(groups.map(({ id }) => id))}</bdi> },
  ] as const
  return (
    <section aria-labelledby="registration">
      <h2 id="registration">{word('register.entry')}</h2>
      <dl className="facts">
        <div>
          <dt>{word('register.status')}</dt>
          <dd>
            <StatusBadge {...registration} />
          </dd>
        </div>
        {facts.map(
          ({ key, value }) =>
            value !== null && (
              <div key={key}>
                <dt>{word(key)}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      <h3>{word('register.history')}</h3>
      {outcomes == null || outcomes.nodes.length === 0 ? (
        <p>{word('register.no-history')}</p>
      ) : (
        <ul className="lines">
          {outcomes.nodes.map(({ jobId, outcome, at }) => (
            <li key={jobId}>
              {date(at)} <OutcomeBadge outcome={outcome} status={outcome} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

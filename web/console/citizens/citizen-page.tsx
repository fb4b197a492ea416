import { CitizenFileDocument, SearchCitizensDocument } from '@civigraph/client/documents'
import { useEffect, useState } from 'react'
import { useQuery } from 'urql'
import { Button } from '../../components/button.tsx'
import { ListState } from '../../components/list-state.tsx'
import { Badge } from '../../components/status.tsx'
import { focusContent } from '../../shared/frame/page-document.ts'
import { useTitle } from '../../shared/frame/page-hooks.ts'
import { useSession } from '../../shared/session/session.tsx'
import { CitizenLink, Code } from '../codes/citizen-link.tsx'
import { minSearchLength } from '../search/search-filter.ts'
import { OutcomeBadge } from '../verification/checks.tsx'
import { useWords } from '../words/words.ts'
import { CitizenAccess } from './citizen-access.tsx'
import { EraseCitizen } from './erase-citizen.tsx'
import { hasBadVoters, inputOf, References } from './references.tsx'
import { RegisterEntry } from './register-entry.tsx'

const shown = 50

/** Shows what the caller may see of the data about a citizen; a super_admin erases and exports it. */
export function CitizenPage({ code }: { code: string }) {
  const { word, named, date } = useWords()
  const { signedIn } = useSession()
  const isSuperAdmin = signedIn?.administrator.roles.includes('SUPER_ADMIN') === true
  const [{ data, error, fetching }, reload] = useQuery({
    query: CitizenFileDocument,
    variables: { code, first: shown, withVerifications: isSuperAdmin },
  })
  const [isErasing, setErasing] = useState(false)
  const [isErased, setErased] = useState(false)
  const [references, setReferences] = useState({ authors: '', voters: '' })
  useEffect(() => {
    // the content around the button has changed
    if (isErased && !isErasing) focusContent()
  }, [isErased, isErasing])
  const { registration, verifications, delegationsGiven, delegationsReceived } = data?.citizen ?? {}
  const delegations = [
    ...(delegationsGiven?.nodes ?? []).map((each) => ({ ...each, isGiven: true, other: each.delegate.code })),
    ...(delegationsReceived?.nodes ?? []).map((each) => ({ ...each, isGiven: false, other: each.delegator.code })),
  ]
  const isUnknown =
    registration === null &&
    verifications?.nodes.length === 0 &&
    delegationsGiven?.nodes.length === 0 &&
    delegationsReceived?.nodes.length === 0
  const title = word(isUnknown && !isErased ? 'citizen.unknown-title' : 'citizen.title', { code })
  useTitle(title)
  return (
    <>
      <p>
        <a href="#/citizens">{word('citizen.back')}</a>
      </p>
      <h1>{title}</h1>
      <ListState
        isLoading={fetching}
        isEmpty={data === undefined}
        problem={error}
        empty={word('verification.none')}
        onRetry={() => reload({ requestPolicy: 'network-only' })}
      />
      {isUnknown && !isErased && <SimilarCodes code={code} />}
      {registration !== undefined && !isUnknown && <RegisterEntry registration={registration} />}
      {verifications != null && (
        <section aria-labelledby="verifications">
          <h2 id="verifications">{word('verifications.title')}</h2>
          {verifications.nodes.length === 0 ? (
            <p>{word('citizen.no-verifications')}</p>
          ) : (
            <ul className="lines">
              {verifications.nodes.map(({ id, status, outcome, documentType, queuedAt }) => (
                <li key={id}>
                  <a href={`#/verifications/${encodeURIComponent(id)}`}>{date(queuedAt)}</a> · {named('document', documentType)}{' '}
                  <OutcomeBadge outcome={outcome} status={status} />
                </li>
              ))}
            </ul>
          )}
        </section>
      )}
      {data !== undefined && (
        <section aria-labelledby="delegations">
          <h2 id="delegations">{word('delegations.title')}</h2>
          {delegations.length === 0 ? (
            <p>{word('citizen.no-delegations')}</p>
          ) : (
            <ul className="lines">
              {delegations.map(({ id, isGiven, other, scope, status, startsAt, endsAt }) => (
                <li key={id}>
                  {word(isGiven ? 'citizen.gives' : 'citizen.receives')} <CitizenLink code={other} /> · {named('delegation-scope', scope)} ·{' '}
                  {endsAt === null
                    ? word('delegations.from-day', { day: date(startsAt) })
                    : word('delegations.between', { from: date(startsAt), to: date(endsAt) })}{' '}
                  <Badge kind="plain">{named('delegation', status)}</Badge>
                </li>
              ))}
            </ul>
          )}
        </section>
      )}
      {isSuperAdmin && (
        <>
          <section aria-labelledby="erasure">
            <h2 id="erasure">{word('erase.title')}</h2>
            <p>{word('erase.what')}</p>
            {isUnknown && <p className="notice">{word('citizen.unknown')}</p>}
            <References value={references} onChange={setReferences} />
            <p>
              <Button look="danger" isDisabled={hasBadVoters(references)} onPress={() => setErasing(true)}>
                {word('erase.begin')}
              </Button>
            </p>
            {isErasing && (
              <EraseCitizen
                input={inputOf(code, references)}
                onClose={() => setErasing(false)}
                onErased={() => {
                  setErased(true)
                  reload({ requestPolicy: 'network-only' })
                }}
              />
            )}
          </section>
          <CitizenAccess input={inputOf(code, references)} />
        </>
      )}
    </>
  )
}

/** Stored codes that may be meant instead of an unknown one: codes are case-sensitive. */
function SimilarCodes({ code }: { code: string }) {
  const { word } = useWords()
  const [{ data }] = useQuery({ query: SearchCitizensDocument, variables: { text: code }, pause: code.trim().length < minSearchLength })
  const codes = data?.searchCitizens ?? []
  return (
    <div className="notice" role="status">
      <p>
        {word('citizen.unknown-code')} <Code code={code} />
      </p>
      {codes.length > 0 && (
        <>
          <p>{word('citizens.like')}</p>
          <ul>
            {codes.map((each) => (
              <li key={each.code}>
                <CitizenLink code={each.code} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

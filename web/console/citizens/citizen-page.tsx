import { CitizenFileDocument } from '@civigraph/client/documents'
import { useEffect, useState } from 'react'
import { useQuery } from 'urql'
import { Button } from '../../components/button.tsx'
import { Problem } from '../../components/problem.tsx'
import { Badge } from '../../components/status.tsx'
import { focusContent } from '../../shared/frame/page-document.ts'
import { useTitle } from '../../shared/frame/page-hooks.ts'
import { kindOfOutcome } from '../verification/checks.tsx'
import { useWords } from '../words/words.ts'
import { CitizenAccess } from './citizen-access.tsx'
import { EraseCitizen } from './erase-citizen.tsx'
import { hasBadVoters, inputOf, References } from './references.tsx'

const shown = 50

/** Shows what the platform stores about a citizen, and erases it. */
export function CitizenPage({ code }: { code: string }) {
  const { word, named, date } = useWords()
  const [{ data, error, fetching }, again] = useQuery({ query: CitizenFileDocument, variables: { code, first: shown } })
  const [isErasing, setErasing] = useState(false)
  const [isErased, setErased] = useState(false)
  const [references, setReferences] = useState({ authors: '', voters: '' })
  useEffect(() => {
    // the content around the button has changed
    if (isErased && !isErasing) focusContent()
  }, [isErased, isErasing])
  useTitle(word('citizen.title', { code }))
  const { verifications, delegationsGiven } = data?.citizen ?? {}
  const isUnknown = verifications?.nodes.length === 0 && delegationsGiven?.nodes.length === 0
  return (
    <>
      <p>
        <a href="#/citizens">{word('citizen.back')}</a>
      </p>
      <h1>{word('citizen.title', { code })}</h1>
      <Problem error={error} />
      {fetching && data === undefined && <p role="status">{word('loading')}</p>}
      {verifications != null && (
        <section aria-labelledby="verifications">
          <h2 id="verifications">{word('verifications.title')}</h2>
          {verifications.nodes.length === 0 ? (
            <p>{word('citizen.no-verifications')}</p>
          ) : (
            <ul className="lines">
              {verifications.nodes.map(({ id, status, outcome, documentType, queuedAt }) => (
                <li key={id}>
                  <a href={`#/verifications/${encodeURIComponent(id)}`}>{date(queuedAt)}</a>, {named('document', documentType)}{' '}
                  <Badge kind={kindOfOutcome(outcome)}>{named('outcome', outcome ?? status)}</Badge>
                </li>
              ))}
            </ul>
          )}
        </section>
      )}
      {delegationsGiven != null && (
        <section aria-labelledby="delegations">
          <h2 id="delegations">{word('delegations.title')}</h2>
          {delegationsGiven.nodes.length === 0 ? (
            <p>{word('citizen.no-delegations')}</p>
          ) : (
            <ul className="lines">
              {delegationsGiven.nodes.map(({ id, delegate, scope, status }) => (
                <li key={id}>
                  {word('citizen.delegates', { code: delegate.code, scope })} <Badge kind="plain">{named('delegation', status)}</Badge>
                </li>
              ))}
            </ul>
          )}
        </section>
      )}
      <section aria-labelledby="erasure">
        <h2 id="erasure">{word('erase.title')}</h2>
        <p>{word('erase.what')}</p>
        {isUnknown && <p className="notice">{word('citizen.unknown')}</p>}
        <References value={references} onChange={setReferences} />
        <Button look="danger" isDisabled={hasBadVoters(references)} onPress={() => setErasing(true)}>
          {word('erase.begin')}
        </Button>
        {isErasing && (
          <EraseCitizen
            input={inputOf(code, references)}
            onClose={() => setErasing(false)}
            onErased={() => {
              setErased(true)
              again({ requestPolicy: 'network-only' })
            }}
          />
        )}
      </section>
      <CitizenAccess input={inputOf(code, references)} />
    </>
  )
}

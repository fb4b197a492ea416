import { CitizenErasureDocument } from '@civigraph/client/documents'
import { useState } from 'react'
import { useQuery } from 'urql'
import { Button } from '../../components/button.tsx'
import { Problem } from '../../components/problem.tsx'
import { saveBlob } from '../../shared/frame/page-document.ts'
import { useTitle } from '../../shared/frame/page-hooks.ts'
import { useSession } from '../../shared/session/session.tsx'
import { useLanguage } from '../../shared/words/language.tsx'
import { useWords } from '../words/words.ts'
import { ErasureReport } from './erasure-report.tsx'
import { useErasureWords } from './erasure-words/words.ts'

/** The certificate of an erasure, also as PDF. */
export function ErasurePage({ id }: { id: string }) {
  const { word, date } = useErasureWords()
  const { word: common } = useWords()
  const [{ data, error, fetching }] = useQuery({ query: CitizenErasureDocument, variables: { id }, requestPolicy: 'network-only' })
  useTitle(word('erasure.title'))
  const erasure = data?.citizenErasure
  return (
    <>
      <p>
        <a href="#/citizens">{common('citizen.back')}</a>
      </p>
      <h1>{word('erasure.title')}</h1>
      <Problem error={error} />
      {fetching && erasure === undefined && <p role="status">{common('loading')}</p>}
      {erasure === null && error === undefined && <p className="notice">{word('erasure.not-found')}</p>}
      {erasure != null && (
        <>
          <dl className="facts">
            <dt>{word('erasure.number')}</dt>
            <dd>
              <code>{erasure.id}</code>
            </dd>
            <dt>{word('erasure.citizen')}</dt>
            <dd>
              <code>{erasure.pseudonym}</code>
            </dd>
            <dt>{word('erasure.requested')}</dt>
            <dd>{date(erasure.requestedAt)}</dd>
            {erasure.completedAt != null && (
              <>
                <dt>{word('erasure.completed')}</dt>
                <dd>{date(erasure.completedAt)}</dd>
              </>
            )}
          </dl>
          {erasure.completedAt == null && <p className="notice">{word('erasure.running')}</p>}
          {erasure.isUnknown && <p className="notice">{word('erasure.unknown')}</p>}
          {erasure.completedAt != null && <SavePdf id={erasure.id} url={erasure.certificateUrl} />}
          <ErasureReport reports={erasure.components} level="h2" />
        </>
      )}
    </>
  )
}

/** The console serves the certificate at its own address too. */
const ownPath = (url: string): string => url.slice(url.indexOf('/citizens/erasures/'))

function SavePdf({ id, url }: { id: string; url: string }) {
  const { word } = useErasureWords()
  const { language } = useLanguage()
  const { send } = useSession()
  const [isLoading, setLoading] = useState(false)
  const [isFailed, setFailed] = useState(false)
  const save = async (): Promise<void> => {
    setLoading(true)
    setFailed(false)
    try {
      const response = await send(`${ownPath(url)}?lang=${language}`, { cache: 'no-store' })
      if (!response.ok) throw new Error(`${response.status}`)
      saveBlob(`erasure-${id}.pdf`, await response.blob())
    } catch {
      setFailed(true)
    } finally {
      setLoading(false)
    }
  }
  return (
    <>
      <Button look="main" isPending={isLoading} onPress={() => void save()}>
        {word('erasure.pdf')}
      </Button>
      {isFailed && (
        <p role="alert" className="bad">
          {word('erasure.no-pdf')}
        </p>
      )}
    </>
  )
}

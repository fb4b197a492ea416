import { CitizenErasureDocument } from '@civigraph/client/documents'
import { useQuery } from 'urql'
import { Problem } from '../../components/problem.tsx'
import { useTitle } from '../../shared/frame/page-hooks.ts'
import { SaveFile } from '../../shared/session/save-file.tsx'
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
  return (
    <SaveFile
      look="main"
      label={word('erasure.pdf')}
      path={`${ownPath(url)}?lang=${language}`}
      name={`erasure-${id}.pdf`}
      problem={word('erasure.no-pdf')}
    />
  )
}

import { FindCitizensDocument, type FindCitizensQuery, FindVerificationDocument } from '@civigraph/client/documents'
import { useQuery } from 'urql'
import { ListState } from '../../components/list-state.tsx'
import { CitizenLink } from '../codes/citizen-link.tsx'
import { OutcomeBadge } from '../verification/checks.tsx'
import { useWords } from '../words/words.ts'
import { isFilter, isJobId, matches, minSearchLength, type SearchFilter } from './search-filter.ts'
import { useSearchWords } from './search-words/words.ts'

type Found = NonNullable<FindCitizensQuery['searchCitizens']>[number]
type Job = NonNullable<Found['verifications']>['nodes'][number]

interface FoundCitizensProps {
  readonly text: string
  readonly filter: SearchFilter
}

/** Citizens with similar codes, each with its verifications; for the id of a verification, that one. */
export function FoundCitizens({ text, filter }: FoundCitizensProps) {
  const { word } = useSearchWords()
  return (
    <section aria-labelledby="citizens">
      <h2 id="citizens">{word('search.citizens')}</h2>
      {isJobId(text) ? (
        <ByNumber id={text.toLowerCase()} />
      ) : text.length < minSearchLength ? (
        <p>{word('search.short')}</p>
      ) : (
        <ByCode text={text} filter={filter} />
      )}
    </section>
  )
}

function ByCode({ text, filter }: FoundCitizensProps) {
  const { word } = useSearchWords()
  const [{ data, error, fetching }, reload] = useQuery({ query: FindCitizensDocument, variables: { text }, requestPolicy: 'network-only' })
  const found = (data?.searchCitizens ?? []).flatMap(({ code, verifications }) => {
    const jobs = (verifications?.nodes ?? []).filter((job) => matches(job, filter))
    return jobs.length === 0 && isFilter(filter) ? [] : [{ code, jobs }]
  })
  return (
    <>
      <ListState
        isLoading={fetching}
        isEmpty={found.length === 0}
        problem={error}
        empty={word('search.no-citizens', { text })}
        onRetry={() => reload({ requestPolicy: 'network-only' })}
      />
      <ul className="lines">
        {found.map(({ code, jobs }) => (
          <li key={code}>
            <CitizenLink code={code} />
            <ul className="found">
              {jobs.map((job) => (
                <li key={job.id}>
                  <FoundJob job={job} />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {!fetching && error === undefined && !found.some(({ code }) => code === text) && (
        <p>
          <a href={`#/citizens/${encodeURIComponent(text)}`}>{word('search.anyway', { text })}</a>
        </p>
      )}
    </>
  )
}

function ByNumber({ id }: { id: string }) {
  const { word } = useSearchWords()
  const [{ data, error, fetching }, reload] = useQuery({
    query: FindVerificationDocument,
    variables: { id },
    requestPolicy: 'network-only',
  })
  const job = data?.verificationJob
  return (
    <>
      <ListState
        isLoading={fetching}
        isEmpty={job == null}
        problem={error}
        empty={word('search.no-number')}
        onRetry={() => reload({ requestPolicy: 'network-only' })}
      />
      {job != null && (
        <p>
          <CitizenLink code={job.citizen.code} /> · <FoundJob job={job} />
        </p>
      )}
    </>
  )
}

function FoundJob({ job: { id, status, outcome, documentType, countryCode, queuedAt } }: { job: Job }) {
  const { named, date, list } = useWords()
  return (
    <>
      <a href={`#/verifications/${encodeURIComponent(id)}`}>{date(queuedAt)}</a> · {list([named('document', documentType), countryCode])}{' '}
      <OutcomeBadge outcome={outcome} status={status} />
    </>
  )
}

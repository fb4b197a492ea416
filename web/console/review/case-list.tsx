import type { ReviewQueueQuery, VerificationDocumentType, VerificationReason } from '@civigraph/client/documents'
import { type FormEvent, useMemo, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { column, PagedTable } from '../../components/data-table.tsx'
import { Field } from '../../components/field.tsx'
import { Badge } from '../../components/status.tsx'
import type { Pages } from '../../shared/graph/pages.ts'
import { useFindingWords } from '../../shared/verification/checks-table.tsx'
import { Code } from '../codes/citizen-link.tsx'
import { useWords } from '../words/words.ts'
import { reviewReasons } from './reasons.ts'
import { ages, type CaseFilter, noFilter, savedFilters } from './review-filter.ts'

type Case = NonNullable<ReviewQueueQuery['reviewQueue']>['nodes'][number]
const documentTypes: readonly VerificationDocumentType[] = ['PASSPORT', 'NATIONAL_ID', 'CNI', 'TITRE_DE_SEJOUR']

export interface CaseListProps {
  readonly pages: Pages<Case>
  readonly filter: CaseFilter
  readonly onFilter: (filter: CaseFilter) => void
  /** the open case: the list is beside it, in one column */
  readonly opened: string | undefined
}

/** The waiting cases with their filters. */
export function CaseList({ pages, filter, onFilter, opened }: CaseListProps) {
  const { word, named, date, list, duration } = useWords()
  const sentenceOf = useFindingWords()
  const isBeside = opened !== undefined
  const columns = useMemo(() => {
    // no finding of a case that waits for a person is established
    const reasonsOf = ({ reasons }: Case) => reasons.map((reason) => sentenceOf({ reason, isEstablished: false })).join(' ')
    const waitOf = ({ waitingSince }: Case) => (
      <time dateTime={waitingSince} title={date(waitingSince)}>
        {duration(Math.max(0, (Date.now() - Date.parse(waitingSince)) / 1000))}
      </time>
    )
    const linkOf = ({ citizen, job }: Case) =>
      job === null ? (
        <Code code={citizen.code} />
      ) : (
        <a href={`#/review/${encodeURIComponent(job.id)}`} aria-current={job.id === opened ? 'true' : undefined}>
          <Code code={citizen.code} />
        </a>
      )
    const claimOf = ({ claim }: Case) =>
      claim === null ? '' : <Badge kind={claim.isMine ? 'good' : 'plain'}>{word(claim.isMine ? 'review.mine' : 'review.other')}</Badge>
    if (isBeside)
      return [
        column<Case>('case', word('review.citizen'), (each) => (
          <>
            {linkOf(each)} {claimOf(each)}
            <p className="part quiet">
              {waitOf(each)} · {reasonsOf(each)}
            </p>
          </>
        )),
      ]
    return [
      column<Case>('citizen', word('review.citizen'), linkOf),
      column<Case>('document', word('review.document'), ({ documentType, countryCode }) =>
        list([named('document', documentType), countryCode]),
      ),
      column<Case>('reasons', word('review.reasons'), reasonsOf),
      column<Case>('since', word('review.age'), waitOf),
      column<Case>('claim', word('review.claim'), claimOf),
    ]
  }, [word, named, date, list, duration, sentenceOf, isBeside, opened])
  return (
    <>
      <Filters filter={filter} onFilter={onFilter} />
      <PagedTable
        pages={pages}
        caption={word('review.title')}
        columns={columns}
        keyOf={({ job, waitingSince }) => job?.id ?? waitingSince}
        empty={word(filter === noFilter ? 'review.empty' : 'review.empty-filter')}
      />
    </>
  )
}

function Filters({ filter, onFilter }: Pick<CaseListProps, 'filter' | 'onFilter'>) {
  const { word, named, duration } = useWords()
  const { reason, documentType, country, minAgeMinutes, isMine } = filter
  const sentenceOf = useFindingWords()
  return (
    <details className="case-filters">
      <summary>{word('review.filters')}</summary>
      <div className="filters">
        <Choice
          label={word('review.reason')}
          anyText={word('review.any-reason')}
          options={reviewReasons.map((id) => ({ id, text: sentenceOf({ reason: id, isEstablished: false }) }))}
          value={reason}
          onChange={(id) => onFilter({ ...filter, reason: id as VerificationReason | '' })}
        />
        <Choice
          label={word('review.document')}
          anyText={word('any')}
          options={documentTypes.map((id) => ({ id, text: named('document', id) }))}
          value={documentType}
          onChange={(id) => onFilter({ ...filter, documentType: id as VerificationDocumentType | '' })}
        />
        <Field
          label={word('verifications.country')}
          value={country}
          onChange={(typed) => onFilter({ ...filter, country: typed })}
          autoComplete="off"
        />
        <Choice
          label={word('review.age')}
          anyText={word('any')}
          options={ages.map((minutes) => ({ id: String(minutes), text: word('review.longer', { duration: duration(minutes * 60) }) }))}
          value={minAgeMinutes === 0 ? '' : String(minAgeMinutes)}
          onChange={(id) => onFilter({ ...filter, minAgeMinutes: Number(id) })}
        />
        <Choice
          label={word('review.whose')}
          anyText={word('any')}
          options={[{ id: 'mine', text: word('review.my-cases') }]}
          value={isMine ? 'mine' : ''}
          onChange={(id) => onFilter({ ...filter, isMine: id === 'mine' })}
        />
      </div>
      <SavedFilters filter={filter} onFilter={onFilter} />
    </details>
  )
}

/** Filters that this browser keeps by name. */
function SavedFilters({ filter, onFilter }: Pick<CaseListProps, 'filter' | 'onFilter'>) {
  const { word } = useWords()
  const [saved, setSaved] = useState(() => savedFilters.read() ?? {})
  const [name, setName] = useState('')
  const store = (filters: typeof saved): void => {
    setSaved(filters)
    savedFilters.write(filters as Readonly<Record<string, CaseFilter>>)
  }
  const save = (event: FormEvent): void => {
    event.preventDefault()
    if (name.trim() === '') return
    store({ ...saved, [name.trim()]: filter })
    setName('')
  }
  return (
    <>
      {Object.keys(saved).length > 0 && (
        <ul className="saved" aria-label={word('review.saved')}>
          {Object.entries(saved).map(([label, each]) => (
            <li key={label} className="row">
              <button type="button" className="link" onClick={() => each !== undefined && onFilter({ ...noFilter, ...each })}>
                <bdi>{label}</bdi>
              </button>
              <button
                type="button"
                className="link"
                aria-label={word('review.forget', { name: label })}
                onClick={() => store(Object.fromEntries(Object.entries(saved).filter(([other]) => other !== label)))}
              >
                <span aria-hidden="true">✕</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <form className="row" onSubmit={save}>
        <Field label={word('review.filter-name')} value={name} onChange={setName} autoComplete="off" />
        <Button type="submit">{word('review.save-filter')}</Button>
        <Button onPress={() => onFilter(noFilter)}>{word('review.clear-filter')}</Button>
      </form>
    </>
  )
}

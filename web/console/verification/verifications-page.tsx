import type { VerificationOutcome, VerificationStatus } from '@civigraph/client/documents'
import { useDeferredValue, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { Field } from '../../components/field.tsx'
import { useTitle } from '../../shared/frame/page-hooks.ts'
import { dayRange } from '../day-range.ts'
import { useWords } from '../words/words.ts'
import { useVerifications, VerificationTable } from './verification-table.tsx'

const statuses: readonly VerificationStatus[] = ['QUEUED', 'PROCESSING', 'COMPLETED', 'ERROR']
const outcomes: readonly VerificationOutcome[] = ['VERIFIED', 'PENDING_REVIEW', 'REJECTED', 'ERROR']

/** The verifications of all services, newest first. */
export function VerificationsPage() {
  const { word, named } = useWords()
  const [status, setStatus] = useState('')
  const [outcome, setOutcome] = useState('')
  const [criteria, setCriteria] = useState({ country: '', from: '', to: '' })
  const typed = useDeferredValue(criteria)
  const filter = {
    ...(status !== '' && { status: status as VerificationStatus }),
    ...(outcome !== '' && { outcome: outcome as VerificationOutcome }),
    ...(typed.country.trim() !== '' && { countryCode: typed.country.trim() }),
    ...dayRange(typed.from, typed.to),
  }
  const pages = useVerifications(filter)
  useTitle(word('verifications.title'))
  const optionsOf = (ids: readonly string[]) => ids.map((id) => ({ id, text: named('outcome', id) }))
  return (
    <>
      <h1>{word('verifications.title')}</h1>
      <p className="lede">{word('verifications.lede')}</p>
      <div className="filters">
        <Choice
          label={word('verifications.status')}
          anyText={word('any')}
          options={optionsOf(statuses)}
          value={status}
          onChange={setStatus}
        />
        <Choice
          label={word('verification.outcome')}
          anyText={word('any')}
          options={optionsOf(outcomes)}
          value={outcome}
          onChange={setOutcome}
        />
        <Field
          label={word('verifications.country')}
          value={criteria.country}
          onChange={(country) => setCriteria({ ...criteria, country })}
          autoComplete="off"
        />
        <Field label={word('from-day')} type="date" value={criteria.from} onChange={(from) => setCriteria({ ...criteria, from })} />
        <Field label={word('to-day')} type="date" value={criteria.to} onChange={(to) => setCriteria({ ...criteria, to })} />
        <Button onPress={pages.reload}>{word('reload')}</Button>
      </div>
      <VerificationTable pages={pages} />
    </>
  )
}

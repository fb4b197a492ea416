import type { CrossValidationFieldsFragment, VerificationOutcome } from '@civigraph/client/documents'
import { ChecksTable } from '../../shared/verification/checks-table.tsx'
import { useWords } from '../words/words.ts'

/** The reasons against verification, and all checks. */
export function Checks({ validations }: { validations: CrossValidationFieldsFragment }) {
  const { word, named } = useWords()
  return (
    <>
      {validations.reasons.length > 0 && (
        <ul className="reasons" aria-label={word('checks.against')}>
          {validations.reasons.map((reason) => (
            <li key={reason}>
              <strong>{named('reason', reason)}</strong>{' '}
              <span className="quiet">{named('reason-help', reason) === reason ? '' : named('reason-help', reason)}</span>
            </li>
          ))}
        </ul>
      )}
      <ChecksTable validations={validations} />
    </>
  )
}

export function kindOfOutcome(outcome: VerificationOutcome | null): 'good' | 'warn' | 'bad' | 'plain' {
  switch (outcome) {
    case 'VERIFIED':
      return 'good'
    case 'PENDING_REVIEW':
      return 'warn'
    case null:
      return 'plain'
    default:
      return 'bad'
  }
}

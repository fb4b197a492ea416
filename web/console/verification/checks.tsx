import type { CrossValidationFieldsFragment, VerificationOutcome } from '@civigraph/client/documents'
import { ChecksTable } from '../../shared/verification/checks-table.tsx'
import { useWords } from '../words/words.ts'

/** The reasons against verification, and all checks. */
export function Checks({ found }: { found: CrossValidationFieldsFragment }) {
  const { word, named } = useWords()
  return (
    <>
      {found.reasons.length > 0 && (
        <ul className="reasons" aria-label={word('checks.against')}>
          {found.reasons.map((reason) => (
            <li key={reason}>
              <strong>{named('reason', reason)}</strong>{' '}
              <span className="quiet">{named('reason-help', reason) === reason ? '' : named('reason-help', reason)}</span>
            </li>
          ))}
        </ul>
      )}
      <ChecksTable validations={found} />
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

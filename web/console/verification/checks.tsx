import type { CrossValidationFieldsFragment, VerificationOutcome } from '@civigraph/client/documents'
import { Badge } from '../../components/status.tsx'
import { ChecksTable, useFindingWords } from '../../shared/verification/checks-table.tsx'
import { type Finding, findingsOf } from '../../shared/verification/findings.ts'
import { useWords } from '../words/words.ts'

/** The reasons against verification, and all checks. */
export function Checks({ validations, outcome }: { validations: CrossValidationFieldsFragment; outcome: VerificationOutcome | null }) {
  return (
    <>
      <FindingList findings={findingsOf(validations, outcome)} />
      <ChecksTable validations={validations} />
    </>
  )
}

/** What the automatic checks found against a verification, each in a sentence. */
export function FindingList({ findings }: { findings: readonly Finding[] }) {
  const { word } = useWords()
  const sentenceOf = useFindingWords()
  return findings.length === 0 ? null : (
    <ul className="reasons" aria-label={word('checks.against')}>
      {findings.map((finding) => (
        <li key={finding.reason}>
          <strong>{sentenceOf(finding)}</strong>
        </li>
      ))}
    </ul>
  )
}

/** The outcome of a verification, or its status while it has none. */
export function OutcomeBadge({ outcome, status }: { outcome: VerificationOutcome | null; status: string }) {
  const { named } = useWords()
  return <Badge kind={kindOfOutcome(outcome)}>{named('outcome', outcome ?? status)}</Badge>
}

function kindOfOutcome(outcome: VerificationOutcome | null): 'good' | 'warn' | 'bad' | 'plain' {
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

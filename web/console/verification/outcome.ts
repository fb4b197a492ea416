import type { VerificationOutcome } from '@civigraph/client/documents'

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

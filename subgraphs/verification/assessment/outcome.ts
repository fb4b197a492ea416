import type { Finding } from '../checks/reasons.ts'

/** Decides the outcome: verified without findings, rejected with a grave one, otherwise the client decides. */
export function decideOutcome(findings: readonly Finding[]): 'verified' | 'pending_review' | 'rejected' {
  if (findings.some((finding) => finding.grave)) return 'rejected'
  return findings.length === 0 ? 'verified' : 'pending_review'
}

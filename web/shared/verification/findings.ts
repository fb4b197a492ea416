/** A finding against a verification, and whether the platform established it or only could not exclude it. */
export interface Finding {
  readonly reason: string
  readonly isEstablished: boolean
}

interface Checks {
  readonly reasons: readonly string[]
  /** null in results of earlier releases */
  readonly rejectingReasons: readonly string[] | null
}

/** Returns the findings of a result. Results of earlier releases do not list the established ones; in a rejection, the first reason is established. */
export function findingsOf({ reasons, rejectingReasons }: Checks, outcome: string | null): readonly Finding[] {
  const established = rejectingReasons ?? (outcome === 'REJECTED' ? reasons.slice(0, 1) : [])
  return reasons.map((reason) => ({ reason, isEstablished: established.includes(reason) }))
}

/**
 * Returns a finding as one sentence: a statement if it is established, otherwise a doubt.
 * @param named - returns the sentence of a code in a group, or the code itself without one
 */
export function sentenceOf({ reason, isEstablished }: Finding, named: (group: string, code: string) => string): string {
  const doubt = named('doubt', reason)
  return isEstablished || doubt === reason ? named('reason', reason) : doubt
}

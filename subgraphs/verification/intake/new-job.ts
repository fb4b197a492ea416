import type { Submission } from '../submission/submission.ts'
import type { JobRow } from '../tables.ts'

/** A job before it is accepted: columns of its row and sealed content. */
export interface NewJob {
  readonly citizenCode: string
  readonly documentType: JobRow['documentType']
  readonly countryCode: string
  readonly priority: Priority
  readonly callbackUrl: string | null
  readonly submission: Submission
}

export type Priority = JobRow['priority']

const epochMs = Date.UTC(2026, 0, 1)
const classMs = 5 * 60_000
const normalHandicap = 13

/**
 * Returns the start class of a job: lower first, FIFO within a class. It is the time of submission in steps of five minutes, plus 13 steps
 * for a normal job: a high one precedes normal ones submitted less than an hour earlier, and no job starves.
 * @returns 1 or more; within BullMQ's largest priority, 2,097,151, until December 2045
 */
export function startClass(priority: Priority, submittedAtMs: number): number {
  return Math.max(1, Math.floor((submittedAtMs - epochMs) / classMs) + 1 + (priority === 'normal' ? normalHandicap : 0))
}

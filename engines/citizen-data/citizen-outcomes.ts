/** Topic of component A with an event for each verification that ended or that a reviewer decided; the id is that of the job. */
export const verificationTopic = 'verification'

/** The outcome of a verification, without its result. */
export interface CitizenOutcome {
  readonly jobId: string
  readonly code: string
  readonly outcome: 'verified' | 'pending_review' | 'rejected' | 'error'
  /** time of the outcome */
  readonly at: Date
  /** last day on which the document is valid, as YYYY-MM-DD; null when it was not read, or the citizen is not verified */
  readonly expiresOn: string | null
}

/** Outcomes of component A. Reading acknowledges no result. All methods throw EngineUnavailable while the engine is unavailable. */
export interface CitizenOutcomes {
  /** Returns the outcomes of these jobs; unfinished and deleted jobs are omitted. */
  of(jobIds: readonly string[]): Promise<readonly CitizenOutcome[]>
  /** Returns the next outcomes after a job, in the order of job ids; fewer than `limit` only at the end. */
  after(jobId: string | undefined, limit: number): Promise<readonly CitizenOutcome[]>
}

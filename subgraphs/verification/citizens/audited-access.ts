import { createHmac } from 'node:crypto'
import type { AuditAction } from '../../../engines/audit/audit-actions.ts'
import type { AuditEntry, AuditedRequest, AuditTrail } from '../../../engines/audit/audit-trail.ts'
import type { Transaction } from '../../../engines/relational/database.ts'
import type { Principal } from '../../../foundation/principal.ts'

/** ids in one row of the trail */
const idsInRow = 1000

/** Who read, acknowledged or erased which results: what this component writes into the audit trail. */
export class Accounting {
  readonly #trail: AuditTrail
  readonly #pseudonymKey: Uint8Array

  /** @param pseudonymKey - a citizen is named by an HMAC under it: whoever has the key can tell whether a code was looked up or erased */
  constructor(trail: AuditTrail, pseudonymKey: Uint8Array) {
    this.#trail = trail
    this.#pseudonymKey = pseudonymKey
  }

  resultsRead(request: AuditedRequest, jobIds: readonly string[]): Promise<void> {
    return this.#trail.record(request, entries('verification.results.read', jobIds))
  }

  /** A service's look at its own jobs is its daily work; a person's look at anybody's is not. */
  async jobsRead(request: AuditedRequest, jobIds: readonly string[]): Promise<void> {
    if (isPerson(request.principal)) await this.#trail.record(request, entries('verification.jobs.read', jobIds))
  }

  async followed(request: AuditedRequest): Promise<void> {
    if (isPerson(request.principal)) await this.#trail.record(request, [{ action: 'verification.jobs.follow', outcome: 'done' }])
  }

  /** What a service sends itself again is its daily work. */
  async redelivered(request: AuditedRequest, jobId: string, tx: Transaction): Promise<void> {
    if (isPerson(request.principal)) await this.#trail.record(request, entries('verification.callback.redeliver', [jobId]), tx)
  }

  acknowledged(request: AuditedRequest, jobIds: readonly string[], tx: Transaction): Promise<void> {
    return this.#trail.record(request, entries('verification.acknowledge', jobIds), tx)
  }

  /** What a person did with a job under review. Never what they wrote about it. */
  review(
    request: AuditedRequest,
    what: 'claim' | 'release' | 'evidence.read' | 'image.read' | 'decide' | 'decisions.read',
    jobId: string,
    details: Readonly<Record<string, string>> = {},
    tx?: Transaction,
  ): Promise<void> {
    return this.#trail.record(request, [{ action: `verification.review.${what}`, outcome: 'done', target: jobId, details }], tx)
  }

  reviewsListed(request: AuditedRequest, jobIds: readonly string[]): Promise<void> {
    return this.#trail.record(request, entries('verification.review.queue.read', jobIds))
  }

  /** Whose verifications were looked up, whether there are any or not. */
  citizensLookedUp(request: AuditedRequest, codes: readonly string[]): Promise<void> {
    const looks = codes.map((code) => ({ action: 'citizen.verifications.read', outcome: 'done', target: this.#pseudonym(code) }) as const)
    return this.#trail.record(request, looks)
  }

  citizenErased(request: AuditedRequest, code: string, jobs: number, tx: Transaction): Promise<void> {
    return this.#trail.record(request, [{ action: 'citizen.erase', outcome: 'done', target: this.#pseudonym(code), details: { jobs } }], tx)
  }

  #pseudonym(code: string): string {
    return createHmac('sha256', this.#pseudonymKey).update(code).digest('base64url')
  }
}

const isPerson = ({ service, user }: Principal): boolean => service === undefined && user !== undefined

function entries(action: AuditAction, jobIds: readonly string[]): readonly AuditEntry[] {
  const pages = Array.from({ length: Math.ceil(jobIds.length / idsInRow) }, (_, page) =>
    jobIds.slice(page * idsInRow, (page + 1) * idsInRow),
  )
  return pages.map((ids) =>
    ids.length === 1 ? { action, outcome: 'done', target: String(ids[0]) } : { action, outcome: 'done', details: { jobs: ids } },
  )
}

import type { AuditAction } from '../../../engines/audit/audit-actions.ts'
import type { AuditEntry, AuditedRequest, AuditTrail } from '../../../engines/audit/audit-trail.ts'
import type { CitizenPseudonyms } from '../../../engines/citizen-data/citizen-pseudonyms.ts'
import type { Transaction } from '../../../engines/relational/database.ts'
import type { Principal } from '../../../foundation/principal.ts'

/** ids per audit record */
const idsInRow = 1000

/** Writes the audit records of reading, acknowledging and erasing results. */
export class AuditedAccess {
  readonly #trail: AuditTrail
  readonly #pseudonyms: CitizenPseudonyms

  /** @param pseudonyms - citizens are recorded under them */
  constructor(trail: AuditTrail, pseudonyms: CitizenPseudonyms) {
    this.#trail = trail
    this.#pseudonyms = pseudonyms
  }

  resultsRead(request: AuditedRequest, jobIds: readonly string[]): Promise<void> {
    return this.#trail.record(request, entries('verification.results.read', jobIds))
  }

  /** Records reads by persons; reads by a service of its own jobs are routine. */
  async jobsRead(request: AuditedRequest, jobIds: readonly string[]): Promise<void> {
    if (isPerson(request.principal)) await this.#trail.record(request, entries('verification.jobs.read', jobIds))
  }

  async followed(request: AuditedRequest): Promise<void> {
    if (isPerson(request.principal)) await this.#trail.record(request, [{ action: 'verification.jobs.follow', outcome: 'done' }])
  }

  /** Records redeliveries by persons; those of a service are routine. */
  async redelivered(request: AuditedRequest, jobId: string, tx: Transaction): Promise<void> {
    if (isPerson(request.principal)) await this.#trail.record(request, entries('verification.callback.redeliver', [jobId]), tx)
  }

  acknowledged(request: AuditedRequest, jobIds: readonly string[], tx: Transaction): Promise<void> {
    return this.#trail.record(request, entries('verification.acknowledge', jobIds), tx)
  }

  /** Records a reviewer's action on a job, without the note. */
  review(
    request: AuditedRequest,
    what: 'claim' | 'release' | 'evidence.read' | 'image.read' | 'decide' | 'decisions.read' | 'send' | 'undo',
    jobId: string,
    details: Readonly<Record<string, string>> = {},
    tx?: Transaction,
  ): Promise<void> {
    return this.#trail.record(request, [{ action: `verification.review.${what}`, outcome: 'done', target: jobId, details }], tx)
  }

  reviewsListed(request: AuditedRequest, jobIds: readonly string[]): Promise<void> {
    return this.#trail.record(request, entries('verification.review.queue.read', jobIds))
  }

  /** Records a lookup of citizens, whether or not they have verifications. */
  citizensLookedUp(request: AuditedRequest, codes: readonly string[]): Promise<void> {
    const records = codes.map(
      (code) => ({ action: 'citizen.verifications.read', outcome: 'done', target: this.#pseudonyms.of(code) }) as const,
    )
    return this.#trail.record(request, records)
  }

  /** Records an erasure. @param details - number of erased verifications, and the id of the erasure, whose certificate lists everything */
  citizenErased(
    request: AuditedRequest,
    target: string,
    details: { readonly jobs: number; readonly erasure: string },
    tx: Transaction,
  ): Promise<void> {
    return this.#trail.record(request, [{ action: 'citizen.erase', outcome: 'done', target, details }], tx)
  }

  /** Records that the data about a citizen was exported or counted. */
  citizenRead(request: AuditedRequest, action: 'citizen.export' | 'citizen.erasure.preview', code: string): Promise<void> {
    return this.#trail.record(request, [{ action, outcome: 'done', target: this.#pseudonyms.of(code) }])
  }

  /** Records that the report of an erasure was read. @param target - pseudonym of the citizen */
  erasureRead(request: AuditedRequest, target: string): Promise<void> {
    return this.#trail.record(request, [{ action: 'citizen.erasure.read', outcome: 'done', target }])
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

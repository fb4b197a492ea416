import { InvalidInput, Unauthenticated } from '../../../foundation/fault.ts'
import { serviceWith, userWith } from '../../../foundation/graphql/authorisation.ts'
import type { Principal } from '../../../foundation/principal.ts'
import type { JobRow } from '../tables.ts'

/** Callers that may read jobs: a service its own, a super_admin all. */
export const readers = [serviceWith('results', 'results:all', 'submit'), userWith('super_admin')] as const

/** Returns whether a caller may read any jobs; for other callers an id resolves to null without an error. */
export const readsJobs = (principal: Principal): boolean => readers.some((rule) => rule.allows(principal, undefined))

/** Callers that may submit jobs and start challenges. */
export const submitters = [serviceWith('submit')] as const

/** Returns the owner of the caller's jobs. @throws {InvalidInput} for a caller without a service key */
export function ownerOf({ service }: Principal): string {
  if (service === undefined) throw new InvalidInput('A service key is required to submit jobs')
  return service.name
}

/** The jobs that a caller may see: those of its own key, or all. */
export type Visibility = { readonly owner: string } | 'all'

/** Returns the visibility: all jobs for a key with scope results:all and for a super_admin, otherwise those of the key. */
export function visibilityOf({ service, user }: Principal): Visibility {
  if (service?.scopes.includes('results:all') || user?.roles.includes('super_admin')) return 'all'
  if (service === undefined) throw new Unauthenticated('A service key is required')
  return { owner: service.name }
}

/** Returns whether the caller may see this job; the caller need not be a reader of jobs. */
export const seesJob = (job: Pick<JobRow, 'owner'>, principal: Principal): boolean =>
  readers.some((rule) => rule.allows(principal, job)) && isVisible(job, visibilityOf(principal))

/** days after an acknowledgement for which a service can read the status of a job */
export const statusDays = 30
const dayMs = 86_400_000

/** Returns whether services can no longer read an acknowledged job. */
export const isForgotten = ({ acknowledgedAt }: Pick<JobRow, 'acknowledgedAt'>): boolean =>
  acknowledgedAt !== null && acknowledgedAt.getTime() < Date.now() - statusDays * dayMs

export function isVisible(job: Pick<JobRow, 'owner'>, visibility: Visibility): boolean {
  return visibility === 'all' || job.owner === visibility.owner
}

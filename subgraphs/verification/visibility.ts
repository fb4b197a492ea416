import { InvalidInput, Unauthenticated } from '../../foundation/fault.ts'
import { serviceWith, userWith } from '../../foundation/graphql/authorisation.ts'
import type { Principal } from '../../foundation/principal.ts'
import type { JobRow } from './tables.ts'

/** Who may look at jobs: a service at its own, a super_admin at everybody's. */
export const readers = [serviceWith('results', 'results:all', 'submit'), userWith('super_admin')] as const

/** Whether a caller sees any jobs: whoever does not has no error of an id, and nothing either. */
export const readsJobs = (principal: Principal): boolean => readers.some((rule) => rule.allows(principal, undefined))

/** Who may submit jobs, and start challenges for them. */
export const submitters = [serviceWith('submit')] as const

/** The name of the key whose jobs they are. @throws {InvalidInput} for a caller without one */
export function ownerOf({ service }: Principal): string {
  if (service === undefined) throw new InvalidInput('A service key is required to submit jobs')
  return service.name
}

/** Whose jobs a caller sees: those of its own key, or everybody's. */
export type Visibility = { readonly owner: string } | 'all'

/** A key with scope results:all and a super admin see every job; any other key its own. */
export function visibilityOf({ service, user }: Principal): Visibility {
  if (service?.scopes.includes('results:all') || user?.roles.includes('super_admin')) return 'all'
  if (service === undefined) throw new Unauthenticated('A service key is required')
  return { owner: service.name }
}

/** Whether a caller, who may be somebody else than a reader of jobs, sees this one. */
export const seesJob = (job: Pick<JobRow, 'owner'>, principal: Principal): boolean =>
  readers.some((rule) => rule.allows(principal, job)) && isVisible(job, visibilityOf(principal))

export function isVisible(job: Pick<JobRow, 'owner'>, visibility: Visibility): boolean {
  return visibility === 'all' || job.owner === visibility.owner
}

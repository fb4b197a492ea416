import { Forbidden, Unauthenticated } from '../../../foundation/fault.ts'
import { userWith } from '../../../foundation/graphql/authorisation.ts'
import type { Principal, UserPrincipal } from '../../../foundation/principal.ts'
import type { JobRow } from '../tables.ts'

/** Roles that may review jobs. */
export const reviewers = [userWith('reviewer', 'super_admin')] as const

/** A person by subject identifier, with their own citizen code if the identity provider supplies it. */
export type Reviewer = Pick<UserPrincipal, 'issuer' | 'subject' | 'citizenCode'>

/** @throws {Unauthenticated} for a caller that is not a person */
export function reviewerOf({ user }: Principal): Reviewer {
  if (user === undefined) throw new Unauthenticated('A user with the role reviewer or super_admin is required')
  return user
}

/** Refuses a reviewer's own job. @throws {Forbidden} */
export function refuseOwn(reviewer: Reviewer, job: Pick<JobRow, 'citizenCode'>): void {
  if (reviewer.citizenCode === job.citizenCode) throw new Forbidden('Reviewers cannot review their own verification')
}

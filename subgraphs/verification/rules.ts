import { serviceWith, userWith } from '../foundation/graphql/authorisation.ts'

/** Who may look at jobs: a service at its own, a super_admin at everybody's. */
export const readers = [serviceWith('results', 'results:all', 'submit'), userWith('super_admin')] as const

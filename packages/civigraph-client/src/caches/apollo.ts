import type { FieldPolicy, TypePolicies } from '@apollo/client'
import { relayStylePagination } from '@apollo/client/utilities'

export { possibleTypes } from './possible-types.ts'

/** The pages of a list, one after the other; null where the list was refused, of which Apollo's own policy makes an empty list. */
function pages(keyArgs?: readonly string[]): FieldPolicy {
  const { read, merge, ...policy } = relayStylePagination(keyArgs && [...keyArgs])
  return {
    ...policy,
    read: (kept, options) => (kept === null ? null : read?.(kept, options)),
    merge: (kept, come, options) => (come === null || typeof merge !== 'function' ? come : merge(kept, come, options)),
  }
}

/**
 * How Apollo Client's InMemoryCache keeps the graph: `new InMemoryCache({ typePolicies, possibleTypes })`. Types with an `id` need no word of their own. Ask
 * lists for `edges` and `pageInfo`: `fetchMore({ variables: { after: endCursor } })` joins their pages.
 */
export const typePolicies: TypePolicies = {
  Citizen: {
    keyFields: ({ code }) => (code === undefined ? false : ['code']),
    fields: {
      delegationsGiven: pages(['filter']),
      delegationsReceived: pages(['filter']),
      verifications: pages(),
    },
  },
  ContentNode: {
    // asked for without its tenant it belongs to what it was found in
    keyFields: ({ tenantId, id }) => (tenantId === undefined || id === undefined ? false : ['tenantId', 'id']),
    fields: { children: pages() },
  },
  Domain: { fields: { expressions: pages(['filter']) } },
  Group: { fields: { delegations: pages(['filter']) } },
  Query: {
    fields: {
      accounts: pages(['filter']),
      auditTrail: pages(['filter']),
      callbackDeliveries: pages(['jobId', 'state']),
      contentSubtree: pages(['tenantId', 'id']),
      contentTrash: pages(['tenantId']),
      deadLetters: pages(['kind']),
      delegations: pages(['filter', 'orderBy', 'offset']),
      expressions: pages(['filter']),
      reviewQueue: pages(['reason', 'minAgeMinutes']),
      searchExpressions: pages(['input']),
      serviceKeys: pages(),
      similarExpressions: pages(['id']),
      verificationJobs: pages(['filter']),
      verificationResults: pages(),
    },
  },
  VerificationBatch: { fields: { jobs: pages() } },
}

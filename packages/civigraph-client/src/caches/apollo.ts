import type { FieldPolicy, TypePolicies } from '@apollo/client'
import { relayStylePagination } from '@apollo/client/utilities'

export { possibleTypes } from './possible-types.ts'

/** Joins the pages of a list; null where the list was refused, which Apollo's own policy turns into an empty list. */
function pages(keyArgs?: readonly string[]): FieldPolicy {
  const { read, merge, ...policy } = relayStylePagination(keyArgs && [...keyArgs])
  return {
    ...policy,
    read: (existing, options) => (existing === null ? null : read?.(existing, options)),
    merge: (existing, incoming, options) =>
      incoming === null || typeof merge !== 'function' ? incoming : merge(existing, incoming, options),
  }
}

/**
 * Cache configuration for Apollo Client's InMemoryCache: `new InMemoryCache({ typePolicies, possibleTypes })`. Types with an `id` need no
 * policy. Query lists with `edges` and `pageInfo`: `fetchMore({ variables: { after: endCursor } })` joins their pages.
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
    // without its tenant in the selection, a node is embedded in its parent
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

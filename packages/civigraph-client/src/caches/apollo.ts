import type { TypePolicies } from '@apollo/client'
import { relayStylePagination } from '@apollo/client/utilities'

export { possibleTypes } from './possible-types.ts'

/**
 * How Apollo Client's InMemoryCache keeps the graph: `new InMemoryCache({ typePolicies, possibleTypes })`. Types with an `id` need no word of their own. Ask
 * lists for `edges` and `pageInfo`: `fetchMore({ variables: { after: endCursor } })` joins their pages.
 */
export const typePolicies: TypePolicies = {
  Citizen: {
    keyFields: ({ code }) => (code === undefined ? false : ['code']),
    fields: {
      delegationsGiven: relayStylePagination(['filter']),
      delegationsReceived: relayStylePagination(['filter']),
      verifications: relayStylePagination(),
    },
  },
  ContentNode: {
    // asked for without its tenant it belongs to what it was found in
    keyFields: ({ tenantId, id }) => (tenantId === undefined || id === undefined ? false : ['tenantId', 'id']),
    fields: { children: relayStylePagination() },
  },
  Domain: { fields: { expressions: relayStylePagination(['filter']) } },
  Group: { fields: { delegations: relayStylePagination(['filter']) } },
  Query: {
    fields: {
      auditTrail: relayStylePagination(['filter']),
      callbackDeliveries: relayStylePagination(['jobId', 'state']),
      contentSubtree: relayStylePagination(['tenantId', 'id']),
      delegations: relayStylePagination(['filter', 'orderBy', 'offset']),
      expressions: relayStylePagination(['filter']),
      reviewQueue: relayStylePagination(['reason', 'minAgeMinutes']),
      searchExpressions: relayStylePagination(['input']),
      similarExpressions: relayStylePagination(['id']),
      verificationJobs: relayStylePagination(['filter']),
      verificationResults: relayStylePagination(),
    },
  },
  VerificationBatch: { fields: { jobs: relayStylePagination() } },
}

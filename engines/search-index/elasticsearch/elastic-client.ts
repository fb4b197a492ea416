import { Client } from '@elastic/elasticsearch'
import { buildConnector } from 'undici'
import type { Authorities } from '../../../foundation/engine-start/authorities.ts'

/** Where a cluster is, and who we are there. */
export interface ElasticAddress {
  /** of a node, or of several with commas between them; each may hold a user and a password */
  readonly url: string
  /** in place of a user and a password */
  readonly apiKey?: string | undefined
  /** that its nodes are trusted by; those of the system when absent */
  readonly ca?: Authorities | undefined
}

/** The client, with our limits; nothing is connected yet. A node that does not answer is left out for a while, and another one asked. */
export function elasticClient({ url, apiKey, ca }: ElasticAddress, requestTimeout: number): Client {
  const nodes = url.split(',')
  return new Client({
    nodes,
    requestTimeout,
    maxRetries: nodes.length - 1,
    enableMetaHeader: false,
    ...(apiKey !== undefined && { auth: { apiKey } }),
    ...(ca !== undefined && { agent: agentTrusting(ca) }),
  })
}

/** It asks for the authorities at each connection. The client passes on what undici has options for, `connect` too, which its type does not name. */
function agentTrusting(ca: Authorities) {
  const connect: buildConnector.connector = (options, connected) => buildConnector({ ca: ca() })(options, connected)
  return { pipelining: 1, connect }
}

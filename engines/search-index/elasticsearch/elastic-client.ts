import { Client } from '@elastic/elasticsearch'
import { buildConnector } from 'undici'
import type { Authorities } from '../../../foundation/engine-start/authorities.ts'

/** Address and credentials of a cluster. */
export interface ElasticAddress {
  /** one node or several, comma separated; each may include user and password */
  readonly url: string
  /** instead of user and password */
  readonly apiKey?: string | undefined
  /** CA certificates; those of the system if absent */
  readonly ca?: Authorities | undefined
}

/** Creates the client without connecting. A node that does not respond is skipped for a while in favour of another. */
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

/** Reads the CA certificates at each connection. The client passes undici options through, also `connect`, which its type does not declare. */
function agentTrusting(ca: Authorities) {
  const connect: buildConnector.connector = (options, connected) => buildConnector({ ca: ca() })(options, connected)
  return { pipelining: 1, connect }
}

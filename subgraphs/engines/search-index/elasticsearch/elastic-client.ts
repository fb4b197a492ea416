import { Client } from '@elastic/elasticsearch'

/** Where a cluster is, and who we are there. */
export interface ElasticAddress {
  /** of a node, or of several with commas between them; each may hold a user and a password */
  readonly url: string
  /** in place of a user and a password */
  readonly apiKey?: string | undefined
  /** certificates of the authorities that its nodes are trusted by (PEM); those of the system when absent */
  readonly ca?: string | undefined
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
    ...(ca !== undefined && { tls: { ca } }),
  })
}

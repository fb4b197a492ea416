import { randomBytes } from 'node:crypto'
import cassandra from 'cassandra-driver'

/** A keyspace of one test file, dropped on disposal. @returns `replicate`: changes the number of replicas */
export async function freshKeyspace(server: {
  readonly contactPoints: readonly string[]
  readonly localDataCenter: string
}): Promise<AsyncDisposable & { readonly keyspace: string; replicate(replicas: number): Promise<void> }> {
  const keyspace = `test_${randomBytes(6).toString('hex')}`
  const administer = async (statement: string): Promise<void> => {
    const client = new cassandra.Client({ ...server, contactPoints: [...server.contactPoints] })
    try {
      await client.execute(statement)
    } finally {
      await client.shutdown()
    }
  }
  const replicate = (replicas: number): Promise<void> =>
    administer(
      `alter keyspace ${keyspace} with replication = {'class': 'NetworkTopologyStrategy', '${server.localDataCenter}': ${replicas}}`,
    )
  return { keyspace, replicate, [Symbol.asyncDispose]: () => administer(`drop keyspace if exists ${keyspace}`) }
}

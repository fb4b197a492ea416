import { randomBytes } from 'node:crypto'
import cassandra from 'cassandra-driver'

/** A keyspace of one test file; disposing of it drops it. */
export async function freshKeyspace(server: {
  readonly contactPoints: readonly string[]
  readonly localDataCenter: string
}): Promise<AsyncDisposable & { readonly keyspace: string }> {
  const keyspace = `test_${randomBytes(6).toString('hex')}`
  const administer = async (statement: string): Promise<void> => {
    const client = new cassandra.Client({ ...server, contactPoints: [...server.contactPoints] })
    try {
      await client.execute(statement)
    } finally {
      await client.shutdown()
    }
  }
  return { keyspace, [Symbol.asyncDispose]: () => administer(`drop keyspace if exists ${keyspace}`) }
}

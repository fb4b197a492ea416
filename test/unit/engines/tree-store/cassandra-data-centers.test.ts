import cassandra from 'cassandra-driver'
import { describe, expect, it } from 'vitest'
import { cassandraClient } from '../../../../engines/tree-store/cassandra/cassandra-client.ts'
import { cassandraSchema } from '../../../../engines/tree-store/cassandra/cassandra-schema.ts'
import { silentLog } from '../../../../foundation/log.ts'

const schemaFolder = new URL('../../../../schema/cql', import.meta.url).pathname
const { consistencies } = cassandra.types

/** Returns the statement that creates a keyspace in a cluster whose other nodes are in these data centres. */
async function createStatement(peers: readonly string[], replication?: readonly (readonly [string, number])[]): Promise<string> {
  const statements: string[] = []
  const execute = async (statement: string) => {
    statements.push(statement)
    const rows = statement.includes('system.peers') ? peers.map((place) => ({ get: () => place })) : []
    return { rows } as unknown as cassandra.types.ResultSet
  }
  const options = { keyspace: 'city', localDataCenter: 'dakar', schemaFolder, replication }
  await cassandraSchema({ execute }, options).apply({ signal: AbortSignal.timeout(60_000), contract: false, onProgress: () => undefined })
  return statements.find((statement) => statement.startsWith('create keyspace')) ?? ''
}

describe('a created keyspace', () => {
  it('has the configured replicas in each data centre', async () => {
    const replication = [
      ['dakar', 3],
      ['thies', 2],
    ] as const
    expect(await createStatement(['dakar', 'thies'], replication)).toBe(
      "create keyspace if not exists city with replication = {'class': 'NetworkTopologyStrategy', 'dakar': 3, 'thies': 2}",
    )
  })

  it.each([
    [[], 1],
    [['thies', 'thies', 'thies'], 1],
    [['dakar', 'thies'], 2],
    [['dakar', 'dakar', 'dakar', 'dakar', 'thies'], 3],
  ])('has by default one replica on each local node, three at most: beside %j %i', async (peers, replicas) => {
    expect(await createStatement(peers)).toContain(`{'class': 'NetworkTopologyStrategy', 'dakar': ${replicas}}`)
  })
})

describe('a client of several data centres', () => {
  it.each([
    [undefined, consistencies.localQuorum, consistencies.localSerial],
    ['local_quorum', consistencies.localQuorum, consistencies.localSerial],
    ['quorum', consistencies.quorum, consistencies.serial],
  ] as const)('with %s uses one scope for reads, writes and lightweight transactions', async (consistency, level, serial) => {
    const place = { contactPoints: ['dakar-1:9042'], localDataCenter: 'dakar', ...(consistency && { consistency }) }
    const client = cassandraClient(place, silentLog)
    // options of the driver, which its types declare in part
    const { options } = client as unknown as { readonly options: cassandra.ClientOptions }
    expect(options.queryOptions).toMatchObject({ consistency: level, serialConsistency: serial })
    expect(options.localDataCenter).toBe('dakar')
    await client.shutdown()
  })
})

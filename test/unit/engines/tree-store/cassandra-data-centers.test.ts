import cassandra from 'cassandra-driver'
import { describe, expect, it } from 'vitest'
import { cassandraClient } from '../../../../engines/tree-store/cassandra/cassandra-client.ts'
import { cassandraSchema } from '../../../../engines/tree-store/cassandra/cassandra-schema.ts'
import { silentLog } from '../../../../foundation/log.ts'

const schemaFolder = new URL('../../../../schema/cql', import.meta.url).pathname
const { consistencies } = cassandra.types

/** What is executed when a keyspace is made in a cluster, of whose nodes the others are in these data centres. */
async function made(peers: readonly string[], replication?: readonly (readonly [string, number])[]): Promise<string> {
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

describe('a keyspace that is made', () => {
  it('has the replicas that are asked for in each data centre', async () => {
    const replication = [
      ['dakar', 3],
      ['thies', 2],
    ] as const
    expect(await made(['dakar', 'thies'], replication)).toBe(
      "create keyspace if not exists city with replication = {'class': 'NetworkTopologyStrategy', 'dakar': 3, 'thies': 2}",
    )
  })

  it.each([
    [[], 1],
    [['thies', 'thies', 'thies'], 1],
    [['dakar', 'thies'], 2],
    [['dakar', 'dakar', 'dakar', 'dakar', 'thies'], 3],
  ])('has, where nothing is asked for, one on each node that is near, three at most: beside %j %i', async (peers, replicas) => {
    expect(await made(peers)).toContain(`{'class': 'NetworkTopologyStrategy', 'dakar': ${replicas}}`)
  })
})

describe('a client of several data centres', () => {
  it.each([
    [undefined, consistencies.localQuorum, consistencies.localSerial],
    ['local_quorum', consistencies.localQuorum, consistencies.localSerial],
    ['quorum', consistencies.quorum, consistencies.serial],
  ] as const)('with %s asks for reads, writes and claims in one scope', async (consistency, level, serial) => {
    const place = { contactPoints: ['dakar-1:9042'], localDataCenter: 'dakar', ...(consistency && { consistency }) }
    const client = cassandraClient(place, silentLog)
    // what the driver says of itself; its types know a part of it
    const { options } = client as unknown as { readonly options: cassandra.ClientOptions }
    expect(options.queryOptions).toMatchObject({ consistency: level, serialConsistency: serial })
    expect(options.localDataCenter).toBe('dakar')
    await client.shutdown()
  })
})

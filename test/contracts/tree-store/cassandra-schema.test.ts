import cassandra from 'cassandra-driver'
import { expect, it } from 'vitest'
import { openCassandraSchema } from '../../../engines/tree-store/cassandra/cassandra-schema.ts'
import { cassandraTreeStore } from '../../../engines/tree-store/cassandra/cassandra-tree-store.ts'
import { keysBetween } from '../../../engines/tree-store/order-keys.ts'
import { silentLog as log } from '../../../foundation/log.ts'
import { freshKeyspace } from '../../support/engines/cassandra.ts'
import { realCassandra, skippedWithout } from '../../support/engines/engines.ts'
import { treeNode } from './tree-store.contract.ts'

const server = realCassandra()
const schemaFolder = new URL('../../../schema/cql', import.meta.url).pathname
const signal = (): AbortSignal => AbortSignal.timeout(60_000)
const last = '0004-content-trash.cql'

if (server === undefined) skippedWithout('CASSANDRA_CONTACT_POINTS', 'schema of Cassandra')
else {
  it('with MIGRATE=off a keyspace without its last step fails the start with one message, "migrate apply" finishes it, and no data is lost', {
    timeout: 180_000,
  }, async () => {
    await using open = new AsyncDisposableStack()
    const { keyspace } = open.use(await freshKeyspace(server))
    const schema = openCassandraSchema({ ...server, keyspace, schemaFolder }, log)
    open.defer(() => schema.stop())
    await schema.start(signal())
    const apply = async (): Promise<readonly string[]> => {
      const done: string[] = []
      await schema.apply({ signal: signal(), onProgress: (sentence) => done.push(sentence) })
      return done
    }
    const start = async () => {
      const store = cassandraTreeStore({ ...server, keyspace, schemaFolder, migrate: false, log })
      open.defer(() => store.stop())
      await store.start(signal())
      return store
    }
    const refusal = (lacks: string): RegExp =>
      new RegExp(`^The schema of Cassandra lacks ${lacks}, and MIGRATE=off .* run "civigraph migrate apply"`)

    await expect(start()).rejects.toThrow(refusal('0001-content.cql and 3 more'))
    expect(await apply()).toEqual([
      '0001-content.cql applied',
      '0002-import-outlines.cql applied',
      '0003-content-changes.cql applied',
      `${last} applied`,
    ])
    const [orderKey = ''] = keysBetween(undefined, undefined, 1)
    const root = treeNode({ id: 'root', orderKey, title: 'Kept', depth: 0, parentId: null, position: 0 })
    const store = await start()
    await store.write(
      'city',
      async (draft) => {
        await draft.plan([orderKey], signal())
        await draft.put([root], signal())
      },
      signal(),
    )

    const client = new cassandra.Client({ ...server, contactPoints: [...server.contactPoints], keyspace })
    open.defer(() => client.shutdown())
    const undone = async (isRecorded: boolean): Promise<void> => {
      await client.execute('drop table content_trash')
      if (!isRecorded) await client.execute('delete from migration where number = 4')
    }
    for (const [isRecorded, how] of [
      [true, 'interrupted: the next apply completes it'],
      [false, 'missing tables'],
    ] as const) {
      await undone(isRecorded)
      await expect(start()).rejects.toThrow(refusal(last))
      expect((await schema.status(signal())).pending).toEqual([{ name: last, how }])
      expect(await apply()).toEqual([`${last} applied`])
      const again = await start()
      expect((await (await again.latest('city', signal()))?.slice(undefined, 10, signal()))?.map(({ title }) => title)).toEqual(['Kept'])
    }
    expect(await apply()).toEqual([])
  })

  it('creates its keyspace with the configured replicas', { timeout: 180_000 }, async () => {
    await using open = new AsyncDisposableStack()
    const { keyspace } = open.use(await freshKeyspace(server))
    const schema = openCassandraSchema({ ...server, keyspace, schemaFolder, replication: [[server.localDataCenter, 2]] }, log)
    open.defer(() => schema.stop())
    await schema.start(signal())
    // two replicas on one node: rows cannot be written with a quorum, so the step after the keyspace fails
    await schema.apply({ signal: signal(), onProgress: () => undefined }).catch(() => undefined)
    const client = new cassandra.Client({ ...server, contactPoints: [...server.contactPoints] })
    open.defer(() => client.shutdown())
    const { rows } = await client.execute('select replication from system_schema.keyspaces where keyspace_name = ?', [keyspace])
    expect(rows[0]?.get('replication')).toMatchObject({ [server.localDataCenter]: '2' })
  })
}

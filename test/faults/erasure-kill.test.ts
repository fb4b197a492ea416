import pg from 'pg'
import { expect, it } from 'vitest'
import { tokenOf } from '../support/clients/content-client.ts'
import { embeddedUrl, removeDataDir, temporaryDataDir } from '../support/engines/databases.ts'
import { freePortBase } from '../support/processes/free-ports.ts'
import type { System } from '../support/processes/platform.ts'
import { startSystem } from '../support/processes/start-system.ts'

interface Erasure {
  readonly completedAt: string | null
  readonly components: readonly { readonly component: string; readonly isComplete: boolean; readonly erased: readonly object[] }[]
}

it('kill -9 in the middle of an erasure of a citizen: the next process completes it', { timeout: 400_000 }, async () => {
  await using open = new AsyncDisposableStack()
  const dataDir = open.adopt(await temporaryDataDir(), removeDataDir)
  const portBase = await freePortBase()
  const start = (): Promise<System> => startSystem({ components: ['verification', 'administration'], dataDir, portBase })
  const before = await start()
  const send = async <Data>(system: System, query: string, variables: object): Promise<Data> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${await tokenOf(system)}` }
    const response = await fetch(system.graphqlUrl, { method: 'POST', headers, body: JSON.stringify({ query, variables }) })
    return ((await response.json()) as { readonly data: Data }).data
  }
  const connected = async (): Promise<pg.Client> => {
    const database = new pg.Client({ connectionString: await embeddedUrl(dataDir) })
    // otherwise the platform stops its database first
    database.on('error', () => undefined)
    await database.connect()
    open.defer(() => database.end())
    return database
  }
  const file = ['C-1,C-2', 'C-3,C-1', 'C-2,C-3'].map((pair, index) => `d${index},${pair},north,2026-01-01T00:00:00Z`)
  const csv = ['id,delegator,delegate,group_id,starts_at', ...file].join('\n')
  await send(before, 'mutation ($file: String!) { importDelegations(input: { file: $file, format: CSV, dryRun: false }) { created } }', {
    file: csv,
  })

  // the verifications are erased before the delegations
  const [database, holder] = [await connected(), await connected()]
  await holder.query('begin')
  await holder.query(`select id from delegation where id = 'd0' for update`)
  const erasing = 'mutation { eraseCitizen(input: { code: "C-1" }) { erasure { id } } }'
  const lost = send(before, erasing, {}).then(
    () => 'answered',
    () => 'lost',
  )
  const parts = async (): Promise<readonly string[]> =>
    (await database.query<{ component: string }>('select component from citizen_erasure_part where erased_at is not null')).rows.map(
      ({ component }) => component,
    )
  await expect.poll(parts).toEqual(['verification'])
  const [running] = before.processes
  running?.child.kill('SIGKILL')
  await running?.exited
  expect(await lost).toBe('lost')
  await holder.query('rollback')
  // as if half a minute had passed
  await database.query(`update citizen_erasure set touched_at = now() - interval '1 minute'`)

  const after = await start()
  open.use(after)
  const { rows } = await database.query<{ id: string }>('select id from citizen_erasure')
  const progress = async (): Promise<Erasure> => {
    const query = 'query ($id: ID!) { citizenErasure(id: $id) { completedAt components { component isComplete erased { kind count } } } }'
    return (await send<{ citizenErasure: Erasure }>(after, query, { id: rows[0]?.id })).citizenErasure
  }
  await expect.poll(async () => (await progress()).completedAt, { timeout: 30_000 }).not.toBeNull()
  const { components } = await progress()
  expect(components.every(({ isComplete }) => isComplete)).toBe(true)
  expect(components.find(({ component }) => component === 'DELEGATIONS')?.erased).toEqual([
    { kind: 'DELEGATIONS', count: 2 },
    { kind: 'REGISTRATIONS', count: 1 },
  ])
  const remaining = await database.query(`select id from delegation where delegator_code = 'C-1' or delegate_code = 'C-1'`)
  expect(remaining.rows).toEqual([])
})

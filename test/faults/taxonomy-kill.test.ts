import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tokenOf } from '../support/clients/content-client.ts'
import { embeddedUrl, removeDataDir, temporaryDataDir } from '../support/engines/databases.ts'
import { freePortBase } from '../support/processes/free-ports.ts'
import type { System } from '../support/processes/platform.ts'
import { startSystem } from '../support/processes/start-system.ts'

interface Job {
  readonly key: string
  readonly state: string
  readonly examined: number
  readonly total: number | null
}

const count = 120
let dataDir: string
let start: () => Promise<System>
let system: System
const databases: pg.Client[] = []

beforeAll(async () => {
  dataDir = await temporaryDataDir()
  const portBase = await freePortBase()
  start = () => startSystem({ components: ['classification', 'administration'], dataDir, portBase })
  system = await start()
}, 200_000)
afterAll(async () => {
  for (const database of databases) await database.end()
  await system?.stop()
  await removeDataDir(dataDir)
})

// biome-ignore lint/suspicious/noExplicitAny: each test states the shape of the response that it expects
async function send(query: string, variables: object = {}): Promise<any> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${await tokenOf(system)}` }
  const response = await fetch(system.graphqlUrl, { method: 'POST', headers, body: JSON.stringify({ query, variables }) })
  const { data, errors } = (await response.json()) as { readonly data: unknown; readonly errors?: unknown }
  expect(errors).toBeUndefined()
  return data
}

async function connected(): Promise<pg.Client> {
  const database = new pg.Client({ connectionString: await embeddedUrl(dataDir) })
  database.on('error', () => undefined)
  await database.connect()
  databases.push(database)
  return database
}

async function kill(): Promise<void> {
  const [running] = system.processes
  running?.child.kill('SIGKILL')
  await running?.exited
}

const draft = async (): Promise<{
  readonly baseVersion: number
  readonly revision: number
  readonly domains: readonly { readonly key: string }[]
}> => (await send('{ taxonomyDraft { baseVersion revision domains { key } } }')).taxonomyDraft
const publishing =
  'mutation ($revision: Int!) { publishTaxonomyDraft(input: { revision: $revision, note: "Markets" }) { version { number } } }'

it('kill -9 in the middle of a publication: nothing of it is published, and the draft stays', { timeout: 300_000 }, async () => {
  const { revision, baseVersion } = await draft()
  await send(
    'mutation ($revision: Int!) { addTaxonomyDomain(input: { key: "markets", labels: [{ lang: "fr", text: "Marchés" }], revision: $revision }) { draft { revision } } }',
    { revision },
  )
  const [database, holder] = [await connected(), await connected()]
  await holder.query('begin')
  // the publication has written its domains when it ends the draft
  await holder.query('select from taxonomy_draft for update')
  const lost = send(publishing, { revision: revision + 1 }).then(
    () => 'answered',
    () => 'lost',
  )
  const waits = `select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and query like '%taxonomy_draft%'`
  await expect.poll(async () => (await database.query(waits)).rows, { timeout: 30_000 }).toEqual([{ count: 1 }])
  await kill()
  expect(await lost).toBe('lost')
  await holder.query('rollback')

  system = await start()
  const { rows } = await database.query(`select id from domain where id = 'markets'`)
  const { rows: jobs } = await database.query(`select id from taxonomy_job`)
  expect([rows, jobs]).toEqual([[], []])
  const after = await draft()
  expect([after.baseVersion, after.revision, after.domains.map(({ key }) => key)]).toEqual([
    baseVersion,
    revision + 1,
    expect.arrayContaining(['markets']),
  ])
  expect((await send(publishing, { revision: after.revision })).publishTaxonomyDraft.version.number).toBe(baseVersion + 1)
})

it('kill -9 in the middle of a re-classification: the next process completes it', { timeout: 300_000 }, async () => {
  const expressions = Array.from({ length: count }, (_, n) => ({
    text: `Le marché numéro ${n} est fermé`,
    source: 'kill',
    externalId: `k${n}`,
  }))
  const ingesting =
    'mutation ($expressions: [IngestExpressionInput!]!) { ingestExpressions(input: { expressions: $expressions }) { refused } }'
  // a slow machine refuses some
  const refused = async () => (await send(ingesting, { expressions })).ingestExpressions.refused
  await expect.poll(refused, { timeout: 120_000 }).toBe(0)
  const database = await connected()
  const stored = async () => (await database.query<{ count: number }>('select count(*)::int as count from expression')).rows[0]?.count
  await expect.poll(stored, { timeout: 60_000 }).toBe(count)
  await send('mutation { reclassifyExpressions(input: { rate: 20, filter: { outdatedOnly: false } }) { reclassification { key } } }')
  const requested = async (): Promise<Job | undefined> =>
    (await send('{ taxonomyReclassifications(first: 1) { nodes { key state examined total } } }')).taxonomyReclassifications.nodes[0]
  await expect.poll(async () => (await requested())?.examined ?? 0, { timeout: 60_000, interval: 100 }).toBeGreaterThan(10)
  const before = await requested()
  await kill()
  system = await start()
  await expect.poll(async () => (await requested())?.state, { timeout: 90_000, interval: 500 }).toBe('DONE')
  expect(before?.examined).toBeLessThan(count)
  expect(await requested()).toEqual({ key: before?.key, state: 'DONE', examined: count, total: count })
})

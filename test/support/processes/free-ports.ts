import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** One file per reserved port range, named by its first port, with the pid of its owner: suites and runs execute concurrently. */
const claims = join(tmpdir(), 'civigraph-test-ports')
/** GraphQL and REST, metrics, subgraphs, metrics of single roles */
const offsets = [0, 1, 2, 3, 4, 5, 9, 11, 12, 13, 14, 15, ...Array.from({ length: 14 }, (_, role) => 20 + role)]

/** Reserves forty consecutive ports below the ephemeral range, for the lifetime of this process. */
export async function freePortBase(): Promise<number> {
  await mkdir(claims, { recursive: true })
  for (let tries = 0; tries < 200; tries++) {
    const base = 18_000 + Math.floor(Math.random() * 360) * 40
    if (!(await claim(base))) continue
    const free = await Promise.all(offsets.map((offset) => isFree(base + offset)))
    if (free.every(Boolean)) return base
  }
  throw new Error('no forty free ports in a row')
}

/** A platform listens seconds after its ports were found free: until then only this file reserves them. */
async function claim(base: number): Promise<boolean> {
  const file = join(claims, String(base))
  const holder = Number(await readFile(file, 'utf8').catch(() => ''))
  if (holder > 0 && !lives(holder)) await rm(file, { force: true })
  return writeFile(file, String(process.pid), { flag: 'wx' }).then(
    () => true,
    () => false,
  )
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}

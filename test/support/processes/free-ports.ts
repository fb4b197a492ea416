import { createServer } from 'node:net'

const given = new Set<number>()
/** GraphQL and REST, metrics, subgraphs, metrics of single roles */
const offsets = [0, 1, 2, 3, 4, 5, 9, 11, 12, 13, 14, 15, ...Array.from({ length: 14 }, (_, role) => 20 + role)]

/** Forty ports in a row, below those that the system gives to clients; suites and tests that run side by side never get the same. */
export async function freePortBase(): Promise<number> {
  const { VITEST_POOL_ID: worker } = process.env
  // what all workers share is started outside of them
  const lane = worker === undefined ? 3 : Number(worker) % 3
  for (let tries = 0; tries < 200; tries++) {
    const base = 18_000 + Math.floor(Math.random() * 90) * 160 + lane * 40
    const free = await Promise.all(offsets.map((offset) => isFree(base + offset)))
    if (given.has(base) || !free.every(Boolean)) continue
    given.add(base)
    return base
  }
  throw new Error('no forty free ports in a row')
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}

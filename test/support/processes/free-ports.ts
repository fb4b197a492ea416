import { createServer } from 'node:net'

const given = new Set<number>()

/** Twenty ports in a row, below those that the system gives to clients; suites and tests that run side by side never get the same. */
export async function freePortBase(): Promise<number> {
  const { VITEST_POOL_ID: worker } = process.env
  // what all workers share is started outside of them
  const lane = worker === undefined ? 3 : Number(worker) % 3
  for (let tries = 0; tries < 200; tries++) {
    const base = 20_000 + Math.floor(Math.random() * 150) * 80 + lane * 20
    const free = await Promise.all([0, 1, 2, 3, 4, 5, 9, 11, 12, 13, 14, 15].map((offset) => isFree(base + offset)))
    if (given.has(base) || !free.every(Boolean)) continue
    given.add(base)
    return base
  }
  throw new Error('no sixteen free ports in a row')
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}

import { expect, it } from 'vitest'
import { FairQueue, type FairQueueOptions } from '../../../foundation/concurrency/fair-queue.ts'

const usual: FairQueueOptions = { maxAtOnce: 2, maxPerOwner: 16, maxWaiting: 512, maxWaitMs: 60_000 }

/** Starts operations that last until they are released one by one, and records the order in which they start. */
function operations(options: Partial<FairQueueOptions> = {}) {
  const turns = new FairQueue({ ...usual, ...options })
  const started: string[] = []
  const running: (() => void)[] = []
  const add = (owner: string, isPreferred = false): Promise<string> =>
    turns
      .run(
        { name: owner, isPreferred },
        () => {
          started.push(owner)
          return new Promise<string>((resolve) => running.push(() => resolve('done')))
        },
        (reason) => new Error(reason),
      )
      .catch((error: Error) => error.message)
  const release = async (): Promise<void> => {
    running.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { add, started, release }
}

it('lets one address that sends 70 requests at once queue 16, and admits another address after one of them', async () => {
  const { add, started, release } = operations()
  const flood = Array.from({ length: 70 }, () => add('flood'))
  const refused = (await Promise.all(flood.slice(18))).filter((outcome) => outcome === 'owner')
  expect(refused).toHaveLength(52)
  void add('administrator')
  await release()
  await release()
  expect(started).toEqual(['flood', 'flood', 'flood', 'administrator'])
  for (let released = 0; released < 20; released++) await release()
  expect(started).toHaveLength(19)
  void add('later')
  expect(started.at(-1)).toBe('later')
})

it('refuses requests above the queue limits and requests that waited too long', async () => {
  const { add, release, started } = operations({ maxAtOnce: 1, maxWaiting: 1, maxWaitMs: -1 })
  void add('one')
  const waiting = add('two')
  expect(await add('three')).toBe('all')
  await release()
  expect(await waiting).toBe('late')
  void add('four')
  expect(started).toEqual(['one', 'four'])
})

it('admits preferred owners before all others, also when no other may wait', async () => {
  const { add, release, started } = operations({ maxAtOnce: 1, maxWaiting: 2 })
  for (const address of ['one', 'two', 'three']) void add(address)
  expect(await add('four')).toBe('all')
  void add('known device', true)
  await release()
  await release()
  expect(started).toEqual(['one', 'known device', 'two'])
})

it('admits another owner after some preferred ones, which could otherwise shut it out', async () => {
  const { add, release, started } = operations({ maxAtOnce: 1, maxPreferredInARow: 2 })
  void add('one')
  for (let sent = 0; sent < 5; sent++) void add('known device', true)
  for (const address of ['two', 'three']) void add(address)
  for (let released = 0; released < 8; released++) await release()
  const device = 'known device'
  expect(started).toEqual(['one', device, device, 'two', device, device, 'three', device])
})

it('begins the work of another owner at once beside an owner that may have no more running', async () => {
  const { add, release, started } = operations({ maxAtOnce: 3, maxAtOncePerOwner: 2 })
  for (let sent = 0; sent < 5; sent++) void add('flood')
  expect(started).toEqual(['flood', 'flood'])
  void add('other')
  expect(started).toEqual(['flood', 'flood', 'other'])
  void add('third')
  // of the flood, whose next work would be the third at once beside those of the others
  await release()
  expect(started.slice(3)).toEqual(['flood'])
  for (let released = 0; released < 8; released++) await release()
  expect(started.toSorted()).toEqual(['flood', 'flood', 'flood', 'flood', 'flood', 'other', 'third'])
  for (const owner of ['flood', 'flood', 'flood', 'other']) void add(owner)
  expect(started.slice(7)).toEqual(['flood', 'flood', 'other'])
})

it('forgets a request that is aborted while it waits, and its owner', async () => {
  const turns = new FairQueue({ ...usual, maxAtOnce: 1, maxPerOwner: 1 })
  const first = Promise.withResolvers<void>()
  const refusal = (reason: string): Error => new Error(reason)
  const running = turns.run({ name: 'one' }, () => first.promise, refusal)
  const end = new AbortController()
  const aborted = turns.run({ name: 'two' }, async () => 'begun', refusal, end.signal)
  end.abort(new Error('the client has left'))
  await expect(aborted).rejects.toThrow('the client has left')
  await expect(turns.run({ name: 'two' }, async () => 'begun', refusal, end.signal)).rejects.toThrow('the client has left')
  const next = turns.run({ name: 'two' }, async () => 'begun', refusal)
  first.resolve()
  await running
  expect(await next).toBe('begun')
})

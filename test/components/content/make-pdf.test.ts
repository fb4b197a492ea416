import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { treeSnapshots } from '../../../engines/tree-store/tree-snapshot.ts'
import type { TreeStore } from '../../../engines/tree-store/tree-store.ts'
import type { Typesetter } from '../../../engines/typesetting/typesetter.ts'
import { systemClock } from '../../../foundation/clock.ts'
import { EngineUnavailable, Forbidden } from '../../../foundation/fault.ts'
import { PdfGenerator } from '../../../subgraphs/content/pdf/pdf-generator.ts'
import { storeCircuit } from '../../../subgraphs/content/tree/store-circuit.ts'
import { TreeAccess } from '../../../subgraphs/content/tree/tree-access.ts'
import { openTrees, randomTree, type Trees } from './support.ts'

const signal = (): AbortSignal => AbortSignal.timeout(60_000)
const memoryBytes = 2 ** 31
const anyone = async (tenant: string): Promise<string> => tenant

describe('the PDF of a tree', () => {
  let trees: Trees
  let folder: string
  let isUnavailable = false
  let store: TreeStore
  const snapshots = () => treeSnapshots(folder)
  beforeAll(async () => {
    trees = await openTrees()
    folder = await mkdtemp(join(tmpdir(), 'civigraph-pdf-'))
    const orUnavailable = <Rest extends readonly unknown[], Result>(work: (...rest: Rest) => Promise<Result>) => {
      return async (...rest: Rest): Promise<Result> => {
        if (isUnavailable) throw new EngineUnavailable('content store')
        return work(...rest)
      }
    }
    store = { ...trees.store, latest: orUnavailable(trees.store.latest), view: orUnavailable(trees.store.view) }
  })
  afterAll(async () => {
    await trees?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  /** A typesetter that writes titles, one per line, so that the file shows its input. */
  const lines = (beforeEnd: () => Promise<unknown> = async () => undefined): Typesetter & { readonly set: string[] } => {
    const set: string[] = []
    return {
      set,
      async typeset({ chapters }) {
        const titles: string[] = []
        for await (const some of chapters) titles.push(...some.map(({ depth, title }) => `${depth} ${title}`))
        await beforeEnd()
        set.push(titles.join('\n'))
        return Buffer.from(titles.join('\n'))
      },
    }
  }
  const pdfWith = (typesetter: Typesetter, limit = memoryBytes): PdfGenerator =>
    new PdfGenerator(new TreeAccess(store, snapshots(), storeCircuit(systemClock)), typesetter, { memoryBytes: limit })
  const text = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString()

  it('has the node and its subtree in order, and no other nodes', async () => {
    const tenant = trees.newTenant()
    await trees.bring(tenant, randomTree(1700, 3))
    const pdf = pdfWith(lines())
    const all = (await trees.all(tenant)).map(({ depth, title }) => `${depth} ${title}`)
    const whole = await pdf.file(tenant, undefined, signal())
    expect(text(whole?.made?.bytes).split('\n')).toEqual(all)
    expect(whole?.fileId).toBe((await pdf.file(tenant, 'n0', signal()))?.fileId)
    const nodes = await trees.all(tenant)
    const from = nodes.findIndex(({ depth, childrenCount }) => depth === 2 && childrenCount > 1)
    const top = nodes[from]
    const to = nodes.findIndex(({ depth }, at) => at > from && depth <= 2)
    const part = await pdf.file(tenant, top?.id, signal())
    const inside = nodes.slice(from, to < 0 ? undefined : to).map(({ depth, title }) => `${depth - 2} ${title}`)
    expect(text(part?.made?.bytes).split('\n')).toEqual(inside)
    expect(await pdf.file(tenant, 'none', signal())).toBeUndefined()
    expect(await pdf.file(trees.newTenant(), 'n0', signal())).toBeUndefined()
    expect(await pdf.file(trees.newTenant(), undefined, signal())).toBeUndefined()
  })

  it('is built once per version for concurrent requests, and again for the next version', async () => {
    const tenant = trees.newTenant()
    await trees.bring(tenant, [{ id: 'r', title: 'One' }])
    const typesetter = lines(() => sleep(50))
    const pdf = pdfWith(typesetter)
    const all = await Promise.all(Array.from({ length: 10 }, () => pdf.file(tenant, undefined, signal())))
    expect([new Set(all.map((each) => each?.made?.sha256)).size, typesetter.set]).toEqual([1, ['0 One']])
    await trees.bring(tenant, [{ id: 'r', title: 'Two' }])
    expect(text((await pdf.file(tenant, undefined, signal()))?.made?.bytes)).toBe('0 Two')
    // an earlier id remains readable, also on a process that did not build the file
    const former = all[0]?.fileId ?? ''
    expect(text(await pdfWith(lines()).open(former, anyone, signal()))).toBe('0 One')
    for (const id of ['', 'content', `content.${tenant}.9.r`, `content.${tenant}.1.none`, `content.${tenant}.x.r`, 'content.../etc.1.r'])
      await expect(pdf.open(id, anyone, signal())).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const refuse = async (): Promise<string> => {
      throw new Forbidden()
    }
    await expect(pdf.open(former, refuse, signal())).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  it('has an id without a file while it is being built, and later requests continue the build', { timeout: 120_000 }, async () => {
    const tenant = trees.newTenant()
    await trees.bring(tenant, [{ id: 'r', title: 'Slow' }])
    let finish: (() => void) | undefined
    const typesetter = lines(
      () =>
        new Promise<void>((resolve) => {
          finish = resolve
        }),
    )
    const pdf = pdfWith(typesetter)
    const leaving = AbortSignal.timeout(300)
    await expect(pdf.file(tenant, undefined, leaving)).rejects.toBeDefined()
    expect(await pdf.file(tenant, undefined, signal())).toMatchObject({ made: undefined })
    finish?.()
    expect((await pdf.file(tenant, undefined, signal()))?.made).toBeDefined()
    expect(typesetter.set).toEqual(['0 Slow'])
  })

  it('is cancelled soon after its last caller disconnects, and built on the next request', { timeout: 120_000 }, async () => {
    const tenant = trees.newTenant()
    await trees.bring(tenant, [{ id: 'r', title: 'Wanted' }])
    const signals: AbortSignal[] = []
    const typesetter = lines()
    const slow: Typesetter = {
      async typeset(publication, until) {
        signals.push(until)
        if (signals.length === 1) await sleep(600_000, undefined, { signal: until, ref: false })
        return typesetter.typeset(publication, until)
      },
    }
    const pdf = new PdfGenerator(new TreeAccess(store, snapshots(), storeCircuit(systemClock)), slow, { memoryBytes, abandonedMs: 1000 })
    const [first, second] = [new AbortController(), new AbortController()]
    const requestPdf = (caller: AbortController): Promise<unknown> => pdf.file(tenant, undefined, caller.signal).catch(() => undefined)
    const disconnects = async (caller: AbortController, asking: Promise<unknown>): Promise<void> => {
      caller.abort()
      await asking
    }
    const asking = requestPdf(first)
    await expect.poll(() => signals.length).toBe(1)
    await disconnects(first, asking)
    // a new request in time continues the build
    const again = requestPdf(second)
    await sleep(1500)
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
    await disconnects(second, again)
    await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true])
    expect((await pdf.file(tenant, undefined, signal()))?.made).toBeDefined()
    expect([signals.length, typesetter.set]).toEqual([2, ['0 Wanted']])
  })

  it('is refused above the size limit before typesetting, and the error states the limit', async () => {
    const tenant = trees.newTenant()
    await trees.bring(tenant, randomTree(1200, 5))
    const pdf = pdfWith(lines(), 330_000_000)
    const tooLarge = { code: 'TOO_LARGE', message: expect.stringContaining('1000 nodes or 144444 characters') }
    await expect(pdf.file(tenant, undefined, signal())).rejects.toMatchObject(tooLarge)
    await expect(pdf.file(tenant, undefined, signal())).rejects.toMatchObject(tooLarge)
    const leaf = (await trees.all(tenant)).find(({ childrenCount }) => childrenCount === 0)
    expect((await pdf.file(tenant, leaf?.id, signal()))?.made).toBeDefined()
    const wordy = trees.newTenant()
    await trees.bring(wordy, [
      { id: 'r', title: 'r' },
      { id: 'a', title: 'a', parentId: 'r', body: 'x'.repeat(150_000) },
    ])
    await expect(pdf.file(wordy, undefined, signal())).rejects.toMatchObject(tooLarge)
  })

  it('is built from the snapshot while the store is unavailable: the same file', async () => {
    const tenant = trees.newTenant()
    await trees.bring(tenant, randomTree(50, 7))
    const view = await trees.store.latest(tenant, signal())
    if (view === undefined) throw new Error('there is no tree')
    await snapshots().write(view, signal())
    const before = await pdfWith(lines()).file(tenant, undefined, signal())
    isUnavailable = true
    try {
      const after = await pdfWith(lines()).file(tenant, undefined, signal())
      expect([before?.reading.source, after?.reading.source]).toEqual(['store', 'snapshot'])
      expect([after?.fileId, after?.made?.sha256]).toEqual([before?.fileId, before?.made?.sha256])
      expect(text(await pdfWith(lines()).open(after?.fileId ?? '', anyone, signal()))).toBe(text(before?.made?.bytes))
    } finally {
      isUnavailable = false
    }
  })
})

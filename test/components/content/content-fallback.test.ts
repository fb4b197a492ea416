import { mkdtemp, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ContentFallback, contentFallback } from '../../../engines/tree-store/fallback/content-fallback.ts'
import { fileRecords } from '../../../engines/tree-store/fallback/file-records.ts'
import { treeSnapshots } from '../../../engines/tree-store/tree-snapshot.ts'
import type { TreeStore } from '../../../engines/tree-store/tree-store.ts'
import type { Typesetter } from '../../../engines/typesetting/typesetter.ts'
import { systemClock } from '../../../foundation/clock.ts'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import { silentLog } from '../../../foundation/log.ts'
import { PdfGenerator } from '../../../subgraphs/content/pdf/pdf-generator.ts'
import { storeCircuit } from '../../../subgraphs/content/tree/store-circuit.ts'
import { TreeAccess } from '../../../subgraphs/content/tree/tree-access.ts'

const signal = AbortSignal.timeout(60_000)
const node = (id: string, parent_id: string | null, more: object = {}) => ({
  id,
  parent_id,
  title: `Title ${id} "]} é`,
  tenant_id: 'news',
  ...more,
})
const tree = [node('root', null), node('b', 'root', { position: 2 }), node('a', 'root', { position: 1, body: 'text' }), node('c', 'a')]

describe('the content fallback of an operator', () => {
  let given: string
  let own: string
  const running: ContentFallback[] = []
  beforeEach(async () => {
    given = await mkdtemp(join(tmpdir(), 'civigraph-given-'))
    own = await mkdtemp(join(tmpdir(), 'civigraph-own-'))
  })
  afterEach(async () => {
    for (const each of running.splice(0)) await each.upkeep.stop()
    await Promise.all([given, own].map((folder) => rm(folder, { recursive: true, force: true })))
  })
  const started = async (path: string, folder = own): Promise<ContentFallback> => {
    const fallback = contentFallback({ path, folder, log: silentLog })
    await fallback.upkeep.start(signal)
    running.push(fallback)
    return fallback
  }
  const titles = async (fallback: ContentFallback, tenant = 'news') =>
    (await (await fallback.latest(tenant))?.slice(undefined, 100, signal))?.map(
      ({ id, depth, childrenCount }) => `${depth} ${id} ${childrenCount}`,
    )
  const expected = ['0 root 2', '1 a 1', '2 c 0', '1 b 0']
  const refusal = async (name: string, content: string) => {
    await writeFile(join(given, name), content)
    const fallback = await started(join(given, name))
    await expect.poll(() => fallback.problems()).toHaveLength(1)
    expect(await fallback.latest('news')).toBeUndefined()
    return fallback.problems()[0]
  }

  it.each([
    ['export.json', JSON.stringify(tree, null, 1)],
    ['export.json', `\ufeff ${JSON.stringify(tree.toReversed())}\n`],
    ['export.ndjson', tree.map((each) => JSON.stringify(each)).join('\n')],
    ['export.ndjson', `${tree.map((each) => JSON.stringify(each)).join('\r\n\n')}\n`],
  ])('is read from %s in any order, with the date of the file', async (name, content) => {
    const path = join(given, name)
    await writeFile(path, content)
    const at = new Date('2026-03-04T05:06:07Z')
    await utimes(path, at, at)
    const fallback = await started(path)
    await expect.poll(() => titles(fallback)).toEqual(expected)
    const view = await fallback.latest('news')
    expect(view?.version).toMatchObject({ tenant: 'news', at })
    expect(await view?.children('root', undefined, 10, signal)).toMatchObject([
      { id: 'a', title: 'Title a "]} é', body: 'text' },
      { id: 'b' },
    ])
    expect(await fallback.latest('other')).toBeUndefined()
  })

  it('is shared by processes, and follows a new file', async () => {
    const path = join(given, 'news.ndjson')
    await writeFile(path, tree.map((each) => JSON.stringify(each)).join('\n'))
    const other = await mkdtemp(join(tmpdir(), 'civigraph-own-'))
    const both = [await started(given), await started(given, other)]
    for (const each of both) await expect.poll(() => titles(each)).toEqual(expected)
    expect((await stat(given)).isDirectory()).toBe(true)
    await rm(other, { recursive: true, force: true })
  })

  it.each([
    ['two roots', [node('a', null), node('b', null)], 'the file has two roots, a and b'],
    ['a missing parent', [node('a', null), node('b', 'x')], 'the parent x of the node b is missing'],
    ['a cycle', [node('a', null), node('b', 'c'), node('c', 'b')], 'the node b is its own ancestor: the parents form a cycle'],
    ['only a cycle', [node('b', 'c'), node('c', 'b')], 'the parents form a cycle'],
    ['a repeated id', [node('a', null), node('a', 'a')], 'the id a occurs twice'],
    ['another tenant', [node('a', null), node('b', 'a', { tenant_id: 'other' })], 'belongs to the tenant other, not to news'],
    ['no title', [{ id: 'a' }], 'is not an exported node: title'],
    ['no records', [], 'the file has no records'],
  ])('is refused with a sentence for %s', async (_, rows, sentence) => {
    const content = JSON.stringify(rows)
    expect(await refusal('export.json', content)).toContain(sentence)
  })

  it('is refused when it is incomplete, or of another tenant than its name', async () => {
    expect(await refusal('cut.json', JSON.stringify(tree).slice(0, -20))).toContain('it is incomplete')
    expect(await refusal('cut.ndjson', JSON.stringify(tree[0]).slice(0, -5))).toContain('the record at byte 0 is not JSON')
    expect(await refusal('twice.json', JSON.stringify(tree).repeat(2))).toContain('continues after its JSON array')
    expect(await refusal('numbers.json', '[1, 2]')).toContain('an element that is not an object')
    await writeFile(join(given, 'sport.json'), JSON.stringify(tree))
    const folder = await started(given, join(own, 'folder'))
    await expect.poll(() => folder.problems().join()).toContain('belongs to the tenant news, not to sport')
    expect(await folder.latest('sport')).toBeUndefined()
  })

  it('reads records across the boundaries of chunks', async () => {
    const path = join(given, 'large.json')
    const rows = Array.from({ length: 3000 }, (_, index) => ({ id: `n${index}`, body: `${'x'.repeat(index)}\\"[{` }))
    await writeFile(path, JSON.stringify(rows))
    const read: unknown[] = []
    for await (const { bytes } of fileRecords(path, signal)) read.push(JSON.parse(bytes.toString('utf8')))
    expect(read).toEqual(rows)
  })

  it('is set as a PDF while the store is unavailable, and its bytes are read by the id of the file', async () => {
    await writeFile(join(given, 'news.json'), JSON.stringify(tree))
    const fallback = await started(given)
    await expect.poll(() => titles(fallback)).toEqual(expected)
    const unavailable = async (): Promise<never> => {
      throw new EngineUnavailable('content store')
    }
    const store: TreeStore = Object.assign(Object.create(null), { latest: unavailable, view: unavailable })
    const typesetter: Typesetter = {
      async typeset({ chapters }) {
        const lines = await Array.fromAsync(chapters, (some) => some.map(({ title }) => title).join())
        return Buffer.from(lines.join())
      },
    }
    const pdf = () => new PdfGenerator(new TreeAccess(store, fallback, storeCircuit(systemClock)), typesetter, { memoryBytes: 2 ** 31 })
    const file = await pdf().file('news', undefined, signal)
    expect(file?.reading.source).toBe('snapshot')
    // another process
    const bytes = await pdf().open(file?.fileId ?? '', async (tenant) => tenant, signal)
    expect(Buffer.from(bytes).toString()).toBe(['root', 'a', 'c', 'b'].map((id) => node(id, null).title).join())
  })

  it('does not replace a snapshot by one of another tenant', async () => {
    const problems: string[] = []
    const snapshots = treeSnapshots(own, (problem) => problems.push(problem))
    const path = join(given, 'export.json')
    await writeFile(path, JSON.stringify(tree))
    const fallback = await started(path)
    await expect.poll(() => titles(fallback)).toEqual(expected)
    await rename(join(own, 'news.index.json'), join(own, 'other.index.json'))
    expect(await snapshots.latest('other')).toBeUndefined()
    expect(problems[0]).toMatch(/is refused: it belongs to the tenant news, not to other$/)
  })
})

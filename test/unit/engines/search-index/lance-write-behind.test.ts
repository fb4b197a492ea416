import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WriteBehind } from '../../../../engines/search-index/lancedb/lance-write-behind.ts'
import type { IndexedExpression } from '../../../../engines/search-index/search-index.ts'
import { EngineUnavailable } from '../../../../foundation/fault.ts'

const row = (id: string, version = 1): IndexedExpression => ({
  id,
  text: '',
  lang: 'und',
  domain: null,
  subDomain: null,
  sentiment: null,
  position: null,
  createdAt: new Date(0),
  embedding: new Float32Array(768),
  document: '{}',
  version,
})

/** A table that can be away, or hold its writes, and says what was written to it. */
function openTable() {
  const writes: string[] = []
  const table = { isUnavailable: false, held: Promise.resolve(), writes, behind: undefined as unknown as WriteBehind }
  const write = (how: string) => async (rows: readonly IndexedExpression[]) => {
    await table.held
    if (table.isUnavailable) throw new EngineUnavailable('search index', new Error('away'))
    writes.push(`${how} ${rows.map(({ id, version }) => `${id}.${version}`).join(' ')}`)
  }
  table.behind = new WriteBehind({ add: write('add'), merge: write('merge') })
  onTestFinished(() => table.behind.close())
  return table
}

describe('writes behind a table', () => {
  it('are gathered, and hurried by whoever reads', async () => {
    const { behind, writes } = openTable()
    await Promise.all(['a', 'b'].map((id) => behind.put([row(id)], true)))
    await behind.put([row('c')], false)
    expect([writes, behind.get('b')?.id]).toEqual([[], 'b'])
    await behind.settle()
    expect([writes, behind.get('b')]).toEqual([['add a.1 b.1', 'merge c.1'], undefined])
    await behind.put([row('d')], true)
    await expect.poll(() => writes.at(-1)).toBe('add d.1')
  })

  it('are kept while the table is away: readers do not wait for them nor are told of them, who puts more waits, none is added twice', async () => {
    const table = openTable()
    const { behind, writes } = table
    table.isUnavailable = true
    await behind.put([row('a')], true)
    await behind.settle()
    await behind.settle()
    expect(behind.get('a')).toBe(undefined)
    let isWritten = false
    const second = behind.put([row('b')], true).then(() => (isWritten = true))
    await sleep(400)
    expect([writes, isWritten]).toEqual([[], false])
    table.isUnavailable = false
    await second
    await expect.poll(() => writes.flatMap((each) => each.split(' ').slice(1)).sort()).toEqual(['a.1', 'b.1'])
    expect(writes.filter((each) => each.startsWith('add') && each.includes('a.1'))).toEqual([])
    await behind.put([row('c')], true)
    expect(behind.get('c')?.id).toBe('c')
  })

  it('that are late are waited for by whoever puts more, and readers are not told of them', async () => {
    const table = openTable()
    const { behind } = table
    const { promise, resolve: release } = Promise.withResolvers<void>()
    table.held = promise
    await behind.put([row('a')], true)
    expect(behind.get('a')?.id).toBe('a')
    await behind.settle()
    await behind.settle()
    expect([table.writes, behind.get('a')]).toEqual([[], undefined])
    const second = behind.put([row('b')], true)
    release()
    await second
    expect([table.writes, behind.get('b')]).toEqual([['add a.1', 'add b.1'], undefined])
  })

  it('are not done for what was removed or replaced meanwhile', async () => {
    const table = openTable()
    const { behind, writes } = table
    table.isUnavailable = true
    await behind.put([row('a'), row('b'), row('c', 2)], true)
    await behind.settle()
    behind.forget(['a'])
    table.isUnavailable = false
    await Promise.all([behind.put([row('b', 2)], false), behind.put([row('c')], false)])
    await expect.poll(() => writes.flatMap((each) => each.split(' ').slice(1)).sort()).toEqual(['b.2', 'c.2'])
  })

  it('refuse more than ten thousand that wait', async () => {
    const table = openTable()
    table.isUnavailable = true
    await table.behind.put(
      Array.from({ length: 10_000 }, (_, n) => row(`${n}`)),
      true,
    )
    await expect(table.behind.put([row('one more')], true)).rejects.toThrow(EngineUnavailable)
  })

  it('are done when it is closed', async () => {
    const { behind, writes } = openTable()
    await behind.put([row('a')], true)
    await behind.close()
    expect(writes).toEqual(['add a.1'])
  })
})

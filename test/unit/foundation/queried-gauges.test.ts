import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { queriedGauges } from '../../../foundation/process/metrics.ts'

/** Returns two gauges over one query, whose results the test resolves. */
function gauges(limitMs?: number) {
  const registry = new Registry()
  const queries: PromiseWithResolvers<number>[] = []
  const queryCount = (): Promise<number> => {
    const query = Promise.withResolvers<number>()
    queries.push(query)
    return query.promise
  }
  const add = queriedGauges(registry, queryCount, limitMs)
  add('jobs', 'Jobs', (all) => all)
  add('jobs_by_state', 'Jobs', (all) => ({ queued: all }), 'state')
  const read = async () => (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return { queries, read }
}

describe('gauges that query the database', () => {
  it('send one query for a hundred concurrent readers', async () => {
    const { queries, read } = gauges()
    const reading = Array.from({ length: 100 }, read)
    await expect.poll(() => queries.length).toBe(1)
    queries[0]?.resolve(7)
    for (const lines of await Promise.all(reading)) expect(lines).toEqual(['jobs 7', 'jobs_by_state{state="queued"} 7'])
    expect(queries).toHaveLength(1)
  })

  it('report nothing and send no further query while one is unanswered, and do not block readers', async () => {
    const { queries, read } = gauges(1)
    expect(await read()).toEqual([])
    expect(await read()).toEqual([])
    expect(queries).toHaveLength(1)
    queries[0]?.reject(new Error('unavailable'))
    await expect.poll(() => read().then(() => queries.length)).toBe(2)
    queries[1]?.resolve(8)
    await expect
      .poll(async () => {
        const lines = read()
        for (const query of queries) query.resolve(8)
        return await lines
      })
      .toEqual(['jobs 8', 'jobs_by_state{state="queued"} 8'])
  })
})

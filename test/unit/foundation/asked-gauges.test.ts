import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { queriedGauges } from '../../../foundation/process/metrics.ts'

/** Two gauges over one question, of which it is said here when it is answered. */
function gauges(limitMs?: number) {
  const registry = new Registry()
  const questions: PromiseWithResolvers<number>[] = []
  const ask = (): Promise<number> => {
    const question = Promise.withResolvers<number>()
    questions.push(question)
    return question.promise
  }
  const add = queriedGauges(registry, ask, limitMs)
  add('jobs', 'Jobs', (all) => all)
  add('jobs_by_state', 'Jobs', (all) => ({ queued: all }), 'state')
  const read = async () => (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return { questions, read }
}

describe('gauges that are asked of the database', () => {
  it('ask once for a hundred who read them at once', async () => {
    const { questions, read } = gauges()
    const reading = Array.from({ length: 100 }, read)
    await expect.poll(() => questions.length).toBe(1)
    questions[0]?.resolve(7)
    for (const lines of await Promise.all(reading)) expect(lines).toEqual(['jobs 7', 'jobs_by_state{state="queued"} 7'])
    expect(questions).toHaveLength(1)
  })

  it('tell nothing, and ask nothing more, as long as there is no answer, and keep nobody waiting', async () => {
    const { questions, read } = gauges(1)
    expect(await read()).toEqual([])
    expect(await read()).toEqual([])
    expect(questions).toHaveLength(1)
    questions[0]?.reject(new Error('away'))
    await expect.poll(() => read().then(() => questions.length)).toBe(2)
    questions[1]?.resolve(8)
    await expect
      .poll(async () => {
        const lines = read()
        for (const question of questions) question.resolve(8)
        return await lines
      })
      .toEqual(['jobs 8', 'jobs_by_state{state="queued"} 8'])
  })
})

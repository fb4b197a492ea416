import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Simulations } from '../../../subgraphs/administration/simulation/simulations.ts'
import { type Administration, startAdministration } from '../../support/clients/administration.ts'

describe('the thread of simulations', () => {
  let administration: Administration
  beforeAll(async () => {
    administration = await startAdministration()
  })
  afterAll(() => administration?.[Symbol.asyncDispose]())

  it('receives one task at a time, and none of callers that have left', async () => {
    const simulations = new Simulations(administration.engines.database)
    const question = { domains: [], scope: 'all', groups: 'all', atMs: undefined } as const
    const scenario = { directVoters: [], add: [], remove: { ids: [], delegators: [], delegates: [] } }
    const figures = (signal: AbortSignal) =>
      simulations.answer(({ at }) => ({ kind: 'figures', question, scenario, todayMs: at.getTime() }), signal)
    const patient = new AbortController().signal
    await figures(patient)
    const leaving = new AbortController()
    const post = Worker.prototype.postMessage
    const posted = vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, ...message) {
      leaving.abort()
      post.apply(this, message)
    })
    const outcomes = Promise.allSettled(Array.from({ length: 15 }, () => figures(leaving.signal)))
    expect((await outcomes).every(({ status }) => status === 'rejected')).toBe(true)
    expect(await figures(patient)).toMatchObject({ answer: { figures: { electorate: 0 } } })
    expect(posted).toHaveBeenCalledTimes(2)
    posted.mockRestore()
  })
})

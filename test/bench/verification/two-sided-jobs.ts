import { setTimeout as sleep } from 'node:timers/promises'
import type { Benchmark, Variant } from '../support/harness.ts'
import {
  acknowledgeAll,
  end,
  peakMegabytes,
  photographed,
  processorMilliseconds,
  quantile,
  startWorkerPlatform,
  type WorkerPlatform,
} from './worker-platform.ts'

/** Jobs in a run (JOBS); fewer on a busy machine, where the threads of models get processor time last. */
const measured = Number(process.env.JOBS ?? 30)
const warmUp = 4
const { MODELS_DIR: modelsFolder } = process.env

/** Duration of a job that does not wait for others, and memory of its worker: with the models of MODELS_DIR, and without models. */
export const twoSidedJobs: Benchmark = {
  name: 'two-sided-jobs',
  about: `${measured} photographed cards with both sides and a selfie, over REST to one worker in its own process; milliseconds from claim to result, processor milliseconds and megabytes`,
  target: 'with the installed models and one job at a time, p50 under 1,200 ms on two cores and the worker under 900 MB',
  rounds: Number(process.env.ROUNDS ?? 3),
  warmsUpItself: true,
  async start() {
    if (modelsFolder === undefined) throw new Error('two-sided-jobs needs MODELS_DIR, with what is pulled')
    const platform = await startWorkerPlatform()
    const jobs = await Promise.all([5, 23, 108, 7, 9, 36].map(photographed))
    const variant = (name: string, models: string | undefined, atOnce: number): Variant => ({
      name,
      measure: () => measure(platform, jobs, models, atOnce),
      stop: async () => undefined,
    })
    return [
      variant('without a pull, one after the other', undefined, 1),
      variant('with what is pulled, one after the other', modelsFolder, 1),
      { ...variant('with what is pulled, two at a time', modelsFolder, 2), stop: () => platform.stop() },
    ]
  },
}

async function measure(
  { client, work }: WorkerPlatform,
  jobs: readonly object[],
  models: string | undefined,
  atOnce: number,
): Promise<Readonly<Record<string, number>>> {
  await acknowledgeAll(client)
  const worker = await work(models === undefined ? {} : { MODELS_DIR: models })
  const run = async (count: number): Promise<readonly number[]> => {
    const times: number[] = []
    let submitted = 0
    while (times.length < count) {
      for (; submitted < Math.min(count, times.length + atOnce); submitted += 1) await client.submit(jobs[submitted % jobs.length] ?? {})
      const { results } = (await client.results(10)).body
      if (results.length === 0) await sleep(20)
      else await client.acknowledge(results.map((result) => result.job_id))
      times.push(...results.map((result) => result.processing_time_ms))
    }
    return times
  }
  try {
    // the models are loaded and each kind of thread has run
    await run(warmUp)
    const before = await processorMilliseconds(worker)
    const times = await run(measured)
    return {
      'job p50 ms': quantile(times, 0.5),
      'job p95 ms': quantile(times, 0.95),
      // processor time, which other load on the machine does not change
      'processor ms a job': ((await processorMilliseconds(worker)) - before) / measured,
      'peak MB of the worker': await peakMegabytes(worker),
    }
  } finally {
    await end(worker)
  }
}

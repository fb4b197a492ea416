import { setTimeout as sleep } from 'node:timers/promises'
import type { VerificationClient } from '../../support/clients/verification-client.ts'
import type { Benchmark, Variant } from '../support/harness.ts'
import { acknowledgeAll, end, peakMegabytes, photographed, quantile, startWorkerPlatform, type WorkerPlatform } from './worker-platform.ts'

const windowSeconds = 20
const submissionsPerSecond = 8

/**
 * Component A with more jobs than its workers can process: photographed cards with both sides and a selfie, submitted at a steady rate over REST.
 * The first variant has no worker, so it measures the intake of an idle pipeline.
 */
export const verification: Benchmark = {
  name: 'verification',
  about: `${submissionsPerSecond} two-sided submissions a second for ${windowSeconds} s over REST; workers in their own processes, each with two jobs at a time; milliseconds, jobs and megabytes`,
  target: 'job p50 under 1,500 ms on two cores, a worker under 1,000 MB, intake p99 not above twice that without workers',
  rounds: Number(process.env.ROUNDS ?? 3),
  async start() {
    const platform = await startWorkerPlatform()
    const jobs = await Promise.all([5, 23, 108].map(photographed))
    let users = 0
    const variant = (name: string, workers: number): Variant => {
      users += 1
      return {
        name,
        measure: () => measure(platform, jobs, workers),
        async stop() {
          users -= 1
          if (users === 0) await platform.stop()
        },
      }
    }
    return [variant('no worker', 0), variant('one worker', 1), variant('two workers', 2)]
  },
}

async function measure(
  { client, work }: WorkerPlatform,
  jobs: readonly object[],
  count: number,
): Promise<Readonly<Record<string, number>>> {
  await acknowledgeAll(client)
  const workers = await Promise.all(Array.from({ length: count }, () => work()))
  // jobs wait from the first moment, and the models are loaded when the measurement begins
  for (const job of jobs) await client.submit(job)
  if (count > 0) while ((await client.results(1)).body.total_ready < count) await sleep(100)
  await acknowledgeAll(client)
  const from = performance.now()
  const intake = await submitSteadily(client, jobs)
  const { results } = (await client.results(1000)).body
  const seconds = (performance.now() - from) / 1000
  const memory = await Promise.all(workers.map(peakMegabytes))
  await Promise.all(workers.map(end))
  const times = results.map((result) => result.processing_time_ms)
  return {
    'intake p50 ms': quantile(intake, 0.5),
    'intake p99 ms': quantile(intake, 0.99),
    ...(count === 0
      ? {}
      : {
          'job p50 ms': quantile(times, 0.5),
          'job p95 ms': quantile(times, 0.95),
          'jobs/s': results.length / seconds,
          'peak MB of a worker': Math.max(...memory),
        }),
  }
}

/** @returns the duration of each submission; submissions do not wait for each other */
async function submitSteadily(client: VerificationClient, jobs: readonly object[]): Promise<readonly number[]> {
  const pending: Promise<number>[] = []
  const start = performance.now()
  for (let at = 0; at < windowSeconds * submissionsPerSecond; at++) {
    await sleep(Math.max(0, start + (at * 1000) / submissionsPerSecond - performance.now()))
    const from = performance.now()
    pending.push(
      client.submit(jobs[at % jobs.length] ?? {}).then(({ status }) => {
        if (status !== 202) throw new Error(`a submission was answered ${status}`)
        return performance.now() - from
      }),
    )
  }
  return Promise.all(pending)
}

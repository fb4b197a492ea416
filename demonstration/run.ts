import { setTimeout as sleep } from 'node:timers/promises'
import { type Case, drawCases } from './cases.ts'
import { type RunningPlatform, reachPlatform, stopPlatform } from './platform.ts'
import { type Result, VerificationService } from './verification-service.ts'

/** Time limit of four verifications, model loading included. */
const timeoutMs = 120_000

const writeLine = (line = ''): boolean => process.stdout.write(`${line}\n`)

/** Differences between expected and actual results. */
const differences: string[] = []

function expect(step: string, holds: boolean, detail: string): void {
  if (holds) return
  differences.push(`${step}: ${detail}`)
  writeLine(`  ✗ ${step}: ${detail}`)
}

async function demonstrate(platform: RunningPlatform): Promise<void> {
  const service = new VerificationService(platform.verificationUrl, platform.graphqlUrl, platform.apiKey)
  writeLine('\n1. Drawing four citizens, their selfies and their documents …')
  const cases = await drawCases(new Date())

  writeLine('\n2. Following finished verifications over graphql-ws')
  const finished = new Set<string>()
  const unfollow = await service.follow(({ position, job }) => {
    if (job === null) return
    finished.add(job.id)
    writeLine(`   ← verificationFinished position ${position}: ${job.citizen.code} ${job.outcome?.toLowerCase() ?? ''}`)
  })

  writeLine('\n3. POST /jobs/submit-batch')
  const batch = await service.submitBatch(cases.map(({ job }) => job))
  writeLine(`   202: batch ${batch.batch_id}, ${batch.queued} jobs queued`)
  expect('every job of the batch is queued', batch.queued === cases.length, `${batch.queued} of ${cases.length}`)

  writeLine('\n4. GET /jobs/results, until all are there')
  const results = await untilFinished(service, batch.job_ids)
  await untilTrue(() => batch.job_ids.every((id) => finished.has(id)), 5000)
  await unfollow()
  expect(
    'every job was announced over graphql-ws',
    batch.job_ids.every((id) => finished.has(id)),
    `${finished.size} of ${cases.length}`,
  )
  cases.forEach((each, index) => {
    show(each, results.get(batch.job_ids[index] ?? ''))
  })

  writeLine('\n5. POST /jobs/ack')
  const { acked, not_found } = await service.acknowledge(batch.job_ids)
  writeLine(`   acked ${acked}, not found ${not_found}`)
  expect('every result is acknowledged', acked === cases.length && not_found === 0, `acked ${acked}, not found ${not_found}`)

  writeLine('\n6. GET /jobs/results once more')
  const empty = await service.results()
  const remaining = empty.results.filter((result) => batch.job_ids.includes(result.job_id)).length
  writeLine(
    `   returned ${empty.returned}, total_ready ${empty.total_ready}, queue_depth ${empty.queue_depth}, workers_active ${empty.workers_active}`,
  )
  expect('no results remain', remaining === 0, `${remaining} results remain`)
}

async function untilFinished(service: VerificationService, ids: readonly string[]): Promise<ReadonlyMap<string, Result>> {
  const until = Date.now() + timeoutMs
  const from = Date.now()
  for (let reportedAt = from; ; ) {
    const { results, queue_depth } = await service.results()
    const ready = new Map(results.filter((result) => ids.includes(result.job_id)).map((result) => [result.job_id, result]))
    if (ready.size === ids.length || Date.now() > until) return ready
    if (Date.now() - reportedAt > 2000) {
      reportedAt = Date.now()
      writeLine(`   ${ready.size} of ${ids.length} ready, ${queue_depth} waiting, ${Math.round((reportedAt - from) / 1000)} s …`)
    }
    await sleep(250)
  }
}

async function untilTrue(holds: () => boolean, limitMs: number): Promise<void> {
  for (const until = Date.now() + limitMs; !holds() && Date.now() < until; ) await sleep(50)
}

function show({ title, outcome, reason, job }: Case, result: Result | undefined): void {
  writeLine(`\n   ${job.citizen_code}: ${title}`)
  if (result === undefined) {
    expect(title, false, `no result within ${timeoutMs / 1000} s`)
    return
  }
  const reasons = result.cross_validations.reasons ?? []
  const scores = Object.entries(result.scores).map(([name, value]) => `${name} ${value.toFixed(2)}`)
  writeLine(`     outcome   ${result.outcome}   (${result.processing_time_ms} ms)`)
  writeLine(`     reasons   ${reasons.length === 0 ? 'none' : reasons.join(', ')}`)
  if (result.failure_reason !== null) writeLine(`     failure   ${result.failure_reason}`)
  if (scores.length > 0) writeLine(`     scores    ${scores.join('  ')}`)
  expect(title, result.outcome === outcome, `the outcome is ${result.outcome}, not ${outcome}`)
  if (reason === undefined) expect(title, reasons.length === 0, `there are reasons: ${reasons.join(', ')}`)
  else expect(title, reasons.includes(reason), `${reason} is not among the reasons`)
}

async function untilInterrupted(): Promise<void> {
  await new Promise<void>((resolve) => {
    const hold = setInterval(() => undefined, 60_000)
    process.on('SIGINT', resolve).on('SIGTERM', resolve)
    process.once('exit', () => clearInterval(hold))
  })
}

const platform = await reachPlatform(writeLine).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
try {
  await demonstrate(platform)
} catch (error) {
  differences.push(error instanceof Error ? error.message : String(error))
  writeLine(`  ✗ ${differences.at(-1)}`)
}
writeLine(
  differences.length === 0
    ? '\nEvery step succeeded.'
    : `\n${differences.length} steps differed:\n${differences.map((each) => `  ✗ ${each}`).join('\n')}`,
)
if (platform.ours !== undefined) {
  if (process.stdout.isTTY && !process.argv.includes('--exit')) {
    writeLine(
      `\nThe platform keeps running: open ${platform.graphqlUrl.replace('/graphql', '/')} or ${platform.verificationUrl}/ . Ctrl-C stops it.`,
    )
    await untilInterrupted()
  } else writeLine('Next: `npm start` runs the platform; README.md lists its pages and addresses.')
  await stopPlatform(platform.ours)
}
process.exit(differences.length === 0 ? 0 : 1)

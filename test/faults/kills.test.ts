import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describe, it } from 'vitest'
import { VerificationClient } from '../support/clients/verification-client.ts'
import { embeddedUrl, removeDataDir, temporaryDataDir } from '../support/engines/databases.ts'
import { freePortBase } from '../support/processes/free-ports.ts'
import type { System } from '../support/processes/platform.ts'
import { startSystem } from '../support/processes/start-system.ts'
import { jobOf } from '../support/samples/people.ts'

/** Creates a DATA_DIR that is removed when the stack is disposed. */
const temporary = async (open: AsyncDisposableStack): Promise<string> => open.adopt(await temporaryDataDir(), removeDataDir)

/** How often each job was announced as final: the feed is written in the transaction that stores the result. */
async function announcements(dataDir: string): Promise<ReadonlyMap<string, number>> {
  const rows = await counted(dataDir, `select id, count(*)::int as n from event where topic = 'verification' group by id`)
  return new Map(rows.map(({ id, n }) => [id, n]))
}

async function counted(dataDir: string, query: string): Promise<readonly { readonly id: string; readonly n: number }[]> {
  const client = new pg.Client({ connectionString: await embeddedUrl(dataDir) })
  await client.connect()
  try {
    return (await client.query<{ id: string; n: number }>(query)).rows
  } finally {
    await client.end()
  }
}

const rounds = 6
const wantedJobs = 10

// the second test waits for a lease to expire while the first one kills
describe.concurrent('kill -9 of a platform', () => {
  it(`at ${rounds} random moments loses no accepted job and finishes each once`, { timeout: 600_000 }, async ({ expect }) => {
    await using open = new AsyncDisposableStack()
    const dataDir = await temporary(open)
    const portBase = await freePortBase()
    const accepted: string[] = []
    const pictured: string[] = []
    /** Duration of the slowest submission: the platform lives longer on a slow machine, so that it accepts some before the kill. */
    let slowestMs = 0
    const job = await jobOf(5)
    // from the second round on images are stored as files, while jobs of the first round have them in rows
    const env = { VAULT_DIR: join(dataDir, 'vault') }
    // continues until enough jobs were accepted to detect a loss
    for (let round = 0; round < rounds || accepted.length < wantedJobs; round++) {
      const system = await startSystem({ components: ['verification'], dataDir, portBase, env: round === 0 ? {} : env })
      const client = new VerificationClient(system)
      const [running] = system.processes
      const killed = sleep(50 + Math.random() * Math.max(1500, 5 * slowestMs)).then(() => running?.child.kill('SIGKILL'))
      for (let n = 0; n < 3; n++) {
        const from = performance.now()
        // one slow job, so that a kill always hits a running job, and two that end at once
        const isPictured = n === 0
        const answer = await client
          .submit({ ...job, citizen_code: `K-${round}-${n}`, ...(isPictured ? {} : { selfie_b64: '?' }) })
          .catch(() => undefined)
        if (answer?.status !== 202) break
        accepted.push(answer.body.job_id)
        if (isPictured) pictured.push(answer.body.job_id)
        slowestMs = Math.max(slowestMs, performance.now() - from)
      }
      await killed
      await running?.exited
    }
    const system = await startSystem({ components: ['verification'], dataDir, portBase, env })
    open.use(system)
    const results = await new VerificationClient(system).untilFinished(accepted, 400_000)
    const statuses = accepted.map((id) => results.get(id)?.status)
    expect(statuses).toEqual(accepted.map((id) => (pictured.includes(id) ? 'completed' : 'error')))
    const announced = await announcements(dataDir)
    expect(accepted.filter((id) => announced.get(id) !== 1)).toEqual([])
    // a job without a response because of the kill is stored and verified, too: then no submission remains
    const submissions = `select job_id as id, count(*)::int as n from vault_record where record = 'submission' group by job_id`
    await expect.poll(() => counted(dataDir, submissions), { timeout: 120_000, interval: 500 }).toEqual([])
  })
})

describe.concurrent('a worker that sleeps past its lease', () => {
  it('changes nothing when it wakes up: the other worker’s result is the only one', { timeout: 400_000 }, async ({ expect }) => {
    await using open = new AsyncDisposableStack()
    const system: System = await startSystem({ layout: 'split', components: ['verification'] })
    open.use(system)
    const client = new VerificationClient(system)
    const sleeper = system.processes.find(({ roles }) => roles.includes('worker:verification'))
    if (sleeper === undefined) throw new Error('there is no worker')
    const job = await jobOf(5)
    /** Submits a job and suspends the worker while it processes the job. */
    const interrupted = async () => {
      const { body } = await client.submit(job)
      let status = await client.status(body.job_id)
      for (const until = Date.now() + 60_000; status.body.status === 'queued' && Date.now() < until; )
        status = await client.status(body.job_id)
      sleeper.child.kill('SIGSTOP')
      // earlier statements of the worker have completed by now
      await sleep(500)
      return (await client.status(body.job_id)).body
    }
    open.defer(() => void sleeper.child.kill('SIGCONT'))
    let held = await interrupted()
    // the job may have ended before the worker was suspended
    for (let tries = 1; held.status !== 'processing' && tries < 10; tries++) {
      sleeper.child.kill('SIGCONT')
      held = await interrupted()
    }
    expect(held.status).toBe('processing')

    const secrets = JSON.parse(await readFile(join(system.dataDir, 'secrets.json'), 'utf8')) as {
      vault_key: string
      principal_signing_key: string
    }
    await system.start(['worker:verification'], {
      DATA_DIR: await temporary(open),
      DATABASE_URL: await embeddedUrl(system.dataDir),
      VAULT_KEY: secrets.vault_key,
      PRINCIPAL_SIGNING_KEY: secrets.principal_signing_key,
    })
    await client.untilFinished([held.job_id])
    const finished = (await client.status(held.job_id)).body
    expect(finished.worker_id).not.toBe(held.worker_id)
    const before = (await client.results()).body.results

    sleeper.child.kill('SIGCONT')
    await sleep(4000)
    expect((await client.status(held.job_id)).body).toEqual(finished)
    expect((await client.results()).body.results).toEqual(before)
    expect((await announcements(system.dataDir)).get(held.job_id)).toBe(1)
  })
})

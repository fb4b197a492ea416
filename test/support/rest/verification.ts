import { createHash, randomBytes } from 'node:crypto'
import { parseConfig } from '../../../foundation/config/config.ts'
import { createAuthentication } from '../../../foundation/http/authentication.ts'
import { compose } from '../../../foundation/lifecycle.ts'
import { silentLog } from '../../../foundation/log.ts'
import { createExecutor } from '../../../gateway/executor/executor.ts'
import { inProcessSource } from '../../../gateway/sources/in-process-source.ts'
import { composeSupergraph } from '../../../gateway/supergraph/supergraph.ts'
import { createSubgraph } from '../../../platform/components/components.ts'
import { openSharedEngines } from '../../../platform/engines/shared-engines.ts'
import { restServer } from '../../../rest-adapters/rest-server.ts'
import { routesOf } from '../../../rest-adapters/routes.ts'
import type { Verdict } from '../../../subgraphs/verification/assessment/result.ts'
import { ProcessJob, type Verify } from '../../../subgraphs/verification/jobs/process-job.ts'
import { embeddedEngine } from '../engines/engines.ts'
import { type Call, type Reply, send } from './rest.ts'

export interface VerificationService extends AsyncDisposable {
  call(path: string, call?: Call): Promise<Reply>
  /** With the key of that client: submits and polls its own jobs, unless its name is `all`. */
  as(client: 'desk' | 'border' | 'all' | 'reader'): {
    get(path: string): Promise<Reply>
    post(path: string, body: unknown): Promise<Reply>
  }
  /** Runs a job like a worker, with this verdict. */
  finish(jobId: string, verdict: Verdict): Promise<void>
  /** Runs a job in a worker whose verification throws. */
  interrupt(jobId: string): Promise<void>
  /** Stops the database. */
  breakDatabase(): Promise<void>
}

const scopes = {
  desk: ['submit', 'results'],
  border: ['submit', 'results'],
  all: ['submit', 'results', 'results:all'],
  reader: ['results'],
} as const

/** Component A on its own database: REST, executor, subgraph and engines, in this process; no worker. */
export async function verificationService({ maxBatchJobs = 5 } = {}): Promise<VerificationService> {
  const fresh = await embeddedEngine.open()
  const config = parseConfig({ NODE_ENV: 'test', DATABASE_URL: fresh.url, MAX_BATCH_JOBS: String(maxBatchJobs) }, '/tmp')
  const engines = await openSharedEngines(config, randomBytes(32), true, silentLog)
  const subgraph = await createSubgraph('verification', {
    engines,
    config,
    build: { version: '1.0.0', commit: 'test', schemaLevel: 1 },
    log: silentLog,
  })
  const executor = createExecutor({
    supergraph: composeSupergraph([subgraph]),
    sources: { verification: inProcessSource(subgraph) },
    eventTimeoutMs: 5000,
  })
  const apiKeys = Object.entries(scopes).map(([name, allowed]) => ({
    name,
    sha256: createHash('sha256').update(`key of ${name}`).digest('hex'),
    scopes: [...allowed],
  }))
  const authentication = createAuthentication({ apiKeys })
  const routes = routesOf('verification', config)
  const server = restServer({ component: 'verification', routes, executor, authentication, config, log: silentLog, port: 0 })
  const platform = compose('verification service', [engines.database, engines.queue, engines.feed, server])
  await platform.start(AbortSignal.timeout(60_000))
  const call = (path: string, { method = 'GET', headers = {}, body }: Call = {}) => send(`${server.address}${path}`, method, headers, body)
  const run = (jobId: string, verify: Verify) =>
    new ProcessJob({ ...engines, log: silentLog, workerId: 'host-1-abcd' }, verify).run(jobId, AbortSignal.timeout(60_000))
  return {
    call,
    as: (client) => {
      const headers = { 'X-Service-API-Key': `key of ${client}` }
      return {
        get: (path) => call(path, { headers }),
        post: (path, body) =>
          call(path, { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
      }
    },
    finish: async (jobId, verdict) => void (await run(jobId, () => Promise.resolve(verdict))),
    interrupt: async (jobId) => void (await run(jobId, () => Promise.reject(new Error('the model broke'))).catch(() => undefined)),
    breakDatabase: () => engines.database.stop(),
    async [Symbol.asyncDispose]() {
      await platform.stop().catch(() => undefined)
      await fresh[Symbol.asyncDispose]()
    },
  }
}

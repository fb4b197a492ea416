import { bullmqJobWorker, type QueueConnection } from '../../../engines/job-queue/bullmq-job-queue.ts'
import { silentLog } from '../../../foundation/log.ts'

/**
 * A worker process that claims a job and never completes it, for tests that kill it. It prints `holding ID`.
 * Arguments: name of the queue, and the address of a PostgreSQL or the connection to a Redis as JSON.
 */
const [name = '', engine = ''] = process.argv.slice(2)
const connection: QueueConnection = engine.startsWith('{')
  ? (JSON.parse(engine) as QueueConnection)
  : { kind: 'postgres', url: () => engine }
const worker = bullmqJobWorker({
  name,
  connection,
  log: silentLog,
  concurrency: 1,
  lockMs: 1000,
  handler: (jobId) => {
    process.stdout.write(`holding ${jobId}\n`)
    return new Promise(() => undefined)
  },
})
await worker.start(AbortSignal.timeout(60_000))

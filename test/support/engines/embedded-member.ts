import { embeddedPostgres } from '../../../engines/relational/embedded-postgres.ts'
import { silentLog } from '../../../foundation/log.ts'

/**
 * A process that uses the embedded PostgreSQL of a folder (its argument), for tests that start many and kill some. Prints `url URL`
 * once it has joined, or `failed MESSAGE`; leaves when its standard input ends.
 */
const server = embeddedPostgres({ dataDir: process.argv[2] ?? '', log: silentLog })
try {
  await server.start(AbortSignal.timeout(60_000))
  process.stdout.write(`url ${server.url()}\n`)
} catch (error) {
  process.stdout.write(`failed ${error instanceof Error ? error.message : error}\n`)
}
for await (const _ of process.stdin);
await server.stop()
process.stdout.write('left\n')

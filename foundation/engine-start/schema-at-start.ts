import { withTimeout } from '../concurrency/timeout.ts'
import { EngineUnavailable } from '../fault.ts'
import type { Part } from '../lifecycle.ts'
import type { Log } from '../log.ts'
import type { EngineSchema, SchemaStatus } from './engine-schema.ts'

/** an engine that does not report its schema in this time is unavailable; the process starts without it */
const checkLimitMs = 10_000

export const applyCommand = 'civigraph migrate apply'

/** Returns a part that applies or only checks the schema of an engine at the start. @param migrate - false: the process may not change schemas */
export function schemaAtStart(schema: EngineSchema, migrate: boolean, log: Log): Part {
  const onProgress = (step: string): void => log.info({ engine: schema.engine, step }, 'schema step applied')
  return {
    name: `schema of ${schema.engine}`,
    async start(signal) {
      if (migrate) return schema.apply({ signal, onProgress })
      const timeoutError = (): EngineUnavailable =>
        new EngineUnavailable(`schema of ${schema.engine}`, new Error(`no response within ${checkLimitMs} ms`))
      refuseUnfit(schema.engine, await withTimeout(schema.status(signal), checkLimitMs, signal, timeoutError))
    },
    async stop() {},
  }
}

/** @throws {Error} one sentence with the next step if this release cannot use the schema */
export function refuseUnfit(engine: string, { problems, pending }: SchemaStatus): void {
  refuseProblems(engine, problems)
  const [first] = pending
  if (first === undefined) return
  const more = pending.length === 1 ? '' : ` and ${pending.length - 1} more`
  throw new Error(
    `The schema of ${engine} lacks ${first.name}${more}, and MIGRATE=off forbids this process to change it: run "${applyCommand}" as a user that may, then start again`,
  )
}

/** @throws {Error} if there are any */
export function refuseProblems(engine: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(`The schema of ${engine} is incompatible with this version: ${problems.join('; ')}`)
}

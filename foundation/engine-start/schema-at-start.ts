import { withTimeout } from '../concurrency/timeout.ts'
import { EngineUnavailable } from '../fault.ts'
import type { Part } from '../lifecycle.ts'
import type { Log } from '../log.ts'
import type { EngineSchema, SchemaStatus } from './engine-schema.ts'

/** an engine that takes longer to say what it has is away, and the start goes on without it */
const lookLimitMs = 10_000

export const applyCommand = 'civigraph migrate apply'

/**
 * What a start does about a schema: brings it forward, or only makes sure that it is there.
 * @param migrate - false: this process may change no schema
 */
export function schemaAtStart(schema: EngineSchema, migrate: boolean, log: Log): Part {
  const onProgress = (step: string): void => log.info({ engine: schema.engine, step }, 'schema brought forward')
  return {
    name: `schema of ${schema.engine}`,
    async start(signal) {
      if (migrate) return schema.apply({ signal, onProgress })
      const late = (): EngineUnavailable => new EngineUnavailable(`schema of ${schema.engine}`, new Error('no answer in time'))
      refuseUnfit(schema.engine, await withTimeout(schema.status(signal), lookLimitMs, signal, late))
    },
    async stop() {},
  }
}

/** @throws {Error} one sentence with the next step, when this release cannot use the schema as it is */
export function refuseUnfit(engine: string, { problems, pending }: SchemaStatus): void {
  refuseProblems(engine, problems)
  const [first] = pending
  if (first === undefined) return
  const more = pending.length === 1 ? '' : ` and ${pending.length - 1} more`
  throw new Error(
    `The schema of ${engine} lacks ${first.name}${more}, and with MIGRATE=off this process does not change it: run "${applyCommand}" as a user who may, then start again`,
  )
}

/** @throws {Error} when there are any */
export function refuseProblems(engine: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(`The schema of ${engine} does not fit this version: ${problems.join('; ')}`)
}

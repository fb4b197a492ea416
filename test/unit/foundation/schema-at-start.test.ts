import { afterEach, expect, it, vi } from 'vitest'
import type { EngineSchema } from '../../../foundation/engine-start/engine-schema.ts'
import { schemaAtStart } from '../../../foundation/engine-start/schema-at-start.ts'
import { silentLog } from '../../../foundation/log.ts'

afterEach(() => void vi.useRealTimers())

it('with MIGRATE=off, an engine that does not report its schema counts as unavailable after ten seconds', async () => {
  vi.useFakeTimers()
  const hangs = (): Promise<never> => new Promise(() => undefined)
  const schema: EngineSchema = { engine: 'PostgreSQL', status: hangs, apply: hangs }
  const started = schemaAtStart(schema, false, silentLog).start(new AbortController().signal)
  const outcome = expect(started).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE', details: { engine: 'schema of PostgreSQL' } })
  await vi.advanceTimersByTimeAsync(10_000)
  await outcome
})

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../../engines/relational/database.ts'
import { type Log, silentLog } from '../../../foundation/log.ts'
import { keyRecord } from '../../../subgraphs/classification/intake/key-record.ts'
import { embeddedEngine, openMigrated } from '../../support/engines/engines.ts'

let database: Database
let end: () => Promise<unknown>
beforeAll(async () => {
  const opened = await openMigrated(embeddedEngine)
  database = opened.database
  end = async () => opened[Symbol.asyncDispose]()
})
afterAll(() => end?.())

it('the expression key is recorded on first use, and a process with another key logs an error', async () => {
  const errors: string[] = []
  const log: Log = Object.assign(Object.create(silentLog), { error: (message: string) => void errors.push(message) })
  const started = async (key: Uint8Array): Promise<void> => {
    const part = keyRecord({ database, log }, key)
    await part.start(AbortSignal.timeout(10_000))
    await part.stop()
  }
  const key = randomBytes(32)
  await started(key)
  await started(key)
  expect(errors).toEqual([])
  await started(randomBytes(32))
  expect(errors).toEqual([expect.stringContaining('EXPRESSION_KEY differs from the key of earlier ids')])
  await started(key)
  expect(errors).toHaveLength(1)
})

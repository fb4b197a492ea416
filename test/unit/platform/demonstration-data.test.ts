import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseConfig } from '../../../foundation/config/config.ts'
import { showsDemonstrationDelegations } from '../../../platform/demonstration/eligibility.ts'
import { removeDemonstrationData } from '../../../platform/demonstration/expressions.ts'

it('shows demonstration delegations unless DEMO_DATA is off, the database is a real one or somebody has removed them', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'civigraph-demonstration-'))
  const wants = (env: Readonly<Record<string, string>>): boolean =>
    showsDemonstrationDelegations(parseConfig({ DATA_DIR: dataDir, ...env }, dataDir))
  expect(wants({})).toBe(true)
  expect(wants({ DEMO_DATA: 'off' })).toBe(false)
  expect(wants({ DATABASE_URL: 'postgresql://civigraph@127.0.0.1/civigraph' })).toBe(false)
  await removeDemonstrationData({ expressionsFrom: async () => [], withdrawExpression: async () => false }, dataDir)
  expect(wants({})).toBe(false)
  await rm(dataDir, { recursive: true })
})

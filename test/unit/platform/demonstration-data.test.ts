import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseConfig } from '../../../foundation/config/config.ts'
import { showsDemonstrationDelegations } from '../../../platform/demonstration/eligibility.ts'
import { removeDemonstrationData } from '../../../platform/demonstration/expressions.ts'

it('shows demonstration delegations unless DEMO_DATA is off, DATABASE_URL is set, or an operator has removed them', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'civigraph-demonstration-'))
  const showsDelegations = (env: Readonly<Record<string, string>>): boolean =>
    showsDemonstrationDelegations(parseConfig({ DATA_DIR: dataDir, ...env }, dataDir))
  expect(showsDelegations({})).toBe(true)
  expect(showsDelegations({ DEMO_DATA: 'off' })).toBe(false)
  expect(showsDelegations({ DATABASE_URL: 'postgresql://civigraph@127.0.0.1/civigraph' })).toBe(false)
  await removeDemonstrationData({ expressionsFrom: async () => [], withdrawExpression: async () => false }, dataDir)
  expect(showsDelegations({})).toBe(false)
  await rm(dataDir, { recursive: true })
})

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { runsHere } from '../../support/processes/runs-here.ts'

const rules = new URL('../../../deploy/prometheus/', import.meta.url)
const hasPromtool = await runsHere('promtool', '--version')
const promtool = async (...words: readonly string[]): Promise<string> =>
  (await promisify(execFile)('promtool', words, { cwd: rules })).stdout

describe.skipIf(!hasPromtool)(`the rules for Prometheus${hasPromtool ? '' : ' (needs promtool)'}`, () => {
  it('are valid', async () => {
    expect(await promtool('check', 'rules', 'alerts.yml')).toContain('SUCCESS')
  })

  it('fire as expected on recorded series', async () => {
    expect(await promtool('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS')
  })
})

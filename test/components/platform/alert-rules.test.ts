import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
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

describe('each alert', () => {
  const read = (file: string): string => readFileSync(new URL(file, rules), 'utf8')
  const names = [...read('alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)

  it('has a runbook of at most 15 lines at the address that it names', () => {
    const runbooks = read('../../docs/operations/alerts.md').split(/^## /m).slice(1)
    expect(runbooks.map((text) => text.split('\n', 1)[0])).toEqual(names)
    for (const text of runbooks) {
      expect(text.trim().split('\n').length, text).toBeLessThanOrEqual(15)
      expect(text).toMatch(/^- Cause: .*\n(- Check: .*\n)?- Remedy: /m)
    }
    const addresses = [...read('alerts.yml').matchAll(/runbook_url: "https:\/\/civigraph\.example\/docs\/operations\/alerts\.md#(\w+)"/g)]
    expect(addresses.map(([, anchor]) => anchor)).toEqual(names.map((name) => name.toLowerCase()))
  })

  it('fires in a test', () => {
    const fired = new Set([...read('alerts.test.yml').matchAll(/alertname: (\w+)\s+exp_alerts:(?! \[\])/g)].map(([, name]) => name))
    expect(names.filter((name) => !fired.has(name))).toEqual([])
  })
})

import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import { examine, type HealthProbe } from '../../../foundation/health/health.ts'
import { Stalled } from '../../../foundation/health/stalled.ts'
import { registerDiskGauges, registerHealthGauges } from '../../../platform/process/process-gauges.ts'

const probe = (name: string, engine: string, error?: Error): HealthProbe => ({
  name,
  engine,
  essential: true,
  check: async () => {
    if (error !== undefined) throw error
  },
})

async function valuesOf(registry: Registry, name: string) {
  const values = (await registry.getSingleMetric(name)?.get())?.values ?? []
  return Object.fromEntries(values.map(({ labels, value }) => [Object.values(labels).join(' '), value]))
}

it('engines that do not respond are 0, also those of listeners, and stalled work degrades its component only', async () => {
  const registry = new Registry()
  const probes = {
    verification: [probe('database', 'postgresql'), probe('queue', 'redis', new Stalled('no worker runs'))],
    administration: [probe('message_broker', 'redis', new EngineUnavailable('message broker'))],
  }
  const subgraphs = (['verification', 'administration'] as const).map((name) => ({ name, health: () => examine('1', probes[name]) }))
  registerHealthGauges(registry, subgraphs, [probe('key_value_store', 'redis', new EngineUnavailable('key-value store'))])
  expect(await valuesOf(registry, 'civigraph_engine_up')).toEqual({
    'verification database postgresql': 1,
    'verification queue redis': 1,
    'administration message_broker redis': 0,
    'listeners key_value_store redis': 0,
  })
  expect(await valuesOf(registry, 'civigraph_component_health')).toEqual({ verification: 1, administration: 0 })
})

it('the disk of each existing folder is reported by the setting that names it', async () => {
  const registry = new Registry()
  registerDiskGauges(registry, [
    { setting: 'DATA_DIR', path: '/' },
    { setting: 'VAULT_DIR', path: '/no/such/folder' },
  ])
  const [free, size] = [await valuesOf(registry, 'civigraph_disk_free_bytes'), await valuesOf(registry, 'civigraph_disk_size_bytes')]
  expect([Object.keys(free), Object.keys(size)]).toEqual([['DATA_DIR'], ['DATA_DIR']])
  expect(free.DATA_DIR).toBeLessThanOrEqual(size.DATA_DIR ?? 0)
})

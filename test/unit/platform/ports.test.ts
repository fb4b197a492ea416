import { expect, it } from 'vitest'
import { parseConfig } from '../../../foundation/config/config.ts'
import { portsOf } from '../../../platform/process/ports.ts'
import { parseRoles, roleNames } from '../../../platform/process/roles.ts'

function metricsOf(words: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const roles = parseRoles(words)
  if ('problems' in roles) throw new Error(roles.problems.join())
  return portsOf(parseConfig(settings, '/'), roles)
}

it('gives each role the metrics port documented on the page of roles', () => {
  const ports = roleNames.map((role) => metricsOf([role]).metrics.port)
  expect(ports).toEqual(Array.from({ length: 14 }, (_, index) => 4020 + index))
  expect(metricsOf([]).metrics).toEqual({ port: 4009, mayMove: false })
  expect(metricsOf(['rest:content', 'worker:exploration'], { PORT_BASE: '5000' }).metrics).toEqual({ port: 5027, mayMove: true })
})

it('uses the configured port', () => {
  const { metrics, wanted } = metricsOf(['worker:exploration'], { METRICS_PORT: '4100' })
  expect(metrics).toEqual({ port: 4100, mayMove: false })
  expect(wanted).toContainEqual({ port: 4100, host: '127.0.0.1', what: 'metrics', setting: 'METRICS_PORT' })
  expect(metricsOf(['worker:exploration'], { PORT_BASE: '0' }).metrics.port).toBe(0)
})

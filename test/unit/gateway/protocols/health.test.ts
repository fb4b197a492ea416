import { describe, expect, it } from 'vitest'
import { gatewayStatus } from '../../../../gateway/protocols/health.ts'

describe('the health of the gateway', () => {
  it.each([
    ['ok', 'ok ok ok ok ok'],
    ['degraded', 'ok ok ok ok degraded'],
    ['degraded', 'ok ok ok ok down'],
    ['degraded', 'ok degraded down down down'],
    ['down', 'ok down down down down'],
    ['down', 'down down down down down'],
    ['degraded', 'degraded degraded degraded degraded degraded'],
    ['ok', 'ok'],
    ['down', 'down'],
    ['degraded', 'ok down'],
    ['down', 'down down'],
  ])('is %s when its components are %s', (status, components) => {
    expect(gatewayStatus(components.split(' '))).toBe(status)
  })
})

import { Registry } from 'prom-client'
import { afterEach, expect, it, vi } from 'vitest'
import { countingGate } from '../../../platform/process/admission.ts'

afterEach(() => void vi.useRealTimers())

it('counts refused requests by protocol and by the work that waited too long', async () => {
  vi.useFakeTimers()
  const registry = new Registry()
  const gate = countingGate({ overloadWaitMs: 1000 }, registry)
  gate.watch(() => 5000)
  await gate.start()
  vi.advanceTimersByTime(1000)
  const [rest, graphql] = [gate.forProtocol('rest'), gate.forProtocol('graphql')]
  expect(() => rest.admit('write')).toThrow('The server is overloaded')
  expect(rest.refusal('read')).toBeUndefined()
  for (let times = 0; times < 2; times++) expect(graphql.refusal('write')).toBeDefined()
  await gate.stop()
  rest.admit('write')
  const text = await registry.metrics()
  expect(text).toContain('civigraph_shed_requests_total{protocol="rest",reason="queue"} 1')
  expect(text).toContain('civigraph_shed_requests_total{protocol="graphql",reason="queue"} 2')
})

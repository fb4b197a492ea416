import dns from 'node:dns'
import net from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { ask, startGateway } from '../../../../support/gateway/town.ts'

afterEach(() => vi.restoreAllMocks())

it('contacts no other machine, from start to stop', async () => {
  const contacted: string[] = []
  const lookup = vi.spyOn(dns, 'lookup')
  const connect = net.Socket.prototype.connect
  vi.spyOn(net.Socket.prototype, 'connect').mockImplementation(function (this: net.Socket, ...parameters: unknown[]) {
    const [first] = (Array.isArray(parameters[0]) ? parameters[0] : parameters) as { host?: string; path?: string }[]
    if (first?.path === undefined) contacted.push(first?.host ?? 'localhost')
    return connect.apply(this, parameters as never)
  } as never)
  await using running = await startGateway('remote')
  expect((await ask(running.town, '{ house(id: 1) { owner { name } } }')).data).toEqual({ house: { owner: { name: 'Name of p1' } } })
  await fetch(running.graphql, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"query":"{ who }"}' })
  await new Promise((resolve) => setTimeout(resolve, 300))
  contacted.push(...lookup.mock.calls.map(([host]) => host))
  // contacts to the subgraphs show that the spies see connections
  expect(contacted.length).toBeGreaterThan(0)
  expect(contacted.filter((host) => !/^(127\.0\.0\.1|localhost|::1)$/.test(host))).toEqual([])
  expect(process.env.APOLLO_TELEMETRY_DISABLED).toBe('1')
})

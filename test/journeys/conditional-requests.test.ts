import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { tokenOf } from '../support/clients/content-client.ts'
import { components, type System, startPlatform } from '../support/processes/platform.ts'

const Operation = z.object({
  operationId: z.string(),
  parameters: z.array(z.object({ name: z.string(), in: z.string(), example: z.string().optional() })).default([]),
  responses: z.record(z.string(), z.unknown()),
  security: z.array(z.record(z.string(), z.unknown())),
})
const Document = z.object({ paths: z.record(z.string(), z.object({ get: Operation.optional() })) })

/** Every GET of a component, with the path from the examples of its parameters. */
const readsOf = (component: string) =>
  Object.entries(
    Document.parse(JSON.parse(readFileSync(new URL(`../../schema/rest/${component}.openapi.json`, import.meta.url), 'utf8'))).paths,
  ).flatMap(([path, { get }]) => {
    if (get === undefined) return []
    const filled = get.parameters.reduce((text, { name, example = '' }) => text.replace(`{${name}}`, example), path)
    const scheme = Object.keys(get.security[0] ?? {})[0]
    return [{ operation: get.operationId, path: filled, scheme, isTagged: '304' in get.responses }]
  })
const reads = components.flatMap((component) => readsOf(component).map((read) => ({ component, ...read })))
type Read = (typeof reads)[number]

let system: System
let token: string
beforeAll(async () => {
  // the examples name texts of the demonstration
  system = await startPlatform({ env: { DEMO_DATA: 'on' } })
  token = await tokenOf(system)
  const root = async () => (await fetch(`${system.rest.content}/api/v1/nodes/root`)).status
  await vi.waitFor(async () => expect(await root()).toBe(200), { timeout: 60_000 })
})
afterAll(() => system?.stop())

function get({ component, path, scheme }: Read, etag?: string): Promise<Response> {
  const headers = {
    ...(scheme === 'accessToken' && { authorization: `Bearer ${token}` }),
    ...(scheme === 'serviceKey' && { 'x-service-api-key': system.apiKey }),
    ...(etag !== undefined && { 'if-none-match': etag }),
  }
  return fetch(system.rest[component] + path, { headers, redirect: 'manual' })
}
const called = ({ component, operation }: Read): string => `${component} ${operation}`

describe('a GET with a versioned response', () => {
  const tagged = reads.filter(({ isTagged }) => isTagged)

  it('exists in every component', () => {
    expect(new Set(tagged.map(({ component }) => component))).toEqual(new Set(components))
    const operations = tagged.map(({ operation }) => operation)
    for (const versioned of ['getRoot', 'getNode', 'getSubtree', 'exportNodes', 'getPdf', 'listDomains', 'getStatistics', 'getVersion'])
      expect(operations).toContain(versioned)
  })

  it.each(tagged.map((read) => [called(read), read] as const))(
    'has an ETag, and is 304 for a matching If-None-Match: %s',
    async (_, read) => {
      // counts change while the demonstration's expressions are loaded
      await vi.waitFor(
        async () => {
          const answer = await get(read)
          await answer.arrayBuffer()
          const etag = answer.headers.get('etag') ?? ''
          expect([answer.status, etag]).toEqual([200, expect.stringMatching(/^(?:W\/)?"[^"]+"$/)])
          const again = await get(read, `"other", ${etag}`)
          expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, ''])
        },
        { timeout: 60_000 },
      )
      const other = await get(read, '"other"')
      expect([other.status, (await other.arrayBuffer()).byteLength > 0]).toEqual([200, true])
    },
  )
})

const untagged = reads.filter(({ isTagged }) => !isTagged)
it.each(untagged.map((read) => [called(read), read] as const))('a response without a version has no ETag: %s', async (_, read) => {
  const answer = await get(read)
  await answer.arrayBuffer()
  expect(answer.headers.get('etag')).toBeNull()
})

it('a rate-limited request is refused with the limit and the time of the next attempt', async () => {
  const login = () =>
    fetch(`${system.rest.administration}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'unknown@example.org', password: 'wrong' }),
    })
  await expect.poll(async () => (await login()).status).toBe(429)
  const { headers } = await login()
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(headers.get('ratelimit-policy')).toMatch(/^"[\w-]+";q=\d+;w=\d+$/)
  expect(headers.get('ratelimit')).toMatch(/^"[\w-]+";r=0;t=\d+$/)
})

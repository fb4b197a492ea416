import { createClient } from 'graphql-ws'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { memoryKeyValue } from '../../../../engines/key-value/memory-key-value.ts'
import { rateLimit } from '../../../../gateway/pipeline/rate-limit.ts'
import { apiKey, recordedLog, startGateway } from '../../../support/gateway/town.ts'

const query = '{ house(id: 7) { number } }'
const answer = { data: { house: { number: 7 } } }
const hour = 3_600_000

describe('a gateway that counts requests', () => {
  it('refuses requests of a caller above its limit over HTTP, with the time until the next window', async () => {
    await using running = await startGateway('in process', { rateRule: { counter: memoryKeyValue(), requests: 2, windowMs: hour } })
    const ask = (headers = {}, body: object = { query }) =>
      fetch(running.graphql, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
    for (const remaining of [1, 0]) {
      const served = await ask()
      expect([served.status, await served.json()]).toEqual([200, answer])
      expect(served.headers.get('ratelimit-policy')).toBe('"requests";q=2;w=3600')
      expect(served.headers.get('ratelimit')).toMatch(new RegExp(`^"requests";r=${remaining};t=\\d+$`))
    }
    const stream = { accept: 'text/event-stream' }
    for (const refused of [
      await ask(),
      await ask(stream, { query: 'subscription { quiet { id } }' }),
      await ask({}, { query: '{ nothing }' }),
    ]) {
      expect(refused.status).toBe(429)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(refused.headers.get('ratelimit')).toMatch(/r=0/)
      expect(await refused.json()).toMatchObject({ errors: [{ extensions: { code: 'RATE_LIMITED' } }] })
    }
    const get = await fetch(`${running.graphql}?query=${encodeURIComponent(query)}`, { headers: { 'apollo-require-preflight': '1' } })
    expect(get.status).toBe(429)
    // another caller at the same address
    expect((await ask({ 'x-service-api-key': apiKey })).status).toBe(200)
    expect((await ask({ authorization: 'Bearer good-1' })).status).toBe(200)
  })

  it('refuses operations over WebSocket, and continues running ones', async () => {
    await using running = await startGateway('in process', { rateRule: { counter: memoryKeyValue(), requests: 2, windowMs: hour } })
    const client = createClient({ url: running.socket, webSocketImpl: WebSocket, retryAttempts: 0 })
    const quiet = client.iterate({ query: 'subscription { quiet { id } }' })
    expect((await quiet.next()).value).toEqual({ data: { quiet: { id: '1' } } })
    expect((await client.iterate({ query }).next()).value).toEqual(answer)
    for (const refused of [query, 'subscription { quiet { id } }'])
      expect((await client.iterate({ query: refused }).next()).value).toMatchObject({
        errors: [{ extensions: { code: 'RATE_LIMITED' } }],
      })
    await quiet.return?.()
    await client.dispose()
  })
})

describe('the request count of a caller', () => {
  const { log, lines } = recordedLog()
  it('restarts with each window, and is shared by all copies', async () => {
    const counter = memoryKeyValue()
    let now = 60_000
    const copies = [0, 1].map(() => rateLimit({ counter, requests: 2, windowMs: 60_000 }, log, { now: () => now }))
    const count = async (copy: number, address = 'a') => (await copies[copy]?.({ principal: {}, address }))?.refusal?.code
    expect([await count(0), await count(1), await count(0), await count(1, 'b')]).toEqual([undefined, undefined, 'RATE_LIMITED', undefined])
    now = 119_999
    expect(await count(1)).toBe('RATE_LIMITED')
    now = 120_000
    expect(await count(1)).toBeUndefined()
  })

  it('is that of the address when the caller only sends forwarded headers', async () => {
    const limit = rateLimit({ counter: memoryKeyValue(), requests: 1, windowMs: hour }, log)
    const forged = (token: string) => limit({ principal: { forwarded: { authorization: token } }, address: 'a' })
    expect((await forged('one')).refusal).toBeUndefined()
    expect((await forged('two')).refusal?.code).toBe('RATE_LIMITED')
  })

  it('admits all requests while the store is unavailable, and logs this', async () => {
    const unavailable = { increment: () => Promise.reject(new Error('the store is unavailable')) }
    const limit = rateLimit({ counter: unavailable, requests: 1, windowMs: hour }, log)
    expect(await limit({ principal: {}, address: 'a' })).toEqual({ headers: {}, refusal: undefined })
    expect(lines.join('')).toContain('cannot count requests')
  })

  it('stores no name of a caller', async () => {
    const keys: string[] = []
    const counter = { increment: async (key: string) => keys.push(key) }
    await rateLimit(
      { counter, requests: 9, windowMs: hour },
      log,
    )({ principal: { service: { name: 'robot', scopes: [] } }, address: '10.1.2.3' })
    expect(keys.join()).not.toMatch(/robot|10\.1/)
  })
})

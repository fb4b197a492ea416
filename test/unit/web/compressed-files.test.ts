import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { fastify } from 'fastify'
import { describe, expect, it } from 'vitest'
import { fixedHandler } from '../../../rest-adapters/handlers/fixed-handler.ts'
import { fixedRoute } from '../../../rest-adapters/route/route.ts'

const content = 'a word and another '.repeat(200)
const route = (options: object = {}) =>
  fixedRoute({ path: '/part', mediaType: 'text/javascript; charset=utf-8', content, summary: 'Part', partOfPage: true, ...options })

async function ask(headers: Record<string, string>, options: object = {}) {
  const server = fastify()
  server.get('/part', fixedHandler(route(options)))
  const { statusCode, headers: received, rawPayload } = await server.inject({ url: '/part', headers })
  return { statusCode, received, rawPayload }
}

describe('a file of a page', () => {
  it.each([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0.1, gzip;q=0.9', 'gzip', gunzipSync],
  ])('is compressed for a client that accepts %s', async (accepted, coding, decompress) => {
    const { received, rawPayload } = await ask({ 'accept-encoding': accepted })
    expect(received).toMatchObject({ 'content-encoding': coding, vary: 'Accept-Encoding' })
    expect(rawPayload.length).toBeLessThan(content.length / 10)
    expect(decompress(rawPayload).toString()).toBe(content)
  })

  it.each([[{}], [{ 'accept-encoding': 'identity' }], [{ 'accept-encoding': 'br;q=0, gzip;q=0' }]])(
    'is sent uncompressed to a client that sends %o',
    async (headers) => {
      const { received, rawPayload } = await ask({ ...headers } as Record<string, string>)
      expect([received['content-encoding'], rawPayload.toString()]).toEqual([undefined, content])
    },
  )

  it('has an ETag for each coding, which answers 304', async () => {
    const [plain, compressed] = await Promise.all([ask({}), ask({ 'accept-encoding': 'br' })])
    expect(plain.received.etag).not.toBe(compressed.received.etag)
    const etag = String(compressed.received.etag)
    expect((await ask({ 'accept-encoding': 'br', 'if-none-match': etag })).statusCode).toBe(304)
    expect((await ask({ 'if-none-match': etag })).statusCode).toBe(200)
  })

  it('is sent as compressed by the build, if available', async () => {
    const codings = { br: Buffer.from('made by the build') }
    expect((await ask({ 'accept-encoding': 'br' }, { codings })).rawPayload.toString()).toBe('made by the build')
    expect(gunzipSync((await ask({ 'accept-encoding': 'gzip' }, { codings })).rawPayload).toString()).toBe(content)
  })

  it('is sent uncompressed if it is a picture', async () => {
    const { received } = await ask({ 'accept-encoding': 'br' }, { mediaType: 'image/png' })
    expect([received['content-encoding'], received.vary]).toEqual([undefined, undefined])
  })

  it('is cached permanently if its name changes with its content, and revalidated otherwise', async () => {
    expect((await ask({}, { isNamedByContent: true })).received['cache-control']).toBe('public, max-age=31536000, immutable')
    expect((await ask({})).received['cache-control']).toBe('public, max-age=0, must-revalidate')
  })

  it('is compressed also if it is documented', async () => {
    const { received } = await ask({ 'accept-encoding': 'br' }, { partOfPage: undefined })
    expect([received['content-encoding'], received.vary]).toEqual(['br', 'Accept-Encoding'])
  })
})

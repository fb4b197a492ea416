import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { fastify } from 'fastify'
import { describe, expect, it } from 'vitest'
import { fixedHandler } from '../../../rest-adapters/handlers/fixed-handler.ts'
import { fixed } from '../../../rest-adapters/route/fixed-route.ts'

const content = 'a word and another '.repeat(200)
const route = (options: object = {}) =>
  fixed({ path: '/part', mediaType: 'text/javascript; charset=utf-8', content, summary: 'Part', partOfPage: true, ...options })

async function ask(headers: Record<string, string>, options: object = {}) {
  const server = fastify()
  server.get('/part', fixedHandler(route(options)))
  const { statusCode, headers: told, rawPayload } = await server.inject({ url: '/part', headers })
  return { statusCode, told, rawPayload }
}

describe('what a page loads', () => {
  it.each([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0.1, gzip;q=0.9', 'gzip', gunzipSync],
  ])('is sent in fewer bytes to who says %s', async (accepted, coding, decompress) => {
    const { told, rawPayload } = await ask({ 'accept-encoding': accepted })
    expect(told).toMatchObject({ 'content-encoding': coding, vary: 'Accept-Encoding' })
    expect(rawPayload.length).toBeLessThan(content.length / 10)
    expect(decompress(rawPayload).toString()).toBe(content)
  })

  it.each([[{}], [{ 'accept-encoding': 'identity' }], [{ 'accept-encoding': 'br;q=0, gzip;q=0' }]])(
    'is sent as it is to who says %o',
    async (headers) => {
      const { told, rawPayload } = await ask({ ...headers } as Record<string, string>)
      expect([told['content-encoding'], rawPayload.toString()]).toEqual([undefined, content])
    },
  )

  it('has a tag for each coding, which is known again', async () => {
    const [plain, compressed] = await Promise.all([ask({}), ask({ 'accept-encoding': 'br' })])
    expect(plain.told.etag).not.toBe(compressed.told.etag)
    const etag = String(compressed.told.etag)
    expect((await ask({ 'accept-encoding': 'br', 'if-none-match': etag })).statusCode).toBe(304)
    expect((await ask({ 'if-none-match': etag })).statusCode).toBe(200)
  })

  it('is sent as the build has compressed it, where it has', async () => {
    const codings = { br: Buffer.from('made by the build') }
    expect((await ask({ 'accept-encoding': 'br' }, { codings })).rawPayload.toString()).toBe('made by the build')
    expect(gunzipSync((await ask({ 'accept-encoding': 'gzip' }, { codings })).rawPayload).toString()).toBe(content)
  })

  it('is sent as it is where it is a picture, which is compressed already', async () => {
    const { told } = await ask({ 'accept-encoding': 'br' }, { mediaType: 'image/png' })
    expect([told['content-encoding'], told.vary]).toEqual([undefined, undefined])
  })

  it('is kept for good where its name changes with its content, and asked for again elsewhere', async () => {
    expect((await ask({}, { isNamedByContent: true })).told['cache-control']).toBe('public, max-age=31536000, immutable')
    expect((await ask({})).told['cache-control']).toBe('public, max-age=0, must-revalidate')
  })

  it('is sent as it is where it is documented, whatever is accepted', async () => {
    const { told } = await ask({ 'accept-encoding': 'br' }, { partOfPage: undefined })
    expect([told['content-encoding'], told.vary]).toEqual([undefined, undefined])
  })
})

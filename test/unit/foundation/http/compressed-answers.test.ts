import { Readable } from 'node:stream'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { Compressor, compressAnswers, leaveUncompressed } from '../../../../foundation/http/compressed-answers.ts'
import { entityTag } from '../../../../foundation/http/content.ts'
import { sendTagged, tagged } from '../../../../foundation/http/tagged-text.ts'
import { translateErrors } from '../../../../platform/listeners/translated-errors.ts'
import { rest } from '../../../support/rest/rest.ts'

const json = 'application/json'
const content = JSON.stringify({ rows: Array.from({ length: 200 }, (_, id) => ({ id, name: `row ${id}` })) })

type Answer = (request: FastifyRequest, reply: FastifyReply) => FastifyReply

const closing: (() => Promise<unknown>)[] = []
afterEach(() => Promise.all(closing.splice(0).map((close) => close())))

function serving(answer: Answer, compressor?: Compressor) {
  const server = fastify()
  server.get('/', async (request, reply) => answer(request, reply))
  compressAnswers(server, compressor)
  closing.push(() => server.close())
  return async (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') => {
    const { statusCode: status, headers: received, rawPayload: bytes } = await server.inject({ url: '/', method, headers })
    return { status, headers: received, bytes }
  }
}
const publicContent: Answer = (request, reply) => sendTagged(request, reply, { ...tagged(content, json) })
const sent =
  (type: string, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_, reply) =>
    reply.headers({ 'content-type': type, ...headers }).send(body)

describe('an answer of 1 kB or more', () => {
  it.each([
    ['br', 'br', brotliDecompressSync],
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0.2, gzip;q=0.8', 'gzip', gunzipSync],
    ['*', 'br', brotliDecompressSync],
    ['identity;q=0.5, gzip', 'gzip', gunzipSync],
  ])('is compressed for Accept-Encoding %s, with an ETag of its own', async (accepted, coding, decompress) => {
    const { headers, bytes } = await serving(publicContent)({ 'accept-encoding': accepted })
    expect(headers).toMatchObject({ 'content-encoding': coding, vary: 'Accept-Encoding', 'content-length': String(bytes.length) })
    expect(headers.etag).toBe(entityTag(content).replace(/"$/, `-${coding}"`))
    expect(bytes.length).toBeLessThan(content.length / 4)
    expect(decompress(bytes).toString()).toBe(content)
  })

  it.each([undefined, '', 'identity', 'br;q=0, gzip;q=0', 'zstd', 'identity, gzip;q=0.5'])(
    'is sent as it is for Accept-Encoding %s, and varies by it',
    async (accepted) => {
      const { headers, bytes } = await serving(publicContent)(accepted === undefined ? {} : { 'accept-encoding': accepted })
      expect(headers).toMatchObject({ vary: 'Accept-Encoding', etag: entityTag(content) })
      expect([headers['content-encoding'], bytes.toString()]).toEqual([undefined, content])
    },
  )

  it('has the headers of GET for HEAD', async () => {
    const call = serving(publicContent)
    const [get, head] = await Promise.all([call({ 'accept-encoding': 'gzip' }), call({ 'accept-encoding': 'gzip' }, 'HEAD')])
    expect(head.bytes).toHaveLength(0)
    const names = ['etag', 'content-encoding', 'content-length', 'content-type', 'vary']
    expect(names.map((name) => head.headers[name])).toEqual(names.map((name) => get.headers[name]))
  })

  it('is 304 for the ETag of either form, which it names, unless the client does not accept that form', async () => {
    const call = serving(publicContent)
    const plain = entityTag(content)
    const brotli = plain.replace(/"$/, '-br"')
    for (const method of ['GET', 'HEAD'] as const)
      for (const known of [plain, brotli, `W/${brotli}`, `"other", ${brotli}`]) {
        const { status, headers, bytes } = await call({ 'accept-encoding': 'gzip, br', 'if-none-match': known }, method)
        expect([method, known, status, bytes.length]).toEqual([method, known, 304, 0])
        expect(headers).toMatchObject({ etag: known === plain ? plain : brotli, vary: 'Accept-Encoding' })
      }
    for (const accepted of ['gzip', 'identity', 'br;q=0'])
      expect((await call({ 'accept-encoding': accepted, 'if-none-match': brotli })).status).toBe(200)
    expect((await call({ 'if-none-match': plain })).status).toBe(304)
    expect((await call({ 'if-none-match': '"other"', 'accept-encoding': 'br' })).status).toBe(200)
  })

  it('keeps a Vary of its route, and drops a Content-Length of the uncompressed bytes', async () => {
    const call = serving(sent(json, content, { vary: 'Origin', 'content-length': String(content.length) }))
    const { headers, bytes } = await call({ 'accept-encoding': 'gzip' })
    expect(headers.vary).toBe('Origin, Accept-Encoding')
    expect(Number(headers['content-length'])).toBe(bytes.length)
    expect(gunzipSync(bytes).toString()).toBe(content)
  })

  it.each(['application/geo+json', 'application/graphql-response+json; charset=utf-8', 'text/html; charset=utf-8', 'image/svg+xml'])(
    'is compressed as %s',
    async (type) => {
      expect((await serving(sent(type, content))({ 'accept-encoding': 'br' })).headers['content-encoding']).toBe('br')
    },
  )
})

describe('an answer is sent as it is', () => {
  it.each<[string, Answer]>([
    ['below 1 kB', sent(json, 'x'.repeat(1023))],
    ['if it is a picture', sent('image/png', content)],
    ['if it is a PDF', sent('application/pdf', content)],
    ['if it is a stream', (_, reply) => reply.type('application/x-ndjson').send(Readable.from([Buffer.from(content)]))],
    ['if it is a stream of JSON', (_, reply) => reply.type(json).send(Readable.from([Buffer.from(content)]))],
    ['if it contains events', sent('text/event-stream', content)],
    ['if it is multipart', sent('multipart/mixed; boundary="-"', content)],
    ['if it is a range', (_, reply) => reply.code(206).headers({ 'content-type': json, 'content-range': 'bytes 0-5/9' }).send(content)],
    ['if it has a coding', sent(json, content, { 'content-encoding': 'zstd' })],
    [
      'if it contains secrets',
      (request, reply) => {
        leaveUncompressed(reply)
        return sent(json, content)(request, reply)
      },
    ],
  ])('%s', async (_, answer) => {
    const [coded, plain] = await Promise.all([serving(answer)({ 'accept-encoding': 'br' }), serving(answer)()])
    expect(coded.bytes).toEqual(plain.bytes)
    expect(coded.headers['content-encoding']).toBe(plain.headers['content-encoding'])
    expect(coded.headers.vary).toBeUndefined()
  })

  it('while many bytes are being compressed; one large answer alone is compressed', async () => {
    const call = serving(publicContent, new Compressor(content.length * 2))
    const answers = await Promise.all(Array.from({ length: 8 }, () => call({ 'accept-encoding': 'br' })))
    const codings = answers.map(({ headers }) => headers['content-encoding'])
    expect(codings).toContain('br')
    expect(codings).toContain(undefined)
    for (const { headers, bytes } of answers) {
      const isCoded = headers['content-encoding'] === 'br'
      expect((isCoded ? brotliDecompressSync(bytes) : bytes).toString()).toBe(content)
      expect(headers.etag).toBe(isCoded ? entityTag(content).replace(/"$/, '-br"') : entityTag(content))
      expect(headers.vary).toBe('Accept-Encoding')
    }
    const small = serving(publicContent, new Compressor(10))
    expect((await small({ 'accept-encoding': 'br' })).headers['content-encoding']).toBe('br')
  })
})

it('of REST is compressed by its listener, but not the tokens of a login', async () => {
  const token = 'a'.repeat(2000)
  const session = {
    ...{ access_token: token, token_type: 'Bearer', expires_in: 60 },
    ...{ refresh_token: token, refresh_expires_in: 60, scope: 'openid' },
  }
  await using administration = await rest({ component: 'administration', behind: { RestLogin: () => ({ session }) } })
  const accepting = { 'accept-encoding': 'gzip, br' }
  const login = await administration.post('/auth/login', { email: 'a@b.test', password: 'x' }, accepting)
  expect([login.status, login.headers['content-encoding'], login.json()]).toEqual([200, undefined, session])
  const { headers, bytes } = await administration.call('/openapi.json', { headers: accepting })
  expect(headers['content-encoding']).toBe('br')
  expect(JSON.parse(brotliDecompressSync(bytes).toString())).toHaveProperty('paths')
})

it('of GraphQL is translated before it is compressed', async () => {
  const message = 'A sentence '.repeat(200)
  const server = fastify()
  closing.push(() => server.close())
  server.get('/graphql', async (_, reply) =>
    reply.type(json).send(JSON.stringify({ errors: [{ message, extensions: { code: 'NOT_FOUND' } }] })),
  )
  translateErrors(server)
  compressAnswers(server)
  const headers = { 'accept-encoding': 'gzip', 'accept-language': 'fr' }
  const { headers: received, rawPayload } = await server.inject({ url: '/graphql', headers })
  expect(received).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Language, Accept-Encoding' })
  const [error] = JSON.parse(gunzipSync(rawPayload).toString()).errors
  expect(error.extensions.detail).toBe(message)
})

import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { listener } from '../../../../foundation/http/listener.ts'
import { listenerUrl } from '../../../../foundation/http/listener-url.ts'
import { requestTelemetry } from '../../../../foundation/http/request-telemetry.ts'

describe('a request with an Upgrade header', () => {
  let takesWebSockets: boolean
  let server: FastifyInstance
  let sockets: WebSocketServer
  beforeEach(async () => {
    takesWebSockets = true
    server = listener(undefined, () => takesWebSockets, {})
    requestTelemetry({ registry: new Registry() }).observe(server, 'test')
    server.post('/things', async ({ body }) => ({ body }))
    sockets = new WebSocketServer({ server: server.server, path: '/ws' })
    await server.listen({ port: 0, host: '127.0.0.1' })
  })
  afterEach(async () => {
    sockets.close()
    await server.close()
  })

  /** Returns the responses to a first request with an Upgrade header, as Java and curl send it, and to a second one without. */
  const responsesTo = async (protocol: string): Promise<string> => {
    const socket = connect(Number(new URL(listenerUrl(server.server, '127.0.0.1')).port), '127.0.0.1').setTimeout(2000, () =>
      socket.destroy(),
    )
    const head = `POST /things HTTP/1.1\r\nHost: a\r\nUpgrade: ${protocol}\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABk\r\n`
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: 7\r\n\r\n{"a":1}`)
    let answers = ''
    for await (const bytes of socket.setEncoding('utf8')) {
      answers += bytes
      if (answers.endsWith('{"body":{"a":1}}')) socket.write('GET /nope HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    }
    return answers
  }
  const answered = /^HTTP\/1\.1 200 OK[\s\S]*\{"body":\{"a":1\}\}HTTP\/1\.1 404 Not Found/

  it.each(['h2c', 'TLS/1.0', 'websockets'])('is answered without an upgrade, and the connection stays open: %s', async (protocol) => {
    expect(await responsesTo(protocol)).toMatch(answered)
  })

  it('for a WebSocket is answered as well while no server accepts WebSockets, so that no connection is abandoned', async () => {
    expect(await responsesTo('WebSocket')).toMatch(/^HTTP\/1\.1 405 Method Not Allowed[\s\S]*Invalid HTTP method$/)
    takesWebSockets = false
    expect(await responsesTo('WebSocket')).toMatch(answered)
  })
})

it('reads only the first entries of a long header with preferences', async () => {
  const server = listener(undefined, () => false, {})
  server.get('/', async ({ headers }) => ({ accept: headers.accept, language: headers['accept-language'], agent: headers['user-agent'] }))
  const long = `text/html,${'a/b,'.repeat(3000)}*/*`
  const { accept, language, agent } = (
    await server.inject({ url: '/', headers: { accept: long, 'accept-language': 'x'.repeat(5000), 'user-agent': long } })
  ).json()
  expect(accept.length).toBeLessThanOrEqual(1020)
  expect(accept).toMatch(/^text\/html,(a\/b,)*\*\/\*;q=0\.001$/)
  expect([language, agent]).toEqual(['', long])
  const usual = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8'
  expect((await server.inject({ url: '/', headers: { accept: usual } })).json().accept).toBe(usual)
  await server.close()
})

it('ends a connection with the next response while the process is about to stop, also of a handler that writes it', async () => {
  let closes = false
  const server = listener(undefined, () => false, {}, { closesConnections: () => closes })
  server.get('/', async () => 'sent')
  server.get('/raw', async (_, reply) => void reply.hijack().raw.end('written'))
  await server.listen({ port: 0, host: '127.0.0.1' })
  const connectionOf = async (path: string) => (await fetch(`${listenerUrl(server.server, '127.0.0.1')}${path}`)).headers.get('connection')
  expect([await connectionOf('/'), await connectionOf('/raw')]).toEqual(['keep-alive', 'keep-alive'])
  closes = true
  expect([await connectionOf('/'), await connectionOf('/raw')]).toEqual(['close', 'close'])
  await server.close()
})

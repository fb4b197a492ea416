import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { listener } from '../../../../foundation/http/listener.ts'
import { listenerUrl } from '../../../../foundation/http/listener-url.ts'
import { requestTelemetry } from '../../../../foundation/http/request-telemetry.ts'

describe('a request that offers another protocol', () => {
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

  /** What is answered when it is asked as Java and curl ask a server that they do not know yet, and then again. */
  const offered = async (protocol: string): Promise<string> => {
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

  it.each(['h2c', 'TLS/1.0', 'websockets'])('is answered as any other, and the connection goes on: %s', async (protocol) => {
    expect(await offered(protocol)).toMatch(answered)
  })

  it('is answered so, too, for a WebSocket while nothing takes it, so that no connection is left to itself', async () => {
    expect(await offered('WebSocket')).toMatch(/^HTTP\/1\.1 405 Method Not Allowed[\s\S]*Invalid HTTP method$/)
    takesWebSockets = false
    expect(await offered('WebSocket')).toMatch(answered)
  })
})

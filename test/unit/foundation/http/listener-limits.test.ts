import { randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { ClientSlots } from '../../../../foundation/concurrency/client-slots.ts'
import { type ListenerLimits, listener } from '../../../../foundation/http/listener.ts'
import { listenerUrl } from '../../../../foundation/http/listener-url.ts'
import { cutSlowReaders, watchReader } from '../../../../foundation/http/slow-readers.ts'
import { silentLog } from '../../../../foundation/log.ts'
import { readBuildInfo } from '../../../../foundation/process/build-info.ts'
import { createSubgraphServer } from '../../../../gateway/protocols/subgraph-server/subgraph-server.ts'
import { principalTokens } from '../../../../gateway/sources/principal-token.ts'
import { createMetricsServer } from '../../../../platform/process/metrics-server.ts'
import { startGateway, town } from '../../../support/gateway/town.ts'
import { rest } from '../../../support/rest/rest.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** The listener kinds of the platform; each starts one and returns its address. */
const listeners: Readonly<Record<string, (listening: Partial<ListenerLimits>) => Promise<string>>> = {
  async gateway(listening) {
    const running = await startGateway('in process', { listening })
    closing.push(async () => running[Symbol.asyncDispose]())
    return running.graphql
  },
  async REST(listening) {
    const running = await rest({ listening })
    closing.push(async () => running[Symbol.asyncDispose]())
    return running.server.address
  },
  async subgraph(listening) {
    const server = createSubgraphServer({
      subgraph: { name: 'houses', schema: town().schemas.houses },
      tokens: principalTokens(randomBytes(32)),
      log: silentLog,
      host: '127.0.0.1',
      port: 0,
      bodyBytes: 10_000,
      requestTimeoutMs: 5000,
      listening,
    })
    await server.start(new AbortController().signal)
    closing.push(() => server.stop())
    return server.url
  },
  async metrics(listening) {
    const options = { host: '127.0.0.1', port: 0, log: silentLog, roles: 'all', build: readBuildInfo(), ready: () => true, listening }
    const server = createMetricsServer(options)
    await server.start(new AbortController().signal)
    closing.push(() => server.stop())
    return server.url
  },
}

/** Opens a connection that never closes its own side. */
function open(url: string, text = '') {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true })
  let received = ''
  socket
    .on('error', () => undefined)
    .on('data', (bytes) => {
      received += bytes
    })
  const event = (name: 'close' | 'end'): Promise<void> => new Promise((resolve) => socket.once(name, () => resolve()))
  socket.write(text)
  return { socket, received: () => received, closed: event('close'), ended: event('end') }
}

/** Resolves when the peer has closed both sides of a connection: a write is then answered with a reset. */
async function cut({ socket, closed, ended }: ReturnType<typeof open>): Promise<void> {
  await Promise.race([ended, closed])
  const writing = setInterval(() => socket.write('x'), 50)
  await closed
  clearInterval(writing)
}

describe.each(Object.keys(listeners))('the listener: %s', (kind) => {
  const start = (listening: Partial<ListenerLimits>): Promise<string> => {
    const starting = listeners[kind]
    if (starting === undefined) throw new Error(`there is no listener ${kind}`)
    return starting({ checkMs: 20, ...listening })
  }

  it('answers a request head that does not arrive in time with 408, and closes the connection', async () => {
    const slow = open(await start({ headersTimeoutMs: 200 }), 'GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ')
    await cut(slow)
    expect(slow.received()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
  })

  it('closes an idle new connection', async () => {
    const silent = open(await start({ headersTimeoutMs: 200 }))
    await cut(silent)
    expect(silent.received()).toMatch(/^(HTTP\/1\.1 408 |$)/)
  })

  it('closes a connection whose body does not arrive in time', async () => {
    const url = await start({ headersTimeoutMs: 200, arrivalTimeoutMs: 300 })
    const head = `POST ${new URL(url).pathname} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`
    await cut(open(url, head))
  })

  it('closes a connection without a further request', async () => {
    const idle = open(await start({ keepAliveTimeoutMs: 100 }), 'GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n')
    await cut(idle)
    expect(idle.received()).toMatch(/^HTTP\/1\.1 (200|404) /)
  })

  it('answers an oversized request head with 431', async () => {
    const large = open(await start({ headerBytes: 4096 }), `GET / HTTP/1.1\r\nHost: a\r\nX-Large: ${'x'.repeat(5000)}\r\n\r\n`)
    await cut(large)
    expect(large.received()).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/)
  })

  it('closes connections above the limits of an address and of the process, and accepts again after one closes', async () => {
    const url = await start({ connections: new ClientSlots({ total: 2 }) })
    const [one, two] = [open(url), open(url)]
    await Promise.all([one, two].map(({ socket }) => new Promise((resolve) => socket.once('connect', resolve))))
    const third = open(url, 'GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n')
    await cut(third)
    expect(third.received()).toBe('')
    one.socket.destroy()
    await expect
      .poll(async () => {
        const again = open(url, 'GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
        await cut(again)
        return again.received()
      })
      .toMatch(/^HTTP\/1\.1 /)
    two.socket.destroy()
  })
})

it('closes a connection with more than 32 requests in progress, and begins no more of them', async () => {
  const server = listener(undefined, () => false, { forceCloseConnections: true })
  let begun = 0
  const never = new Promise<void>(() => undefined)
  server.get('/', async () => {
    begun += 1
    await never
  })
  await server.listen({ port: 0, host: '127.0.0.1' })
  closing.push(() => server.close())
  const socket = connect(Number(new URL(listenerUrl(server.server, '127.0.0.1')).port), '127.0.0.1').on('error', () => undefined)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(32))
  await expect.poll(() => begun).toBe(32)
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(100))
  await closed
  expect(begun).toBe(32)
})

describe('a slow reader', () => {
  const served = async (limits: Parameters<typeof cutSlowReaders>[1], bytes: number) => {
    const server = listener(undefined, () => false, { forceCloseConnections: true })
    cutSlowReaders(server, limits)
    let count = 0
    server.server.on('connection', (socket) => {
      socket.once('close', () => {
        count += 1
      })
    })
    server.get('/', async () => Buffer.alloc(bytes))
    server.get('/hijacked', (request, reply) => {
      reply.hijack()
      watchReader(request, reply.raw)
      reply.raw.end(Buffer.alloc(bytes))
    })
    await server.listen({ port: 0, host: '127.0.0.1' })
    closing.push(() => server.close())
    return { url: listenerUrl(server.server, '127.0.0.1'), server, cutCount: () => count }
  }
  const request = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'

  /** Reads a little every 20 ms, which Node.js counts as progress. */
  const readSlowly = async (url: string): Promise<number> => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let bytes = 0
    socket
      .on('error', () => undefined)
      .on('data', (chunk) => {
        bytes += chunk.length
        socket.pause()
      })
    const reading = setInterval(() => socket.resume(), 20)
    socket.write(request)
    await new Promise((resolve) => socket.once('close', resolve))
    clearInterval(reading)
    return bytes
  }

  it('is cut below the minimum transfer rate', async () => {
    const size = 200_000_000
    const { url } = await served({ stallMs: 300, bytesPerS: 500_000_000 }, size)
    expect(await readSlowly(url)).toBeLessThan(size)
  })

  it('is cut when unsent responses hold too many bytes, while active readers are not', async () => {
    const size = 20_000_000
    const { url, cutCount } = await served({ stallMs: 4500, bytesPerS: 1, waitingBytes: 30_000_000 }, size)
    const idle = Array.from({ length: 4 }, () => open(url, request))
    for (const { socket } of idle) socket.pause()
    await expect.poll(cutCount).toBe(3)
    const answer = await fetch(url)
    expect((await answer.arrayBuffer()).byteLength).toBe(size)
    for (const { socket } of idle) socket.destroy()
  })

  it('is cut as soon as its pipelined requests have too many bytes of response', async () => {
    // the periodic check would come after minutes
    const { url, cutCount } = await served({ stallMs: 600_000, waitingBytes: 30_000_000 }, 20_000_000)
    const { socket } = open(url, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(4))
    socket.pause()
    await expect.poll(cutCount).toBe(1)
    expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(20_000_000)
    socket.destroy()
  })

  it('of one listener is cut before those of another that passes its requests on to the same server', async () => {
    const { url, server, cutCount } = await served({ stallMs: 600_000, waitingBytes: 50_000_000 }, 20_000_000)
    const other = createServer((incoming, response) => server.routing(incoming, response))
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    closing.push(async () => other.close())
    let cuts = 0
    other.on('connection', (socket) => socket.once('close', () => (cuts += 1)))
    const first = open(url, request)
    first.socket.pause()
    await expect.poll(() => first.socket.bytesWritten).toBeGreaterThan(0)
    const flood = Array.from({ length: 3 }, () => open(listenerUrl(other, '127.0.0.1'), request))
    for (const { socket } of flood) socket.pause()
    await expect.poll(() => cuts).toBe(2)
    expect(cutCount()).toBe(0)
    for (const { socket } of [first, ...flood]) socket.destroy()
  })

  it('of a hijacked response is cut, too', async () => {
    const { url, cutCount } = await served({ stallMs: 600, bytesPerS: 1, waitingBytes: 10_000_000 }, 20_000_000)
    const { socket } = open(url, 'GET /hijacked HTTP/1.1\r\nHost: a\r\n\r\n')
    socket.pause()
    await expect.poll(cutCount).toBe(1)
    socket.destroy()
  })
})

it('every server of the platform is created with these limits', () => {
  const project = new URL('../../../../', import.meta.url).pathname
  const sources = globSync('{platform,rest-adapters,gateway,web,subgraphs,engines,foundation,demonstration,packages}/**/*.ts', {
    cwd: project,
    exclude: ['**/node_modules/**'],
  })
  const creates = (file: string): boolean => {
    const text = readFileSync(`${project}${file}`, 'utf8')
    return /\bfastify\(|from 'fastify'.*\bFastify\(/i.test(text) || (/\bcreateServer\(/.test(text) && !text.includes("from 'node:net'"))
  }
  expect(sources.filter(creates).toSorted()).toEqual(['foundation/http/listener.ts', 'platform/process/metrics-server.ts'])
})

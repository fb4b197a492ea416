import { WebSocket } from 'ws'
import { openChannel, TestRealtimeSource } from '../../support/rest/realtime.ts'
import type { Benchmark } from '../support/harness.ts'
import { serve, startServer } from '../support/server-process.ts'

const clients = 5000
const atOnce = 50
const waitMs = 10_000
const module = new URL(import.meta.url)

/** A minimal Socket.IO client: writes the packets of the protocol itself. */
async function openClient(url: string, onEvent: (text: string) => void): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.realtime?EIO=4&transport=websocket`, { perMessageDeflate: false })
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.on('message', (data) => {
      const text = String(data)
      if (text === '2') socket.send('3')
      else if (text.startsWith('0')) socket.send('40')
      else if (text.startsWith('40')) socket.send('421["subscribe",{}]')
      else if (text.startsWith('431')) resolve()
      else if (text.startsWith('42')) onEvent(text)
    })
  })
  return socket
}

export const realtimeFanOut: Benchmark = {
  name: 'realtime-fan-out',
  about: `a coalesced update of the statistics to ${clients} Socket.IO clients of one process: ms until each has it`,
  target: 'p95 less than 500 ms',
  rounds: 3,
  async start() {
    const server = await startServer(module, 'realtime')
    let arrived: number[] = []
    const sockets: WebSocket[] = []
    while (sockets.length < clients) {
      const open = () => openClient(server.url, () => arrived.push(performance.timeOrigin + performance.now()))
      sockets.push(...(await Promise.all(Array.from({ length: atOnce }, open))))
    }
    return [
      {
        name: 'one process',
        async measure() {
          arrived = []
          const at = await server.query('change')
          for (const until = Date.now() + waitMs; arrived.length < clients && Date.now() < until; )
            await new Promise((resolve) => setTimeout(resolve, 20))
          if (arrived.length !== clients) throw new Error(`${arrived.length} of ${clients} updates arrived`)
          const times = arrived.map((time) => time - at).sort((a, b) => a - b)
          const part = (share: number): number => times[Math.ceil(share * times.length) - 1] ?? Number.NaN
          await new Promise((resolve) => setTimeout(resolve, 1200))
          return { 'p50 ms': part(0.5), 'p95 ms': part(0.95), 'last ms': part(1), 'MB of the server': await server.query('memoryMb') }
        },
        async stop() {
          for (const socket of sockets) socket.terminate()
          await server.stop()
        },
      },
    ]
  },
}

if (process.argv[2] === 'serve') {
  const source = new TestRealtimeSource()
  const channel = await openChannel({ source, limits: { clientsPerAddress: clients, subscriptionsPerAddress: clients } })
  let seq = 0
  serve(channel.url, {
    /** Makes a hundred changes at once, which clients receive as one event. @returns the time of the changes */
    change() {
      const at = performance.timeOrigin + performance.now()
      for (let count = 0; count < 100; count += 1) {
        seq += 1
        source.change({ kind: 'statistics', seq, version: `${seq}`, statistics: { total: seq, positive: 1, neutral: 2, negative: 3 } })
      }
      return at
    },
  })
}

import { randomUUID } from 'node:crypto'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { Benchmark } from '../support/harness.ts'
import { startPlatform } from '../support/platform-process.ts'

const clients = 1000
const atOnce = 50
const events = 20
const waitMs = 20_000

/** A different filter for each client; every expression of this benchmark matches all of them. */
const filterOf = (index: number): string => {
  const reach = 20 + index * 0.1
  return [
    `taxonomy=water-sanitation&bbox=${-reach},${-reach / 2},${reach},${reach / 2}`,
    `lat=1&lon=1&radius_km=${500 + index}&lang=fr`,
    `bbox=${-reach},${-reach / 2},${reach},${reach / 2}&lang=fr`,
    `taxonomy=water-sanitation,energy&lat=1&lon=1&radius_km=${500 + index}`,
  ][index % 4] as string
}

export const streamFanOut: Benchmark = {
  name: 'stream-fan-out',
  about: `an expression posted to REST, received by ${clients} clients of /ws, each with its own filter; embedded engines, one process`,
  target: 'p95 under 250 ms from the response of the POST until a client has received it',
  rounds: 3,
  async start(print) {
    const platform = await startPlatform({ STREAM_CLIENTS_PER_USER: String(clients), CLIENTS_PER_ADDRESS: '0' })
    const token = await platform.token()
    let receivedAt: number[] = []
    const sockets: WebSocket[] = []
    const open = (index: number): Promise<WebSocket> =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(`${platform.rest.replace('http', 'ws')}/ws?token=${token}&${filterOf(index)}`, {
          perMessageDeflate: false,
        })
        socket.once('error', reject)
        socket.on('message', (data) => {
          const text = String(data)
          if (text.startsWith('{"type":"expression"')) receivedAt.push(performance.now())
          else if (text.startsWith('{"type":"welcome"')) resolve(socket)
        })
      })
    while (sockets.length < clients)
      sockets.push(...(await Promise.all(Array.from({ length: atOnce }, (_, offset) => open(sockets.length + offset)))))
    return [
      {
        name: 'Civigraph',
        async measure() {
          const [answered, sent]: [number[], number[]] = [[], []]
          for (let event = 0; event < events; event++) {
            receivedAt = []
            const from = performance.now()
            await platform.post({
              text: `Le robinet est cassé ${randomUUID()}`,
              lang: 'fr',
              domain_hint: 'water-sanitation',
              location: { lat: 1, lon: 1 },
            })
            const at = performance.now()
            for (const until = at + waitMs; receivedAt.length < clients && performance.now() < until; ) await sleep(5)
            if (receivedAt.length !== clients) throw new Error(`${receivedAt.length} of ${clients} clients received it`)
            answered.push(...receivedAt.map((time) => time - at))
            sent.push(...receivedAt.map((time) => time - from))
          }
          print(
            `load of the machine ${loadavg()
              .map((load) => load.toFixed(1))
              .join(' ')}`,
          )
          return { 'p50 ms': part(answered, 0.5), 'p95 ms': part(answered, 0.95), 'p95 ms from the POST': part(sent, 0.95) }
        },
        async stop() {
          for (const socket of sockets) socket.terminate()
          await platform.stop()
        },
      },
    ]
  },
}

const part = (times: number[], share: number): number => times.sort((a, b) => a - b)[Math.ceil(share * times.length) - 1] ?? Number.NaN

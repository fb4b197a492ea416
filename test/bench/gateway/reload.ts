import type { Benchmark } from '../support/harness.ts'
import { startServer } from '../support/server-process.ts'
import { closeClients, openClients } from '../support/socket-clients.ts'
import { module, subscription } from './harbour-feed.ts'

const subscribers = 1000
const requestsPerSecond = 200
const body = JSON.stringify({ query: '{ ship { name flag } }' })

export const reload: Benchmark = {
  name: 'reload',
  about: `three other supergraphs in 6 s under ${requestsPerSecond} requests/s and ${subscribers} subscribers, with an event every 100 ms`,
  target: '0 requests failed, 0 events lost or delivered twice',
  rounds: 3,
  async start() {
    const server = await startServer(module, 'feed')
    const clients = await openClients(server.url, subscribers, subscription)
    const url = server.url.replace('ws', 'http')
    return [
      {
        name: 'one process',
        async measure() {
          const receivedByClient = clients.map((client) => {
            const received: number[] = []
            client.onEvent = (text) => void received.push(Number(/"at":([\d.]+)/.exec(text)?.[1]))
            return received
          })
          let failed = 0
          const durations: number[] = []
          const asking: Promise<void>[] = []
          const send = async (): Promise<void> => {
            const begunAt = performance.now()
            const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).catch(
              () => undefined,
            )
            const text = await answer?.text().catch(() => undefined)
            durations.push(performance.now() - begunAt)
            if (text !== '{"data":{"ship":{"name":"Ship 1","flag":"LU"}}}\n') failed += 1
          }
          const begunAt = performance.now()
          const timer = setInterval(() => {
            // as many as are due, even when the timer is late
            while (asking.length < ((performance.now() - begunAt) / 1000) * requestsPerSecond) asking.push(send())
          }, 5)
          const reloadCount = await server.query('reloads')
          clearInterval(timer)
          await Promise.all(asking)
          const wrong = receivedByClient.filter(
            (received) => received.length !== reloadCount || received.some((at, index) => !(at > (received[index - 1] ?? 0))),
          )
          durations.sort((a, b) => a - b)
          return {
            requests: asking.length,
            failed,
            events: reloadCount,
            'subscribers that lost': wrong.length,
            'p50 ms': durations[Math.floor(durations.length / 2)] ?? Number.NaN,
            'longest ms': durations.at(-1) ?? Number.NaN,
          }
        },
        async stop() {
          await closeClients(clients)
          await server.stop()
        },
      },
    ]
  },
}

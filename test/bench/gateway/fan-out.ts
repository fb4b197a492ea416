import type { Benchmark } from '../support/harness.ts'
import { startServer } from '../support/server-process.ts'
import { closeClients, openClients } from '../support/socket-clients.ts'
import { module, subscription } from './harbour-feed.ts'

const subscribers = 1000

export const fanOut: Benchmark = {
  name: 'fan-out',
  about: `from emitting an event with one entity hop until each of ${subscribers} equal subscribers receives it, 5 events a run`,
  target: 'p95 within 250 ms, one entity fetch an event, one stream',
  rounds: 3,
  async start() {
    const server = await startServer(module, 'feed')
    const clients = await openClients(server.url, subscribers, subscription)
    return [
      {
        name: `${subscribers} subscribers`,
        async measure() {
          const durations: number[] = []
          let fetches = 0
          for (const client of clients)
            client.onEvent = (text) => {
              const [, at] = /"at":([\d.]+)/.exec(text) ?? []
              durations.push(performance.timeOrigin + performance.now() - Number(at))
            }
          for (let event = 0; event < 5; event += 1) fetches += await server.query('emit')
          if (durations.length !== 5 * subscribers) throw new Error(`${durations.length} of ${5 * subscribers} events arrived`)
          durations.sort((a, b) => a - b)
          const at = (share: number): number =>
            durations[Math.min(durations.length - 1, Math.floor(durations.length * share))] ?? Number.NaN
          return {
            'p50 ms': at(0.5),
            'p95 ms': at(0.95),
            'longest ms': at(1),
            'entity fetches/event': fetches / 5,
            streams: await server.query('streams'),
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

import type { Benchmark } from '../support/harness.ts'
import { startServer } from '../support/server-process.ts'
import { openClients } from '../support/socket-clients.ts'
import { module, subscription } from './harbour-feed.ts'

/** `--minutes=10` for the full test. */
const minutes = Number(process.argv.find((word) => word.startsWith('--minutes='))?.slice('--minutes='.length) ?? 1)
const atOnce = 50

export const subscriptionChurn: Benchmark = {
  name: 'subscription-churn',
  about: `heap of the gateway while ${atOnce} clients at a time connect, subscribe (half of them like a client that stays, the others each differently), receive an event and disconnect (half of them without closing the socket), for ${minutes} min`,
  target: 'no growth from the first third to the last',
  rounds: 1,
  async start(print) {
    const server = await startServer(module, 'feed')
    const round = async (until: number): Promise<{ heaps: number[]; cycles: number }> => {
      const heaps: number[] = []
      let cycles = 0
      while (Date.now() < until) {
        for (let time = 0; time < 10; time += 1) {
          const different = subscription.replace('{ at', `{ a${cycles % 500}: at at`)
          const clients = [
            ...(await openClients(server.url, atOnce / 2, subscription)),
            ...(await openClients(server.url, atOnce / 2, different)),
          ]
          if (time === 0) await server.query('emit')
          for (const [index, { socket }] of clients.entries()) {
            if (index % 2 === 0) socket.terminate()
            else {
              socket.send('{"id":"1","type":"complete"}')
              socket.close()
            }
          }
          cycles += clients.length
        }
        heaps.push(await server.query('heapMb'))
      }
      return { heaps, cycles }
    }
    return [
      {
        name: 'connect, subscribe, go',
        async measure() {
          const [staying] = await openClients(server.url, 1, subscription)
          const { heaps, cycles } = await round(Date.now() + (minutes / 2) * 60_000)
          staying?.socket.terminate()
          await new Promise((resolve) => setTimeout(resolve, 500))
          const third = Math.max(1, Math.floor(heaps.length / 3))
          const mean = (list: readonly number[]): number => list.reduce((sum, each) => sum + each, 0) / list.length
          print(`  heap MB: ${heaps.map((heap) => heap.toFixed(1)).join(' ')}`)
          return {
            clients: cycles,
            'MB, first third': mean(heaps.slice(0, third)),
            'MB, last third': mean(heaps.slice(-third)),
            'open streams': await server.query('streams'),
          }
        },
        stop: () => server.stop(),
      },
    ]
  },
}

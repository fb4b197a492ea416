import type { Benchmark } from '../support/harness.ts'
import { startServer } from '../support/server-process.ts'
import { openClients } from '../support/socket-clients.ts'
import { module, subscription } from './harbour-feed.ts'

const subscribers = 10_000

export const idleSubscribers: Benchmark = {
  name: 'idle-subscribers',
  about: `resident memory of a gateway process with ${subscribers} subscribers, each on its own socket, before and after an event`,
  target: 'less than 1,500 MB',
  rounds: 1,
  async start() {
    const variants = ['equal', 'different'].map(async (kind) => {
      const server = await startServer(module, kind)
      return {
        name: `${kind} subscriptions`,
        async measure() {
          const before = await server.query('memoryMb')
          // a different alias makes each subscription different from every other
          const groups = kind === 'equal' ? 1 : 100
          const clients = []
          for (let group = 0; group < groups; group += 1)
            clients.push(...(await openClients(server.url, subscribers / groups, subscription.replace('{ at', `{ a${group}: at at`))))
          let arrived = 0
          for (const client of clients)
            client.onEvent = () => {
              arrived += 1
            }
          const figures = { 'MB before': before, 'MB idle': await server.query('memoryMb'), streams: await server.query('streams') }
          await server.query('emit')
          for (let wait = 0; arrived < subscribers && wait < 50; wait += 1) await new Promise((resolve) => setTimeout(resolve, 200))
          if (arrived !== subscribers) throw new Error(`${arrived} of ${subscribers} events arrived`)
          const after = await server.query('memoryMb')
          for (const { socket } of clients) socket.terminate()
          await new Promise((resolve) => setTimeout(resolve, 1000))
          return { ...figures, 'MB after an event': after, 'open streams': await server.query('streams') }
        },
        stop: () => server.stop(),
      }
    })
    return Promise.all(variants)
  },
}

import { printSchema } from 'graphql'
import { createClient } from 'graphql-ws'
import { Environment, Network, RecordSource, requestSubscription, Store } from 'relay-runtime'
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { relaySubscriptions } from '../support/clients/graphql-ws-transports.ts'
import { relayArtifacts } from '../support/clients/relay-artifacts.ts'
import { library, librarySdl } from '../support/gateway/library.ts'
import { startServed } from '../support/gateway/town.ts'

const page = `const { graphql } = require('relay-runtime')
graphql\`subscription pageLentSubscription { lent { seq book { id title stars } } }\`
`
const config = '{"src": "./src", "schema": "./schema.graphql", "language": "javascript", "eagerEsModules": true}'

it('Relay receives events over graphql-ws and stores their entities', async () => {
  const books = library()
  await using served = await startServed('in process', librarySdl, books.schemas)
  using artifacts = relayArtifacts(page, printSchema(served.executor.schema), config)
  const socket = createClient({ url: served.socket, webSocketImpl: WebSocket })
  const network = Network.create(() => Promise.reject(new Error('nothing is queried')), relaySubscriptions(socket))
  const environment = new Environment({ network, store: new Store(new RecordSource()) })
  const received: unknown[] = []
  const subscription = requestSubscription(environment, {
    subscription: await artifacts.of('pageLentSubscription'),
    variables: {},
    onNext: (event) => received.push(event),
  })
  await expect.poll(() => books.streams.length).toBe(1)
  books.lend('5')
  books.lend('6')
  await expect
    .poll(() => received)
    .toMatchObject([{ lent: { seq: 1, book: { title: 'Book 5', stars: 5 } } }, { lent: { seq: 2, book: { title: 'Book 6', stars: 6 } } }])
  expect(environment.getStore().getSource().get('6')).toMatchObject({ __typename: 'Book', title: 'Book 6', stars: 6 })
  subscription.dispose()
  await socket.dispose()
})

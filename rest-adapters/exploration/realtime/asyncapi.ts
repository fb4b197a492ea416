import { type AsyncApi, asyncApiOf } from '../../documentation/asyncapi.ts'
import { type FixedRoute, fixedRoute } from '../../route/route.ts'
import { answers, clientEvents, serverEvents } from './messages.ts'

/** Returns the AsyncAPI document of the realtime channel; message names are those of the Socket.IO events. */
export const realtimeDocument = (): AsyncApi =>
  asyncApiOf({
    title: 'Exploration backend: changes',
    description:
      'Socket.IO 4 on the server that serves this document. It sends events for expressions, statistics, domains and map tiles that change. A message is an event of that name. Actions are those of the platform: it sends messages, and a client receives them. Replies are acknowledgements.',
    name: 'realtime',
    address: '/socket.realtime',
    transport: 'Socket.IO 4, over WebSocket or long polling',
    defaultHost: 'localhost:4002',
    sends: { name: 'sendChanges', messages: serverEvents },
    receives: { name: 'receiveSubscriptions', messages: clientEvents },
    replies: answers,
  })

/** Returns the route that serves this document. */
export const realtimeDocumentRoute = (): FixedRoute =>
  fixedRoute({
    path: '/asyncapi.json',
    summary: 'Returns the AsyncAPI document of the realtime channel',
    extension: true,
    mediaType: 'application/json',
    content: JSON.stringify(realtimeDocument()),
  })

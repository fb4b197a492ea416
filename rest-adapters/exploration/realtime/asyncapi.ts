import { type AsyncApi, asyncApiOf } from '../../documentation/asyncapi.ts'
import { answers, clientEvents, serverEvents } from './messages.ts'

/** The document of the realtime channel: names of messages are those of Socket.IO's events. */
export const realtimeDocument = (): AsyncApi =>
  asyncApiOf({
    title: 'Exploration backend: what changes',
    description:
      'Where this document was read, Socket.IO 4 tells expressions, figures, domains and parts of the map that change. A message is an event of that name. It sees them from the platform: it sends, a client receives. Answers are acknowledgements.',
    name: 'realtime',
    address: '/socket.realtime',
    transport: 'Socket.IO 4, over WebSocket or long polling',
    usualHost: 'localhost:4002',
    tells: { name: 'tellChanges', messages: serverEvents },
    hears: { name: 'chooseChanges', messages: clientEvents },
    answers,
  })

import { type AsyncApi, asyncApiOf } from '../../documentation/asyncapi.ts'
import { StreamParameters } from './filter.ts'
import { clientFrames } from './frames.ts'
import { serverFrames } from './server-frames.ts'

/** Returns the AsyncAPI document of /ws, built from the schemas that validate the frames. */
export const streamDocument = (): AsyncApi =>
  asyncApiOf({
    title: 'Classification engine: new expressions',
    description:
      'A WebSocket that sends each expression when it is written, on the server that serves this document. Actions are those of the platform: it sends messages, and a client receives them.',
    name: 'expressions',
    address: '/ws',
    transport: 'JSON frames over WebSocket',
    defaultHost: 'localhost:4003',
    query: StreamParameters,
    sends: { name: 'sendExpressions', messages: serverFrames },
    receives: { name: 'receiveClientFrames', messages: clientFrames },
  })

import { type AsyncApi, asyncApiOf } from '../../documentation/asyncapi.ts'
import { StreamParameters } from './filter.ts'
import { clientFrames } from './frames.ts'
import { serverFrames } from './server-frames.ts'

/** The document of /ws: what it says is made of the schemas by which frames are read and typed. */
export const streamDocument = (): AsyncApi =>
  asyncApiOf({
    title: 'Classification engine: new expressions',
    description:
      'Where this document was read, a WebSocket tells expressions as they are written. It sees them from the platform: it sends, a client receives.',
    name: 'expressions',
    address: '/ws',
    transport: 'JSON frames over WebSocket',
    usualHost: 'localhost:4003',
    query: StreamParameters,
    tells: { name: 'tellExpressions', messages: serverFrames },
    hears: { name: 'chooseExpressions', messages: clientFrames },
  })

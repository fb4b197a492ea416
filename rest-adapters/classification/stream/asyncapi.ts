import type { z } from 'zod'
import { JsonSchemas } from '../../documentation/json-schemas.ts'
import type { JsonSchema } from '../../documentation/openapi-document.ts'
import { StreamParameters } from './filter.ts'
import { clientFrames } from './frames.ts'
import { serverFrames } from './server-frames.ts'

interface Message {
  readonly name: string
  readonly contentType: 'application/json'
  readonly payload: JsonSchema
}

/** An AsyncAPI 3 document of one channel, as far as we write one. */
export interface AsyncApi {
  readonly asyncapi: '3.0.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly channels: Readonly<Record<string, JsonSchema & { readonly messages: Readonly<Record<string, Message>> }>>
  readonly operations: Readonly<Record<string, JsonSchema>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

/** The document of /ws: what it says is made of the schemas by which frames are read and typed. */
export function streamDocument(): AsyncApi {
  const schemas = new JsonSchemas()
  const messages = (frames: Readonly<Record<string, z.ZodType>>, io: 'input' | 'output') =>
    Object.entries(frames).map(([name, schema]): [string, Message] => [
      name,
      { name, contentType: 'application/json', payload: schemas.of(schema, io) },
    ])
  const [sent, received] = [messages(serverFrames, 'output'), messages(clientFrames, 'input')]
  const operation = (action: 'send' | 'receive', summary: string, of: typeof sent): JsonSchema => ({
    action,
    summary,
    channel: { $ref: '#/channels/expressions' },
    messages: of.map(([name]) => ({ $ref: `#/channels/expressions/messages/${name}` })),
  })
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Classification engine: new expressions',
      version: '1.0.0',
      description:
        'Where this document was read, a WebSocket tells expressions as they are written. It sees them from the platform: it sends, a client receives.',
    },
    channels: {
      expressions: {
        address: '/ws',
        description: 'JSON frames over WebSocket',
        bindings: { ws: { method: 'GET', query: schemas.of(StreamParameters, 'input') } },
        messages: Object.fromEntries([...sent, ...received]),
      },
    },
    operations: {
      tellExpressions: operation('send', 'What the platform tells', sent),
      chooseExpressions: operation('receive', 'What a client may say', received),
    },
    components: { schemas: schemas.named },
  }
}

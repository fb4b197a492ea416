import type { z } from 'zod'
import { requestedHost } from '../../foundation/http/listener-url.ts'
import { JsonSchemas } from './json-schemas.ts'
import type { JsonSchema } from './openapi-document.ts'

type Messages = Readonly<Record<string, z.ZodType>>

/** A channel of messages. */
export interface DocumentedChannel {
  readonly title: string
  readonly description: string
  /** name of the channel in the document */
  readonly name: string
  readonly address: string
  readonly transport: string
  /** host and port with default settings */
  readonly defaultHost: string
  /** query parameters of the address */
  readonly query?: z.ZodType
  /** messages that the platform sends, by name */
  readonly sends: { readonly name: string; readonly messages: Messages }
  /** messages that a client sends, by name */
  readonly receives: { readonly name: string; readonly messages: Messages }
  /** replies of the platform to messages of a client */
  readonly replies?: Messages
}

interface Message {
  readonly name: string
  readonly contentType: 'application/json'
  readonly payload: JsonSchema
}

/** The subset of AsyncAPI 3 that the documents use. */
export interface AsyncApi {
  readonly asyncapi: '3.0.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: Readonly<Record<string, JsonSchema>>
  readonly channels: Readonly<Record<string, JsonSchema & { readonly messages: Readonly<Record<string, Message>> }>>
  readonly operations: Readonly<Record<string, JsonSchema>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

/**
 * Returns the document of a channel from the view of the platform: a client receives what the platform sends.
 * @see https://www.asyncapi.com/docs/reference/specification/v3.0.0
 */
export function asyncApiOf({
  title,
  description,
  name: channel,
  address,
  transport,
  defaultHost,
  query,
  sends,
  receives,
  replies,
}: DocumentedChannel): AsyncApi {
  const schemas = new JsonSchemas()
  const described = (messages: Messages, io: 'input' | 'output') =>
    Object.entries(messages).map(([name, schema]): [string, Message] => [
      // a message of both directions has an id for each
      io === 'input' && name in sends.messages ? `client_${name}` : name,
      { name, contentType: 'application/json', payload: schemas.of(schema, io) },
    ])
  const [sent, received, replied] = [
    described(sends.messages, 'output'),
    described(receives.messages, 'input'),
    described(replies ?? {}, 'output'),
  ]
  const referring = (messages: readonly (readonly [string, Message])[]) =>
    messages.map(([id]) => ({ $ref: `#/channels/${channel}/messages/${pointed(id)}` }))
  const at = { $ref: `#/channels/${channel}` }
  return {
    asyncapi: '3.0.0',
    info: { title, version: '1.0.0', description },
    servers: requestedHost(defaultHost),
    channels: {
      [channel]: {
        address,
        description: transport,
        ...(query !== undefined && { bindings: { ws: { method: 'GET', query: schemas.of(query, 'input') } } }),
        messages: Object.fromEntries([...sent, ...received, ...replied]),
      },
    },
    operations: {
      [sends.name]: { action: 'send', summary: 'Messages that the platform sends', channel: at, messages: referring(sent) },
      [receives.name]: {
        action: 'receive',
        summary: 'Messages that a client may send',
        channel: at,
        messages: referring(received),
        ...(replies !== undefined && { reply: { channel: at, messages: referring(replied) } }),
      },
    },
    components: { schemas: schemas.named },
  }
}

/** Escapes a name for a JSON pointer (RFC 6901). */
const pointed = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

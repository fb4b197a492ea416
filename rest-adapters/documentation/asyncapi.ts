import type { z } from 'zod'
import { hereFrom } from '../../gateway/http/listener-url.ts'
import { JsonSchemas } from './json-schemas.ts'
import type { JsonSchema } from './openapi-document.ts'

type Messages = Readonly<Record<string, z.ZodType>>

/** A channel, as code reads and writes it. */
export interface DocumentedChannel {
  readonly title: string
  readonly description: string
  /** how the document calls the channel, and its operations */
  readonly name: string
  readonly address: string
  readonly transport: string
  /** where it is on a machine that nothing was said to */
  readonly usualHost: string
  /** parameters of the address */
  readonly query?: z.ZodType
  /** what the platform sends, by the name of the message */
  readonly tells: { readonly name: string; readonly messages: Messages }
  /** what a client sends */
  readonly hears: { readonly name: string; readonly messages: Messages }
  /** what the platform answers to what a client sends, where it does */
  readonly answers?: Messages
}

interface Message {
  readonly name: string
  readonly contentType: 'application/json'
  readonly payload: JsonSchema
}

/** An AsyncAPI 3 document of one channel, as far as we write one. */
export interface AsyncApi {
  readonly asyncapi: '3.0.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: Readonly<Record<string, JsonSchema>>
  readonly channels: Readonly<Record<string, JsonSchema & { readonly messages: Readonly<Record<string, Message>> }>>
  readonly operations: Readonly<Record<string, JsonSchema>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

/**
 * The document of a channel, seen from the platform: what it sends, a client receives.
 * @see https://www.asyncapi.com/docs/reference/specification/v3.0.0
 */
export function asyncApiOf({
  title,
  description,
  name: channel,
  address,
  transport,
  usualHost,
  query,
  tells,
  hears,
  answers,
}: DocumentedChannel): AsyncApi {
  const schemas = new JsonSchemas()
  const described = (messages: Messages, io: 'input' | 'output') =>
    Object.entries(messages).map(([name, schema]): [string, Message] => [
      name,
      { name, contentType: 'application/json', payload: schemas.of(schema, io) },
    ])
  const [sent, received, replied] = [
    described(tells.messages, 'output'),
    described(hears.messages, 'input'),
    described(answers ?? {}, 'output'),
  ]
  const referring = (messages: readonly (readonly [string, Message])[]) =>
    messages.map(([name]) => ({ $ref: `#/channels/${channel}/messages/${pointed(name)}` }))
  const at = { $ref: `#/channels/${channel}` }
  return {
    asyncapi: '3.0.0',
    info: { title, version: '1.0.0', description },
    servers: hereFrom(usualHost),
    channels: {
      [channel]: {
        address,
        description: transport,
        ...(query !== undefined && { bindings: { ws: { method: 'GET', query: schemas.of(query, 'input') } } }),
        messages: Object.fromEntries([...sent, ...received, ...replied]),
      },
    },
    operations: {
      [tells.name]: { action: 'send', summary: 'What the platform tells', channel: at, messages: referring(sent) },
      [hears.name]: {
        action: 'receive',
        summary: 'What a client may say',
        channel: at,
        messages: referring(received),
        ...(answers !== undefined && { reply: { channel: at, messages: referring(replied) } }),
      },
    },
    components: { schemas: schemas.named },
  }
}

/** A name within a JSON pointer (RFC 6901). */
const pointed = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

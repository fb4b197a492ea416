import type { FastifyInstance } from 'fastify'
import { requestedHost } from '../../../foundation/http/listener-url.ts'
import { sendTagged, tagged } from '../../../foundation/http/tagged-text.ts'

type Schema = Readonly<Record<string, unknown>>

const id: Schema = { type: 'string', minLength: 1, description: 'id of the operation, unique among running ones' }
const anything: Schema = { type: 'object', additionalProperties: true }
const error: Schema = {
  type: 'object',
  required: ['message'],
  properties: {
    message: { type: 'string' },
    path: { type: 'array', items: { type: ['string', 'integer'] } },
    locations: { type: 'array', items: anything },
    extensions: { ...anything, properties: { code: { type: 'string' }, requestId: { type: 'string' } } },
  },
}

/** Defines a message type with these members. */
const message = (type: string, summary: string, properties: Schema = {}, required = Object.keys(properties)) => ({
  name: type,
  summary,
  contentType: 'application/json',
  payload: {
    type: 'object',
    required: ['type', ...required],
    properties: { type: { const: type }, ...properties },
    additionalProperties: false,
  },
})

const sent = {
  connection_ack: message('connection_ack', 'The connection is open for operations', { payload: anything }, []),
  next: message('next', 'A result, or one event of a subscription', {
    id,
    payload: {
      type: 'object',
      properties: {
        data: { type: ['object', 'null'] },
        errors: { type: 'array', items: error },
        extensions: {
          ...anything,
          properties: { cursor: { type: 'string', description: 'resumes the subscription after this event' } },
        },
        incremental: { type: 'array', items: anything },
        hasNext: { type: 'boolean' },
        label: { type: 'string' },
        path: { type: 'array', items: { type: ['string', 'integer'] } },
      },
    },
  }),
  error: message('error', 'The operation was refused and has ended', { id, payload: { type: 'array', items: error, minItems: 1 } }),
} as const

const received = {
  connection_init: message(
    'connection_init',
    'The first message, within 10 s',
    {
      payload: {
        type: ['object', 'null'],
        description: 'credentials',
        properties: { authorization: { type: 'string' }, 'X-Service-API-Key': { type: 'string' } },
        additionalProperties: true,
      },
    },
    [],
  ),
  subscribe: message('subscribe', 'Starts an operation: a subscription, a query or a mutation', {
    id,
    payload: {
      type: 'object',
      required: ['query'],
      properties: {
        query: { type: 'string' },
        operationName: { type: ['string', 'null'] },
        variables: { type: ['object', 'null'] },
        extensions: {
          type: ['object', 'null'],
          properties: { cursor: { type: ['string', 'null'], description: 'cursor of the last event received' } },
        },
      },
    },
  }),
} as const

/** sent by both sides */
const both = {
  complete: message('complete', 'The operation has ended; sent by a client to end it', { id }),
  ping: message('ping', 'Checks the connection', { payload: anything }, []),
  pong: message('pong', 'Confirms the connection', { payload: anything }, []),
} as const

const at = { $ref: '#/channels/graphql' }
const referring = (messages: object) => Object.keys(messages).map((name) => ({ $ref: `#/channels/graphql/messages/${name}` }))

/**
 * The AsyncAPI 3 document of GraphQL over WebSocket, independent of the graph; /schema.graphql lists the subscriptions. @see
 * https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
 */
export const graphqlWsDocument = {
  asyncapi: '3.0.0',
  info: {
    title: 'GraphQL over WebSocket',
    version: '1.0.0',
    description:
      'Operations of /graphql over one connection, with the subprotocol graphql-transport-ws. GET /schema.graphql returns the schema.',
  },
  servers: requestedHost('localhost:4000'),
  channels: {
    graphql: {
      address: '/graphql',
      description: 'WebSocket with the subprotocol `graphql-transport-ws`; a frame is JSON text of at most 1 MiB',
      bindings: {
        ws: {
          method: 'GET',
          headers: {
            type: 'object',
            required: ['Sec-WebSocket-Protocol'],
            properties: { 'Sec-WebSocket-Protocol': { const: 'graphql-transport-ws' } },
          },
        },
      },
      messages: { ...sent, ...received, ...both },
    },
  },
  operations: {
    sendMessages: { action: 'send', summary: 'Messages from the gateway', channel: at, messages: referring({ ...sent, ...both }) },
    receiveMessages: { action: 'receive', summary: 'Messages from a client', channel: at, messages: referring({ ...received, ...both }) },
  },
} as const

/** Serves GET /asyncapi.json next to /schema.graphql; 304 if unchanged. */
export function asyncApiRoute(server: FastifyInstance): void {
  const text = tagged(JSON.stringify(graphqlWsDocument), 'application/json; charset=utf-8')
  server.get('/asyncapi.json', async (request, reply) => sendTagged(request, reply, text))
}

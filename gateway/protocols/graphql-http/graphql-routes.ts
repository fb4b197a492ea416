import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type GraphQLSchema, printSchema } from 'graphql'
import type { AdmissionGate } from '../../../foundation/concurrency/load-gate.ts'
import { sendTagged, type TaggedText, tagged } from '../../../foundation/http/tagged-text.ts'

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

export interface GraphqlRouteOptions {
  readonly handler: Handler
  /** checked before the body is read */
  readonly gate: AdmissionGate
  /** path of the page for writing operations, to which browsers are redirected; absent: none */
  readonly explorer: string | undefined
}

/** Serves GET and POST /graphql. */
export function graphqlRoute(server: FastifyInstance, { handler, gate, explorer }: GraphqlRouteOptions): void {
  server.route({
    method: ['GET', 'POST'],
    url: '/graphql',
    onRequest: async () => gate.admit('read'),
    handler: explorer === undefined ? handler : redirectingBrowsers(explorer, handler),
  })
}

const redirectingBrowsers =
  (page: string, handler: Handler): Handler =>
  async (request, reply) => {
    if (!isPageRequest(request)) return handler(request, reply)
    const query = request.url.indexOf('?')
    return reply.redirect(query < 0 ? page : page + request.url.slice(query), 303)
  }

/** Browsers prefer HTML; GraphQL clients do not accept it. */
const isPageRequest = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && /^\s*text\/html\b/i.test(headers.accept ?? '') && headers['apollo-require-preflight'] === undefined

/** Serves GET /schema.graphql, the API schema, for tools; 304 if unchanged. */
export function schemaRoute(server: FastifyInstance, schema: () => GraphQLSchema): void {
  const texts = new WeakMap<GraphQLSchema, TaggedText>()
  server.get('/schema.graphql', async (request, reply) => {
    const current = schema()
    const text = texts.get(current) ?? tagged(`${printSchema(current)}\n`, 'application/graphql; charset=utf-8')
    texts.set(current, text)
    return sendTagged(request, reply, text)
  })
}

import type { FastifyInstance } from 'fastify'
import { type GraphQLSchema, printSchema } from 'graphql'
import { sendTagged, type TaggedText, tagged } from '../../../foundation/http/tagged-text.ts'

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

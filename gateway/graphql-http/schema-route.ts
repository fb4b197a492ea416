import type { FastifyInstance } from 'fastify'
import { type GraphQLSchema, printSchema } from 'graphql'
import { sendTagged, type TaggedText, tagged } from '../http/tagged-text.ts'

/** GET /schema.graphql: the schema that clients see, for tools that read files; 304 to those who have it. */
export function schemaRoute(server: FastifyInstance, schema: () => GraphQLSchema): void {
  const texts = new WeakMap<GraphQLSchema, TaggedText>()
  server.get('/schema.graphql', async (request, reply) => {
    const current = schema()
    const text = texts.get(current) ?? tagged(`${printSchema(current)}\n`, 'application/graphql; charset=utf-8')
    texts.set(current, text)
    return sendTagged(request, reply, text)
  })
}

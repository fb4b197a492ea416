import type { FastifyInstance } from 'fastify'
import { type GraphQLSchema, printSchema } from 'graphql'

/** GET /schema.graphql: the schema that clients see, for tools that read files. */
export function schemaRoute(server: FastifyInstance, schema: () => GraphQLSchema): void {
  const texts = new WeakMap<GraphQLSchema, string>()
  server.get('/schema.graphql', async (_, reply) => {
    const current = schema()
    const text = texts.get(current) ?? `${printSchema(current)}\n`
    texts.set(current, text)
    return reply.header('cache-control', 'no-cache').type('application/graphql; charset=utf-8').send(text)
  })
}

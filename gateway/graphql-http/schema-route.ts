import type { FastifyInstance } from 'fastify'
import { type GraphQLSchema, printSchema } from 'graphql'

/** GET /schema.graphql: the schema that clients see, for tools that read files. */
export function schemaRoute(server: FastifyInstance, schema: GraphQLSchema): void {
  let text: string | undefined
  server.get('/schema.graphql', async (_, reply) => {
    text ??= `${printSchema(schema)}\n`
    return reply.header('cache-control', 'no-cache').type('application/graphql; charset=utf-8').send(text)
  })
}

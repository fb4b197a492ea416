import { createServer, type Server } from 'node:http'
import { json } from 'node:stream/consumers'
import { ApolloServer, HeaderMap } from '@apollo/server'
import type { GraphQLSchema } from 'graphql'
import { useServer } from 'graphql-ws/use/ws'
import { WebSocketServer } from 'ws'

/** A foreign subgraph: Apollo Server, and graphql-ws with its own binding. It ignores the platform's headers. */
export async function foreign(
  schema: GraphQLSchema,
  seen: string[] = [],
): Promise<{ readonly server: Server; readonly sockets: WebSocketServer; readonly stop: () => Promise<void> }> {
  const apollo = new ApolloServer({ schema, nodeEnv: 'production' })
  await apollo.start()
  const server = createServer(async (request, response) => {
    seen.push(
      ...Object.entries(request.headers).map(([name, value]) =>
        name.startsWith('x-civic') || name === 'authorization' ? `${name}: ${value}` : name,
      ),
    )
    const headers = new HeaderMap(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const body = await json(request)
    const answer = await apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method: request.method ?? '', headers, search: '', body },
      context: async () => ({ signal: new AbortController().signal }),
    })
    response
      .writeHead(answer.status ?? 200, Object.fromEntries(answer.headers))
      .end(answer.body.kind === 'complete' ? answer.body.string : '')
  })
  const sockets = new WebSocketServer({ server, path: '/graphql' })
  const disposable = useServer(
    {
      schema,
      onConnect: ({ connectionParams }) => void seen.push(`init ${JSON.stringify(connectionParams)}`),
      context: () => ({ signal: new AbortController().signal }),
    },
    sockets,
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    server,
    sockets,
    async stop() {
      await disposable.dispose()
      await apollo.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { graphiqlFiles, graphiqlPolicy } from './graphiql.ts'
import { landingPage, type ShownComponent } from './landing.ts'
import { type PageFile, pageFile, pageHeaders, sharedPageFiles } from './page-file.ts'

/** Serves the landing page at /, GraphiQL at /graphiql, and what they load under /pages. Files are read now, once. */
export function mountPages(server: FastifyInstance, components: readonly ShownComponent[], version: string): void {
  const files = [...sharedPageFiles(), pageFile('/pages/landing.js', 'gateway/pages/landing.js'), ...graphiqlFiles()]
  for (const file of files) {
    const headers = { ...pageHeaders(file.path === '/graphiql' ? graphiqlPolicy : undefined), etag: etagOf(file.content) }
    server.get(file.path, async (request, reply) => answer(request, reply, file, headers))
  }
  server.get('/', async (request, reply) => {
    const content = landingPage(components, version, request.hostname)
    const headers = { ...pageHeaders(), etag: etagOf(content) }
    return answer(request, reply, { path: '/', mediaType: 'text/html; charset=utf-8', content }, headers)
  })
}

const etagOf = (content: string): string => `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`

/** Browsers ask each time and are told 304: after an upgrade nobody sees an old page. */
function answer(request: FastifyRequest, reply: FastifyReply, file: PageFile, headers: Readonly<Record<string, string>>): FastifyReply {
  reply.headers({ ...headers, 'cache-control': 'no-cache' })
  if (request.headers['if-none-match'] === headers.etag) return reply.code(304).send()
  return reply.type(file.mediaType).send(file.content)
}

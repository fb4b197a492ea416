import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { graphiqlFiles, graphiqlPolicy } from '../graphiql/graphiql.ts'
import { type PageFile, pageFile, pageHeaders, sharedPageFiles } from '../shared/page-file.ts'
import { landingPage, type ShownComponent } from './landing.ts'

export interface PlatformPages {
  readonly components: readonly ShownComponent[]
  readonly version: string
  /** of the gateway as clients see it; undefined: as the request names it */
  readonly publicUrl: string | undefined
}

/** Serves the landing page at /, GraphiQL at /graphiql, and what they load under /pages. */
export function mountPages(server: FastifyInstance, { components, version, publicUrl }: PlatformPages): void {
  const files = [...sharedPageFiles(), pageFile('/pages/landing.js', 'web/landing/landing.js'), ...graphiqlFiles(components.length > 0)]
  for (const file of files) {
    const headers = { ...pageHeaders(file.path === '/graphiql' ? graphiqlPolicy : undefined), etag: etagOf(file.content) }
    server.get(file.path, async (request, reply) => answer(request, reply, file, headers))
  }
  server.get('/', async (request, reply) => {
    const content = landingPage(components, version, originOf(request, publicUrl))
    const headers = { ...pageHeaders(), etag: etagOf(content) }
    return answer(request, reply, { path: '/', mediaType: 'text/html; charset=utf-8', content }, headers)
  })
}

/** A Host header that is none (they come from outside) stands for this machine. */
function originOf({ protocol, host }: FastifyRequest, publicUrl: string | undefined): URL {
  return new URL([publicUrl ?? '', `${protocol}://${host}`].find((url) => URL.canParse(url)) ?? 'http://localhost')
}

const etagOf = (content: string): string => `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`

/** Browsers ask each time and are told 304: after an upgrade nobody sees an old page. */
function answer(request: FastifyRequest, reply: FastifyReply, file: PageFile, headers: Readonly<Record<string, string>>): FastifyReply {
  reply.headers({ ...headers, 'cache-control': 'no-cache' })
  if (request.headers['if-none-match'] === headers.etag) return reply.code(304).send()
  return reply.type(file.mediaType).send(file.content)
}

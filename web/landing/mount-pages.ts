import type { FastifyInstance, FastifyRequest } from 'fastify'
import { graphiqlFiles, graphiqlPolicy } from '../graphiql/page.ts'
import { fileSender } from '../serving/file-sender.ts'
import { htmlFile, type PageFile, pageFile, pageHeaders, sharedPageFiles } from '../serving/page-file.ts'
import { landingPage, type ShownComponent } from './page.ts'

export interface PlatformPages {
  readonly components: readonly ShownComponent[]
  readonly version: string
  /** of the gateway as clients see it; undefined: as the request names it */
  readonly publicUrl: string | undefined
}

/** Serves the landing page at /, GraphiQL at /graphiql, and what they load under /pages. */
export function mountPages(server: FastifyInstance, { components, version, publicUrl }: PlatformPages): void {
  const files = [...sharedPageFiles(), pageFile('/pages/landing.js', 'web/landing/landing.js'), ...graphiqlFiles(components.length > 0)]
  for (const file of files) mount(server, file, file.path === '/graphiql' ? graphiqlPolicy : undefined)
  server.get('/', async (request, reply) => {
    const content = landingPage(components, version, originOf(request, publicUrl))
    return fileSender(htmlFile('/', content))(request, reply.headers(pageHeaders()))
  })
}

function mount(server: FastifyInstance, file: PageFile, policy: string | undefined): void {
  const send = fileSender(file)
  const headers = pageHeaders(policy)
  server.get(file.path, async (request, reply) => send(request, reply.headers(headers)))
}

/** A Host header that is none (they come from outside) stands for this machine. */
function originOf({ protocol, host }: FastifyRequest, publicUrl: string | undefined): URL {
  return new URL([publicUrl ?? '', `${protocol}://${host}`].find((url) => URL.canParse(url)) ?? 'http://localhost')
}

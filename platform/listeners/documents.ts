import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { projectFolder } from '../../foundation/process/build-info.ts'
import { pageHeaders } from '../../web/serving/page-file.ts'

/** What the landing page links: the documents, which link each other, and the client package. */
const published = [
  'docs/**/*.md',
  'packages/civigraph-client/README.md',
  'packages/civigraph-client/operations/*.graphql',
  'demonstration/web-client/README.md',
]

/** Serves the documents of the project as text, at the paths of their relative links. */
export function serveDocuments(server: FastifyInstance): void {
  const files = new Set(globSync(published, { cwd: projectFolder }).map((file) => file.replaceAll('\\', '/')))
  for (const path of ['/docs/*', '/packages/*', '/demonstration/*'])
    server.get(path, async (request, reply) => {
      const file = new URL(request.url, 'http://gateway').pathname.slice(1)
      if (!files.has(file)) return reply.callNotFound()
      const text = await readFile(join(projectFolder, file), 'utf8')
      return reply.headers(pageHeaders()).type('text/plain; charset=utf-8').send(text)
    })
}

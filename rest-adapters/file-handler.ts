import { askingHandler } from './asker.ts'
import type { Handler, Listener } from './asking.ts'
import type { FileRoute } from './long-routes.ts'
import { isKnown } from './respond.ts'

/** Answers with the bytes of a file that an operation names; they never pass through GraphQL. */
export function fileHandler(route: FileRoute, listener: Listener): Handler {
  const { executor } = listener
  const operation = executor.prepare(route.operation)
  return askingHandler(route, listener, async (asker, raw, request, reply) => {
    const variables = route.variablesOf(raw)
    const { id, bytes, sha256, headers } = route.fileOf(await asker.ask(operation, variables, route.timeoutMs))
    const etag = `"${sha256}"`
    reply.headers({ ...headers, etag, vary: 'X-Tenant-Id', 'cache-control': 'public, max-age=0, must-revalidate' })
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
    const content = await asker.within(route.timeoutMs, (context) => executor.openFile(id, context))
    reply.headers({
      'content-type': route.mediaType,
      'content-length': bytes,
      'content-disposition': `inline; filename="${route.fileName}"`,
    })
    return reply.send(content)
  })
}

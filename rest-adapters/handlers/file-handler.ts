import { create as contentDisposition } from 'content-disposition'
import { addVary, sendUnchanged } from '../../foundation/http/content.ts'
import { pause } from '../../foundation/lifecycle.ts'
import { normalForm } from '../../foundation/text/normal-form.ts'
import { refusal } from '../response/fault-to-http.ts'
import { sendRefusal } from '../response/respond.ts'
import type { FileRoute } from '../route/streaming-routes.ts'
import { admitting } from './admitted-request.ts'
import type { Handler, HandlerDependencies } from './handler.ts'

/** Sends a file that an operation refers to; its bytes do not pass through GraphQL. */
export function fileHandler(route: FileRoute, parts: HandlerDependencies): Handler {
  const { executor } = parts
  const operation = executor.prepare(route.operation)
  return admitting(route, parts, async (admitted) => {
    const { request, reply, disconnected } = admitted
    const variables = route.variablesOf(admitted.raw())
    const until = Date.now() + route.timeoutMs
    for (;;) {
      const file = route.fileOf(await admitted.executeOperation(operation, variables), variables)
      if (file !== undefined) {
        const { id, bytes, sha256, name, headers, mediaType = route.mediaType } = file
        const isPublic = sha256 !== undefined && headers['cache-control'] === undefined
        const etag = isPublic ? `"${sha256}"` : undefined
        const keeping =
          etag === undefined ? { 'cache-control': 'no-store' } : { etag, 'cache-control': 'public, max-age=0, must-revalidate' }
        addVary(reply.headers({ ...keeping, ...headers }), ...route.vary)
        const unchanged = etag && sendUnchanged(request, reply, etag)
        if (unchanged) return unchanged
        const content = await admitted.withContext(route.timeoutMs, (context) => executor.openFile(id, context))
        const disposition = contentDisposition(name, { type: 'inline', fallback: plainName(name) })
        return reply.headers({ 'content-type': mediaType, 'content-length': bytes, 'content-disposition': disposition }).send(content)
      }
      if (Date.now() > until) return sendRefusal(reply, refusal(503, 'The file is not ready yet', { 'retry-after': '5' }))
      await pause(50, disconnected)
      disconnected.throwIfAborted()
    }
  })
}

/** Returns a name for clients without `filename*` (RFC 6266, section 4.3): ASCII letters, digits and `_.-`. */
function plainName(name: string): string {
  const plain = normalForm(name, 'NFKD').replace(/[^\w.-]/g, '')
  return plain.startsWith('.') ? `content${plain}` : plain
}

import { publicContent, sendJson, sendPublic } from '../response/respond.ts'
import type { FixedRoute } from '../route/fixed-route.ts'
import type { Handler } from './handler.ts'

/** The same bytes for everybody, made once. */
export function fixedHandler({ content: text, headers, isPublic, mediaType }: FixedRoute): Handler {
  const content = publicContent(text)
  return async (request, reply) => {
    reply.headers({ ...headers })
    return isPublic ? sendPublic(request, reply, mediaType, content) : sendJson(reply, 200, content.text)
  }
}

import { refusal } from '../response/fault-to-http.ts'
import { publicContent, sendJson, sendPublic, sendRefusal } from '../response/respond.ts'
import type { FixedRoute } from '../route/fixed-route.ts'
import type { Handler } from './handler.ts'

/** The same bytes for everybody, made once. */
export function fixedHandler({ content: text, headers, isPublic, mediaType, ownPagesOnly }: FixedRoute): Handler {
  const content = publicContent(text)
  return async (request, reply) => {
    // browsers say so themselves, and no page can say it for them (Fetch Metadata)
    if (ownPagesOnly && request.headers['sec-fetch-site'] !== 'same-origin')
      return sendRefusal(reply, refusal(403, 'For pages of this origin'))
    reply.headers({ ...headers })
    return isPublic ? sendPublic(request, reply, mediaType, content) : sendJson(reply, 200, content.text)
  }
}

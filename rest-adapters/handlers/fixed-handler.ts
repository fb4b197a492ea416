import { compressible } from '../response/compressible.ts'
import { refusal } from '../response/fault-to-http.ts'
import { publicContent, sendJson, sendPublic, sendRefusal } from '../response/respond.ts'
import type { FixedRoute } from '../route/fixed-route.ts'
import type { Handler } from './handler.ts'

/** The same bytes for everybody, made once. */
export function fixedHandler(route: FixedRoute): Handler {
  const { content: text, headers, isPublic, mediaType, ownPagesOnly, partOfPage, isNamedByContent: forGood = false } = route
  const content = publicContent(text)
  // what is documented is sent as it is documented
  const compressed = partOfPage ? compressible(text) : undefined
  return async (request, reply) => {
    // browsers say so themselves, and no page can say it for them (Fetch Metadata)
    if (ownPagesOnly && request.headers['sec-fetch-site'] !== 'same-origin')
      return sendRefusal(reply, refusal(403, 'For pages of this origin'))
    reply.headers({ ...headers })
    if (!isPublic) return sendJson(reply, 200, content.text)
    if (compressed !== undefined) reply.header('vary', [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', '))
    const coded = await compressed?.for(request.headers['accept-encoding'])
    return sendPublic(request, reply, mediaType, content, { forGood, coded })
  }
}

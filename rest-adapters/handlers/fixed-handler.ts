import { fileSender } from '../../web/serving/file-sender.ts'
import { refusal } from '../response/fault-to-http.ts'
import { sendJson, sendRefusal } from '../response/respond.ts'
import type { FixedRoute } from '../route/fixed-route.ts'
import type { Handler } from './handler.ts'

/** The same bytes for everybody, made once. */
export function fixedHandler(route: FixedRoute): Handler {
  const { content, headers, isPublic, ownPagesOnly, partOfPage = false } = route
  // what is documented is sent as it is documented
  const send = isPublic ? fileSender(route, { isCompressed: partOfPage }) : undefined
  return async (request, reply) => {
    // browsers say so themselves, and no page can say it for them (Fetch Metadata)
    if (ownPagesOnly && request.headers['sec-fetch-site'] !== 'same-origin')
      return sendRefusal(reply, refusal(403, 'For pages of this origin'))
    reply.headers({ ...headers })
    return send === undefined ? sendJson(reply, 200, content.toString()) : send(request, reply)
  }
}

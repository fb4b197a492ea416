import type { z } from 'zod'
import { fileSender } from '../../web/serving/file-sender.ts'
import { refusal } from '../response/fault-to-http.ts'
import { sendJson, sendRefusal } from '../response/respond.ts'
import type { Readiness } from '../route/readiness-route.ts'
import type { FixedRoute } from '../route/route.ts'
import type { Handler } from './handler.ts'

/** Sends the same bytes to every client. */
export function fixedHandler(route: FixedRoute): Handler {
  const { content, headers, isPublic, ownPagesOnly } = route
  const send = isPublic ? fileSender(route) : undefined
  return async (request, reply) => {
    // browsers set this header, and pages cannot forge it (Fetch Metadata)
    if (ownPagesOnly && request.headers['sec-fetch-site'] !== 'same-origin')
      return sendRefusal(reply, refusal(403, 'Only pages of this origin may read this path'))
    reply.headers({ ...headers })
    return send === undefined ? sendJson(reply, 200, content.toString()) : send(request, reply)
  }
}

/** 200 while the listener serves, 503 while it drains or has a problem. */
export function readinessHandler(isServing: () => boolean, problem: () => string | undefined = () => undefined): Handler {
  return async (_, reply) => {
    const error = problem()
    const isReady = isServing() && error === undefined
    const answer: z.output<typeof Readiness> = { status: isReady ? 'ok' : 'down', ...(error !== undefined && { error }) }
    return sendJson(reply, isReady ? 200 : 503, JSON.stringify(answer))
  }
}

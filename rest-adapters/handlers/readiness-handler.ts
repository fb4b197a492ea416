import type { z } from 'zod'
import { sendJson } from '../response/respond.ts'
import type { Readiness } from '../route/readiness-route.ts'
import type { Handler } from './handler.ts'

/** 200 while the listener serves, 503 while it drains. */
export function readinessHandler(isServing: () => boolean): Handler {
  return async (_, reply) => {
    const answer: z.output<typeof Readiness> = { status: isServing() ? 'ok' : 'down' }
    return sendJson(reply, isServing() ? 200 : 503, JSON.stringify(answer))
  }
}

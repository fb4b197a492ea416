import { DeadlineExceeded, OutcomeUnknown } from '../../foundation/fault.ts'
import { pause } from '../../foundation/lifecycle.ts'
import { inSnakeCase } from '../../foundation/validation/violation.ts'
import type { PreparedOperation } from '../../gateway/executor/executor.ts'
import { sendContinue } from '../request/http-protocol.ts'
import { textOfBody } from '../request/stream-body.ts'
import { refusal } from '../response/fault-to-http.ts'
import { sendJson, sendRefusal } from '../response/respond.ts'
import type { PlaceOf } from '../response/violation-entry.ts'
import type { UploadedItem, UploadRoute } from '../route/streaming-routes.ts'
import { type AdmittedRequest, admitting } from './admitted-request.ts'
import type { Handler, HandlerDependencies } from './handler.ts'
import { RefusedOperation, refusalFor } from './refusals.ts'

/** Maximum items and characters staged at once. */
const maxItems = 1000
const maxCharacters = 2 * 1024 * 1024
/** total time limit for the finish */
const finishLimitMs = 600_000

/** Stages a body while it arrives, then finishes. The stage of a refused body is never visible and expires. */
export function uploadHandler(route: UploadRoute, parts: HandlerDependencies): Handler {
  const start = parts.executor.prepare(route.start)
  const append = parts.executor.prepare(route.append)
  const finish = parts.executor.prepare(route.finish)
  const { config } = parts
  return admitting(route, parts, async (admitted) => {
    const { request, reply, disconnected } = admitted
    const type = (request.headers['content-type'] ?? 'application/json').split(';', 1)[0]?.trim().toLowerCase() ?? ''
    const reader = route.readers[type]?.()
    if (reader === undefined) return sendRefusal(reply, refusal(415, `The Content-Type must be ${Object.keys(route.readers).join(' or ')}`))
    // staged items are invisible before the finish, so nothing has been stored
    const staged = async (operation: PreparedOperation, variables: Readonly<Record<string, unknown>>): Promise<unknown> => {
      try {
        return await admitted.executeOperation(operation, variables)
      } catch (error) {
        throw refusalFor(error, request, parts.log).status === 504 ? new DeadlineExceeded(undefined, error) : error
      }
    }
    const id = route.idOf(await staged(start, route.variablesOf(admitted.raw())))
    const stage = stagingBy(route, admitted, (variables) => staged(append, variables), id)
    const { bodyBytes: maxBytes } = route
    const limits = { maxBytes, stallMs: config.limits.requestTimeoutMs, begin: () => sendContinue(request.raw, reply.raw) }
    for await (const text of textOfBody(request.raw, limits)) await stage.add(reader.read(text))
    await stage.add(reader.end())
    await stage.flush()
    const until = Date.now() + finishLimitMs
    const finished = async (isUnderWay: boolean): Promise<unknown> => {
      try {
        return await admitted.executeOperation(finish, route.finishVariables(id, admitted.raw()))
      } catch (error) {
        throw isUnderWay && refusalFor(error, request, parts.log).status === 503 ? new OutcomeUnknown(error) : error
      }
    }
    let begun = false
    for (;;) {
      const answer = route.answerOf(await finished(begun))
      begun = true
      if (answer !== undefined) return sendJson(reply, 200, JSON.stringify(answer))
      if (Date.now() > until) throw new OutcomeUnknown()
      await pause(50, disconnected)
      disconnected.throwIfAborted()
    }
  })
}

/** Sends one batch of items while the next is being read. */
function stagingBy(
  route: UploadRoute,
  { disconnected }: AdmittedRequest,
  send: (variables: Readonly<Record<string, unknown>>) => Promise<unknown>,
  id: string,
) {
  let items: UploadedItem[] = []
  let size = 0
  let sequence = 0
  let sending: Promise<unknown> = Promise.resolve()
  const begin = async (): Promise<void> => {
    if (items.length === 0) return
    const batch = items
    items = []
    size = 0
    await sending
    disconnected.throwIfAborted()
    const inputs = batch.map(({ input }) => input)
    sending = send(route.appendVariables(id, sequence++, inputs)).catch((error: unknown) => {
      throw error instanceof RefusedOperation ? new RefusedOperation(error.errors, placeIn(route, batch)) : error
    })
    // handled by the next `await sending`
    sending.catch(() => undefined)
  }
  return {
    async add(more: readonly UploadedItem[]): Promise<void> {
      for (const item of more) {
        items.push(item)
        size += item.size
        if (items.length >= maxItems || size >= maxCharacters) await begin()
      }
    },
    async flush(): Promise<void> {
      await begin()
      await sending
    },
  }
}

/** Maps the location of a refused item to its position in the body. */
function placeIn({ itemsVariable, placeOf }: UploadRoute, items: readonly UploadedItem[]): PlaceOf {
  return (path) => {
    const [variable, index, ...member] = path
    const place = variable === itemsVariable && typeof index === 'number' ? items[index]?.place() : undefined
    return place === undefined ? placeOf(path) : [...place, ...inSnakeCase(member)]
  }
}

import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { Fault } from '../../foundation/fault.ts'
import { addVary, entityTag, matchingEntityTag } from '../../foundation/http/content.ts'
import { type BufferedBody, readBody } from '../../foundation/http/read-body.ts'
import { sendContinue } from '../request/http-protocol.ts'
import { decodeLargeBody } from '../request/large-body.ts'
import type { RequestBody } from '../request/request-body.ts'
import { InvalidRequest } from '../response/invalid-request.ts'
import { rateLimitHeaders } from '../response/rate-limit-headers.ts'
import { json, sendPublic, sendUncached } from '../response/respond.ts'
import type { OperationRoute } from '../route/operation-route.ts'
import { type AdmittedRequest, admitting } from './admitted-request.ts'
import type { Handler, HandlerDependencies } from './handler.ts'
import { RefusedOperation } from './refusals.ts'

/** Answers with one operation. The hot path: everything that can be computed once is computed here. */
export function operationHandler(route: OperationRoute, parts: HandlerDependencies): Handler {
  const { executor } = parts
  const operation = executor.prepare(route.operation)
  const prepared = route.version && executor.prepare(route.version.operation)
  return admitting(route, parts, async (admitted) => {
    const { request, reply } = admitted
    using held = route.bodyBytes === 0 ? undefined : await unlessTooLarge(admitted, readOwnBody(admitted, route.bodyBytes, parts))
    const body = await decodedBody(route, admitted, held, parts)
    const variables = await variablesOf(route, admitted, body)
    const version = route.version?.isAbsentFor(variables) ? undefined : prepared
    using context = admitted.context()
    if (version !== undefined && request.headers['if-none-match'] !== undefined) {
      const { data, errors = [] } = await admitted.run(version, variables, context)
      const etag = data == null || errors.length > 0 ? undefined : tagOf(route, variables, data)
      if (etag !== undefined && matchingEntityTag(request.headers, etag) !== undefined)
        return sendPublic(request, reply, route.mediaType ?? json, { text: '', etag })
    }
    const { data, errors } = await admitted.run(operation, variables, context)
    // code behind a cancelled request may still read the body: left to the garbage collector
    if (!context.signal.aborted) {
      body?.done?.()
      held?.done()
    }
    if (errors === undefined || errors.length === 0) {
      const limit = route.limit?.parse(data)
      if (limit) admitted.reply.headers({ ...rateLimitHeaders(limit) })
      const isPublic = route.isPublic && version === prepared
      return sendBody(route, admitted, route.answerOf(data, variables), {
        isPublic,
        etag: isPublic ? tagOf(route, variables, data) : undefined,
      })
    }
    if (route.whenFailed === undefined) throw new RefusedOperation(errors)
    return sendBody(route, admitted, route.whenFailed())
  })
}

/** Returns the entity tag of a versioned response, computed from version and variables only. */
function tagOf({ path, version }: OperationRoute, variables: Readonly<Record<string, unknown>>, data: unknown): string | undefined {
  if (version === undefined) return undefined
  const question = JSON.stringify([path, version.of.parse(data), variables])
  return `"${createHash('sha256').update(question).digest('base64url')}"`
}

/** @param caching - `etag`: of the body, if known without reading it */
function sendBody(
  route: OperationRoute,
  { request, reply }: AdmittedRequest,
  body: unknown,
  { isPublic, etag }: { readonly isPublic: boolean; readonly etag?: string | undefined } = route,
): FastifyReply {
  const text = route.mediaType === undefined ? JSON.stringify(body) : String(body)
  const status = route.statusOf(body)
  addVary(reply, ...route.vary)
  const headers = route.headersOf?.(body, request.url.split('?')[1] ?? '') ?? {}
  reply.headers({ ...headers })
  return isPublic && status === 200 && headers['cache-control'] === undefined
    ? sendPublic(request, reply, route.mediaType ?? json, { text, etag: etag ?? entityTag(text) })
    : sendUncached(reply, status, text, { mediaType: route.mediaType, cacheControl: headers['cache-control'] })
}

/** A request without its required key is refused anyway: a larger body is not read for further entries. */
const keylessBytes = 256 * 1024

function readOwnBody({ request: { raw }, reply, lacksKey }: AdmittedRequest, routeBytes: number, { intake, config }: HandlerDependencies) {
  const maxBytes = lacksKey ? Math.min(routeBytes, keylessBytes) : routeBytes
  return readBody(raw, { maxBytes, intake, stallMs: config.limits.requestTimeoutMs, begin: () => sendContinue(raw, reply.raw) })
}

async function decodedBody(
  route: OperationRoute,
  admitted: AdmittedRequest,
  held: BufferedBody | undefined,
  { bodyThread }: HandlerDependencies,
): Promise<RequestBody | undefined> {
  if (route.bodyBytes === 0) return undefined
  if (held === undefined) return unreadBody
  const decoding = decodeLargeBody(admitted.request.headers['content-type'], held.bytes, route.bodyLimits, bodyThread)
  return held.bytes.length === 0 ? await decoding : ((await unlessTooLarge(admitted, decoding)) ?? unreadBody)
}

/** @returns undefined for a body that is too large in a request without its key */
async function unlessTooLarge<Value>({ lacksKey }: AdmittedRequest, reading: Promise<Value>): Promise<Value | undefined> {
  try {
    return await reading
  } catch (error) {
    if (lacksKey && error instanceof Fault && error.code === 'TOO_LARGE') return undefined
    throw error
  }
}

/** A body that adds no entries to the refusal. */
const unreadBody: RequestBody = { value: undefined, refusals: [], written: () => undefined }

/** @throws {InvalidRequest} */
async function variablesOf(
  route: OperationRoute,
  admitted: AdmittedRequest,
  body: RequestBody | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  const raw = admitted.raw(body)
  try {
    return route.variablesOf(raw)
  } catch (error) {
    if (!(error instanceof InvalidRequest) || body?.prepareWritten === undefined) throw error
    await body.prepareWritten()
    return route.variablesOf(raw)
  }
}

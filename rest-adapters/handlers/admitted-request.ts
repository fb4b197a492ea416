import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ExecutionResult } from 'graphql'
import { alwaysOpenGate } from '../../foundation/concurrency/load-gate.ts'
import { Unauthenticated } from '../../foundation/fault.ts'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import { type Credentials, credentialsOf, signInDeadline } from '../../foundation/http/authentication.ts'
import { clientAddress } from '../../foundation/http/client-address.ts'
import { abortOnDisconnect, requestContext } from '../../foundation/http/request-context.ts'
import type { Principal } from '../../foundation/principal.ts'
import type { PreparedOperation } from '../../gateway/executor/executor.ts'
import { sendRefusal } from '../response/respond.ts'
import type { PlaceOf } from '../response/violation-entry.ts'
import { type Endpoint, serviceKeyHeader } from '../route/endpoint.ts'
import type { RawRequest, RequestRules } from '../route/request-rules.ts'
import type { Handler, HandlerDependencies } from './handler.ts'
import { challengeOf, RefusedOperation, refusalFor } from './refusals.ts'

type Variables = Readonly<Record<string, unknown>>
/** A route that is answered by operations. */
type AnsweredRoute = Endpoint & { readonly rules: RequestRules; readonly placeOf: PlaceOf }

const noHeaders = {}
/** paths for operators, answered under any load */
const toldUnderLoad = /\/(health|metrics)(\/|$)/

/** An authenticated and admitted request, the start of every kind of handler. */
export class AdmittedRequest {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** aborted when the client disconnects */
  readonly disconnected: AbortSignal
  readonly #parts: HandlerDependencies
  readonly #principal: Principal
  readonly #spentMs: number
  readonly #rules: RequestRules
  readonly #missingHeaders: readonly string[]
  readonly #refusesUnknown: boolean

  constructor(
    route: AnsweredRoute,
    parts: HandlerDependencies,
    { request, reply, credentials }: { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly credentials: Credentials },
    principal: Principal,
    { disconnected, spentMs }: { readonly disconnected: AbortSignal; readonly spentMs: number },
  ) {
    this.request = request
    this.reply = reply
    this.disconnected = disconnected
    this.#spentMs = spentMs
    this.#parts = parts
    this.#principal = principal
    this.#rules = route.rules
    this.#refusesUnknown = route.extension === true
    this.#missingHeaders = route.caller === 'service' && credentials.apiKey === undefined ? [serviceKeyHeader] : []
  }

  /** Whether a required service key is missing, so that the request will be refused. */
  get lacksKey(): boolean {
    return this.#missingHeaders.length > 0
  }

  /** Returns the request before validation by the rules of its route. */
  raw(body?: RawRequest['body']): RawRequest {
    // Fastify leaves it untyped: what `querystringParser` made
    const query = this.request.query as Readonly<Record<string, string>>
    const documented = this.#rules.query?.shape ?? {}
    return {
      params: paramsOf(this.request),
      query,
      headers: this.#rules.header === undefined ? noHeaders : singleHeaders(this.request),
      body,
      missingHeaders: this.#missingHeaders,
      unknownParameters: this.#refusesUnknown ? Object.keys(query).filter((name) => !Object.hasOwn(documented, name)) : [],
    }
  }

  /** Creates the context of an operation that begins now; must be disposed of. */
  context(timeoutMs = this.#parts.config.limits.requestTimeoutMs): RequestContext & Disposable {
    const { config, log } = this.#parts
    const { request, disconnected } = this
    const address = clientAddress(request.raw, config.trustedProxies)
    // the time for the transfer of the body does not count, the wait before it does
    const startedAt = performance.now() - this.#spentMs
    const { traceparent } = request.headers
    return requestContext({
      principal: this.#principal,
      requestId: request.id,
      address,
      interface: 'rest',
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
      log,
      timeoutMs,
      startedAt,
      disconnected,
    })
  }

  /** Never later than the context's deadline. */
  run(operation: PreparedOperation, variables: Variables, context: RequestContext): Promise<ExecutionResult> {
    return untilAborted(this.#parts.executor.execute(operation, variables, context), context.signal)
  }

  /**
   * Runs an operation with a deadline of its own. @returns its data
   * @throws {RefusedOperation}
   */
  async executeOperation(operation: PreparedOperation, variables: Variables): Promise<unknown> {
    using context = this.context()
    const { data, errors } = await this.run(operation, variables, context)
    if (errors !== undefined && errors.length > 0) throw new RefusedOperation(errors)
    return data
  }

  /** Runs other work on the caller's behalf with a deadline of its own. */
  async withContext<Result>(timeoutMs: number, work: (context: RequestContext) => Promise<Result>): Promise<Result> {
    using context = this.context(timeoutMs)
    return await untilAborted(work(context), context.signal)
  }
}

/**
 * Wraps a handler: authenticates and admits the caller, and converts errors to refusals. Whatever can be computed once per route must be computed
 * before.
 */
export function admitting(
  route: AnsweredRoute,
  parts: HandlerDependencies,
  answer: (admitted: AdmittedRequest) => Promise<FastifyReply | undefined>,
): Handler {
  const { authentication, config, log } = parts
  const gate = toldUnderLoad.test(route.path) ? alwaysOpenGate : parts.gate
  const kind = route.method === 'GET' ? 'read' : 'write'
  const { requestTimeoutMs } = config.limits
  const hasParameters = route.rules.params !== undefined
  return async (request, reply) => {
    // the router matches `/jobs/` as a job with an empty name
    if (hasParameters && Object.values(paramsOf(request)).includes('')) {
      reply.callNotFound()
      // without the reply, Fastify would answer a second time
      return reply
    }
    const startedAt = performance.now()
    const disconnected = new AbortController()
    abortOnDisconnect(reply.raw, disconnected)
    const credentials = credentialsOf(request.raw)
    try {
      gate.admit(kind)
      const principal = await authentication.principalOf(credentials, signInDeadline(credentials, disconnected.signal, requestTimeoutMs))
      if (route.caller === 'admin') requireCredentials(principal)
      return await answer(
        new AdmittedRequest(route, parts, { request, reply, credentials }, principal, {
          disconnected: disconnected.signal,
          spentMs: performance.now() - startedAt,
        }),
      )
    } catch (error) {
      return sendRefusal(reply, refusalFor(error, request, log, challengeOf(route, credentials), route.placeOf))
    }
  }
}

/** Fastify does not type path parameters. */
const paramsOf = (request: FastifyRequest): Readonly<Record<string, string>> => request.params as Readonly<Record<string, string>>

/** @throws {Unauthenticated} without credentials */
function requireCredentials({ user, service }: Principal): void {
  if (user === undefined && service === undefined) throw new Unauthenticated('Not authenticated')
}

/** Returns the headers of a request; repeated ones are joined by commas (RFC 9110, section 5.3). */
function singleHeaders({ headers }: FastifyRequest): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]))
}

/** Settles with the promise, or rejects with the reason of the signal, so that no caller waits past its deadline. */
function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const aborted = (): void => reject(signal.reason)
    if (signal.aborted) return aborted()
    signal.addEventListener('abort', aborted, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', aborted))
  })
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PreparedOperation } from '../../gateway/executor.ts'
import { credentialsOf } from '../../gateway/http/authentication.ts'
import { clientAddress } from '../../gateway/http/client-address.ts'
import { requestContext } from '../../gateway/request-context.ts'
import type { RequestContext } from '../../subgraphs/foundation/graphql/request-context.ts'
import { type InvalidEntry, InvalidRequest, parameterEntries } from '../request/invalid-request.ts'
import { httpRefusal } from '../response/fault-to-http.ts'
import { sendRefusal } from '../response/respond.ts'
import type { Located, RawRequest, RequestRules } from '../route/route.ts'
import {
  challengeOf,
  type Handler,
  type Listener,
  patience,
  RefusedOperation,
  refusalFor,
  requireCredentials,
  singleHeaders,
  untilAborted,
} from './request-in-hand.ts'

type Variables = Readonly<Record<string, unknown>>

/** Somebody whose request takes several operations. */
export interface Asker {
  /** aborted when the client is gone */
  readonly gone: AbortSignal
  /** @returns the operation's data   @throws {RefusedOperation} */
  ask(operation: PreparedOperation, variables: Variables, timeoutMs?: number): Promise<unknown>
  /** Runs something else that needs to know who asks. */
  within<Result>(timeoutMs: number, work: (context: RequestContext) => Promise<Result>): Promise<Result>
}

/** A handler whose request takes several operations: finds out who asks, and turns whatever is thrown into a refusal. */
export function askingHandler(
  route: Located & { readonly rules: RequestRules },
  listener: Listener,
  answer: (asker: Asker, raw: RawRequest, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>,
): Handler {
  const { executor, authentication, config, log } = listener
  const { requestTimeoutMs } = config.limits
  return async (request, reply) => {
    // Fastify leaves these untyped: the parameters of the path, and what `querystringParser` made
    const params = request.params as Readonly<Record<string, string>>
    const query = request.query as Readonly<Record<string, string>>
    if (Object.values(params).includes('')) return void reply.callNotFound()
    const left = new AbortController()
    reply.raw.once('close', () => left.abort())
    const gone = left.signal
    const credentials = credentialsOf(request.raw)
    const challenge = challengeOf(route, credentials)
    try {
      const principal = await authentication.principalOf(credentials, patience(credentials, gone, requestTimeoutMs))
      if (route.caller === 'admin') requireCredentials(principal)
      const address = clientAddress(request.raw, config.trustedProxies)
      const within: Asker['within'] = async (timeoutMs, work) => {
        using context = requestContext({ principal, requestId: request.id, address, log, timeoutMs, clientGone: gone })
        return await untilAborted(work(context), context.signal)
      }
      const asker: Asker = {
        gone,
        within,
        ask: (operation, variables, timeoutMs = requestTimeoutMs) =>
          within(timeoutMs, async (context) => {
            const { data, errors } = await executor.execute(operation, variables, context)
            if (errors !== undefined && errors.length > 0) throw new RefusedOperation(httpRefusal(errors[0], challenge))
            return data
          }),
      }
      return await answer(asker, { params, query, headers: singleHeaders(request), body: undefined, missingHeaders: [] }, request, reply)
    } catch (error) {
      return sendRefusal(reply, refusalFor(error, request, log, challenge))
    }
  }
}

/** What a request says beside its body, held against the rules. @throws {InvalidRequest} with every entry: path, query, header */
export function checkedRequest({ params, query, header }: RequestRules, request: RawRequest) {
  const entries: InvalidEntry[] = []
  const read = (where: 'path' | 'query' | 'header', rule: RequestRules['query'], values: Readonly<Record<string, string>>): Variables => {
    const found = rule?.safeParse(values)
    if (found?.success === false) entries.push(...parameterEntries(where, found.error, values))
    return found?.data ?? {}
  }
  const checked = {
    params: read('path', params, request.params),
    query: read('query', query, request.query),
    header: read('header', header, request.headers),
  }
  if (entries.length > 0) throw new InvalidRequest(entries)
  return checked
}

import { context as active, SpanKind, trace } from '@opentelemetry/api'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ExecutionResult, GraphQLSchema } from 'graphql'
import { z } from 'zod'
import { commitGraceMs } from '../../../foundation/concurrency/deadline.ts'
import type { AdmissionGate } from '../../../foundation/concurrency/load-gate.ts'
import { Fault, Overloaded } from '../../../foundation/fault.ts'
import type { OpenFile, RequestContext } from '../../../foundation/graphql/request-context.ts'
import { faultStatus } from '../../../foundation/http/fault-status.ts'
import { abortOnDisconnect, requestContext } from '../../../foundation/http/request-context.ts'
import type { Log } from '../../../foundation/log.ts'
import type { BuildInfo } from '../../../foundation/process/build-info.ts'
import { isSampled, traceOf } from '../../../foundation/tracing/trace-context.ts'
import { maskedResult } from '../../errors/masked-result.ts'
import { withUnknownOutcome } from '../../errors/outcome-unknown.ts'
import { endSpan, outcomeOf } from '../../pipeline/telemetry/operation-record.ts'
import { ClockSkew, OtherSigningKey, type PrincipalTokens, principalHeader } from '../../sources/principal-token.ts'
import { buildHeader, buildHeaderOf } from '../../sources/subgraph-agreement.ts'
import type { SubgraphSource } from '../../sources/subgraph-source.ts'

/** The shared dependencies of both protocols of a subgraph server. */
export interface ServedSubgraph {
  readonly subgraph: { readonly name: string; readonly schema: GraphQLSchema; readonly openFile?: OpenFile }
  readonly source: SubgraphSource
  readonly tokens: PrincipalTokens
  readonly log: Log
  readonly requestTimeoutMs: number
  /** announced in every response; absent: not announced */
  readonly build?: BuildInfo
  /** checked before any work */
  readonly gate: AdmissionGate
}

const Operation = z.object({
  query: z.string(),
  operationName: z.string().nullish(),
  variables: z.record(z.string(), z.unknown()).nullish(),
})

const logEveryMs = 60_000

/** Serves POST /graphql, and GET /files/{id} if the subgraph has files. */
export function subgraphRoutes(
  server: FastifyInstance,
  { subgraph, source, tokens, log, requestTimeoutMs, gate, build }: ServedSubgraph,
): void {
  /** @throws {Unauthenticated} without a valid principal token */
  const contextOf = ({ headers }: FastifyRequest, reply: FastifyReply): RequestContext & Disposable => {
    const claims = tokens.verify(headers[principalHeader], subgraph.name)
    const disconnected = new AbortController()
    abortOnDisconnect(reply.raw, disconnected)
    const timeoutMs = Math.min(requestTimeoutMs, claims.remainingMs ?? requestTimeoutMs)
    const { traceparent } = headers
    return requestContext({
      ...claims,
      ...(typeof traceparent === 'string' && { traceparent }),
      log,
      timeoutMs,
      graceMs: commitGraceMs / 2,
      disconnected: disconnected.signal,
    })
  }

  let nextLogAt = 0
  /** Logs a difference between gateway and subgraph at intervals; each caller gets it as an error. */
  const logDifference = (sentence: string): void => {
    if (performance.now() < nextLogAt) return
    nextLogAt = performance.now() + logEveryMs
    log.error(sentence)
  }
  if (build !== undefined)
    server.addHook('onRequest', async (_, reply) => {
      reply.header(buildHeader, buildHeaderOf(build))
    })
  server.setErrorHandler<FastifyError | Fault>((error, request, reply) => {
    const status = error instanceof Fault ? statusOf(error) : (error.statusCode ?? 500)
    if (status >= 500) log.error({ requestId: request.id }, 'a request to the subgraph failed')
    if (error instanceof ClockSkew || error instanceof OtherSigningKey) logDifference(error.message)
    const message = error instanceof Fault ? error.message : 'Bad request'
    // the only extensions that the gateway passes on; others are internal
    const extensions = error instanceof Overloaded ? { extensions: error.extensions } : {}
    return reply.code(status).send({ errors: [{ message, ...extensions }] })
  })
  // before the body is read
  const onRequest = async ({ headers }: FastifyRequest): Promise<void> => {
    gate.admit('read')
    tokens.verify(headers[principalHeader], subgraph.name)
  }
  server.post('/graphql', { onRequest }, async (request, reply) => {
    using context = contextOf(request, reply)
    const operation = Operation.safeParse(request.body)
    if (!operation.success) throw new Fault('MALFORMED', 'The body is not a GraphQL request')
    const { query, variables, operationName } = operation.data
    if (query.startsWith('mutation')) gate.admit('write')
    const fetch = { query, operationName: operationName ?? undefined, variables: variables ?? {}, context }
    const result = await withinSpan(subgraph.name, context.traceparent, () => source.fetch(fetch))
    return withUnknownOutcome(maskedResult(result, context), context)
  })

  const { openFile } = subgraph
  if (openFile !== undefined)
    server.get<{ Params: { id: string } }>('/files/:id', async (request, reply) => {
      using context = contextOf(request, reply)
      const bytes = await openFile(request.params.id, context)
      return reply.type('application/octet-stream').send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    })
}

/** Returns 404 for a forbidden file, which does not exist for that reader. */
const statusOf = ({ code }: Fault): number => faultStatus[code === 'FORBIDDEN' ? 'NOT_FOUND' : code]

/** Runs a subgraph request as a span of the gateway's trace, if there is one. @param traceparent - W3C header */
async function withinSpan(
  name: string,
  traceparent: string | undefined,
  answer: () => Promise<ExecutionResult> | ExecutionResult,
): Promise<ExecutionResult> {
  if (traceparent === undefined || !isSampled(traceparent)) return answer()
  const parent = traceOf(traceparent)
  const span = trace.getTracer('civigraph-subgraph').startSpan(`subgraph ${name}`, { kind: SpanKind.SERVER }, parent)
  if (!span.isRecording()) return answer()
  const traced = { span, context: trace.setSpan(parent, span) }
  const result = await active.with(traced.context, answer)
  endSpan(traced, outcomeOf(result))
  return result
}

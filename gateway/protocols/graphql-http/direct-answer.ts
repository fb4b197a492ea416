import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ExecutionResult } from 'graphql'
import type { CachePolicy } from '../../caching/cache-policy.ts'
import type { PreparedOperation } from '../../executor/executor.ts'
import { answerHead } from './answer-head.ts'
import { answerBody } from './graphql-answer.ts'

/**
 * Whether a request contains nothing that Apollo Server must handle: a well-formed POST of an accepted operation. @param answersGet - whether a query
 * with GET is one too
 */
export const canBypassApollo = ({ method, body }: FastifyRequest, { kind }: PreparedOperation, answersGet: boolean): boolean =>
  method === 'POST' ? isPlainBody(body) : answersGet && kind === 'query'

/** Whether a body contains nothing that Apollo Server would refuse. */
export function isPlainBody(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false
  const { variables, extensions, operationName }: { variables?: unknown; extensions?: unknown; operationName?: unknown } = body
  return (
    isMap(variables) &&
    isMap(extensions) &&
    (operationName === undefined || operationName === null || (typeof operationName === 'string' && operationName !== ''))
  )
}

const isMap = (value: unknown): boolean => value === undefined || value === null || (typeof value === 'object' && !Array.isArray(value))

/** Answers with a complete result, as Apollo Server would. */
export function directAnswer({ headers }: FastifyRequest, reply: FastifyReply, result: ExecutionResult, cachePolicy?: CachePolicy): string {
  const head = answerHead(result, headers.accept, cachePolicy)
  reply.code(head.status ?? (result.data === undefined ? 400 : 200)).headers(head.headers)
  return answerBody(result)
}

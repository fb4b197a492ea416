import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../../../foundation/log.ts'
import { described } from '../../errors/without-values.ts'
import { contentTypeOf } from './answer-head.ts'
import { bodyRefusal } from './graphql-body.ts'

/** The body of a response with a single error. */
export interface ErrorAnswer {
  readonly errors: readonly [{ readonly message: string; readonly extensions: { readonly code: string; readonly requestId?: string } }]
}

export function errorAnswer(message: string, code: string, requestId?: string): ErrorAnswer {
  return { errors: [{ message, extensions: { code, ...(requestId === undefined ? {} : { requestId }) } }] }
}

/** The response to a request that is invalid HTTP or has an undecodable URL. */
export const unreadable = (requestId: string): ErrorAnswer => errorAnswer('The request cannot be read', 'BAD_REQUEST', requestId)

export const tooLarge = (requestId: string): ErrorAnswer => errorAnswer('The body is too large', 'TOO_LARGE', requestId)

/** Sends an error in the media type that the client prefers, like every GraphQL response: some read `errors` in no other. */
export function sendError({ headers }: FastifyRequest, reply: FastifyReply, status: number, answer: ErrorAnswer): FastifyReply {
  const contentType = contentTypeOf(headers.accept)
  if (contentType !== undefined) reply.header('content-type', contentType)
  return reply.code(status).send(contentType === undefined ? answer : JSON.stringify(answer))
}

/** Answers failures outside GraphQL in the GraphQL format: incomplete bodies, unknown paths and methods, bugs. */
export function answerErrors(server: FastifyInstance, log: Log): void {
  server.setErrorHandler<FastifyError>((error, request, reply) => answerError(error, request, reply, log))
  server.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?', 1)
    const methods = server.supportedMethods.filter((method) => server.hasRoute({ method, url: path }))
    if (methods.length === 0) return sendError(request, reply, 404, errorAnswer('Not Found', 'NOT_FOUND', request.id))
    const allowed = methods.join(', ')
    return sendError(
      request,
      reply.header('allow', allowed),
      405,
      errorAnswer(`This path accepts only ${allowed}`, 'BAD_REQUEST', request.id),
    )
  })
}

function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  const { id } = request
  const refused = bodyRefusal(error)
  if (refused !== undefined) {
    const { status, headers, message, code } = refused
    return sendError(request, reply.headers(headers), status, errorAnswer(message, code, id))
  }
  const status = error.statusCode ?? 500
  if (status === 413) return sendError(request, reply, status, tooLarge(id))
  if (status < 500) return sendError(request, reply, status, unreadable(id))
  log.error({ requestId: id, err: described(error) }, 'unexpected failure')
  return sendError(request, reply, status, errorAnswer('Internal server error', 'INTERNAL', id))
}

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../../../foundation/log.ts'
import { described } from '../../errors/without-values.ts'
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

/** Answers failures outside GraphQL in the GraphQL format: incomplete bodies, unknown paths and methods, bugs. */
export function answerErrors(server: FastifyInstance, log: Log): void {
  server.setErrorHandler<FastifyError>((error, request, reply) => answerError(error, request, reply, log))
  server.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?', 1)
    const methods = server.supportedMethods.filter((method) => server.hasRoute({ method, url: path }))
    if (methods.length === 0) return reply.code(404).send(errorAnswer('Not Found', 'NOT_FOUND', request.id))
    const allowed = methods.join(', ')
    return reply
      .code(405)
      .header('allow', allowed)
      .send(errorAnswer(`It takes ${allowed}`, 'BAD_REQUEST', request.id))
  })
}

function answerError(error: FastifyError, { id }: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  const refused = bodyRefusal(error)
  if (refused !== undefined) {
    const { status, headers, message, code } = refused
    return reply
      .code(status)
      .headers(headers)
      .send(errorAnswer(message, code, id))
  }
  const status = error.statusCode ?? 500
  if (status === 413) return reply.code(status).send(tooLarge(id))
  if (status < 500) return reply.code(status).send(unreadable(id))
  log.error({ requestId: id, err: described(error) }, 'unexpected failure')
  return reply.code(status).send(errorAnswer('Internal server error', 'INTERNAL', id))
}

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { print } from 'graphql'
import type { Client } from 'graphql-ws'
import { CivigraphError, NoAnswerError, UnauthenticatedError } from '../errors/civigraph-error.ts'
import { errorOf, type GraphqlRefusal } from '../errors/refusals.ts'

export interface Following<TData> {
  next(data: TData): void
  /** a refused field of an event while the subscription continues; with `isOver`, the reason it ended */
  error(error: CivigraphError, isOver: boolean): void
}

/**
 * Subscribes with a typed document.
 * @param client - graphql-ws client, preferably a {@link resumable} one
 * @returns a function that ends the subscription
 */
export function follow<TData, TVariables extends Readonly<Record<string, unknown>>>(
  client: Pick<Client, 'subscribe'>,
  document: TypedDocumentNode<TData, TVariables>,
  variables: TVariables,
  { next, error }: Following<TData>,
): () => void {
  return client.subscribe<TData>(
    { query: print(document), variables },
    {
      next({ data, errors = [] }) {
        for (const each of errors) error(errorOf(each as GraphqlRefusal), false)
        if (data != null) next(data)
      },
      error: (thrown) => error(endOf(thrown), true),
      complete: () => undefined,
    },
  )
}

/** graphql-ws reports refused operations as GraphQL errors, closed connections as close events, and other failures as errors */
function endOf(thrown: unknown): CivigraphError {
  if (thrown instanceof CivigraphError) return thrown
  if (Array.isArray(thrown)) return errorOf(thrown[0] as GraphqlRefusal)
  const { code, reason } = (thrown ?? {}) as { readonly code?: unknown; readonly reason?: unknown }
  if (code === 4401) return new UnauthenticatedError('The credentials of the connection are not valid', { code: 'UNAUTHENTICATED' }, thrown)
  return new NoAnswerError(code === undefined ? 'The connection was lost' : `The connection was closed: ${code} ${reason}`, {}, thrown)
}

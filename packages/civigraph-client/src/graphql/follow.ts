import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { print } from 'graphql'
import type { Client } from 'graphql-ws'
import type { CivigraphError } from '../errors/civigraph-error.ts'
import { errorOf, errorOfClose, type GraphqlRefusal } from '../errors/refusals.ts'

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
      // graphql-ws reports a refused operation as its GraphQL errors
      error: (thrown) => error(Array.isArray(thrown) ? errorOf(thrown[0] as GraphqlRefusal) : errorOfClose(thrown), true),
      complete: () => undefined,
    },
  )
}

import { subscriptionExchange } from '@urql/core'
import type { Client } from 'graphql-ws'
import { type GraphQLResponse, Observable, type RequestParameters, type Variables } from 'relay-runtime'

/** Sends the subscriptions of urql over graphql-ws, as urql documents. */
export const urqlSubscriptions = (socket: Client) =>
  subscriptionExchange({
    forwardSubscription: ({ query = '', variables }) => ({
      subscribe: (sink) => ({
        unsubscribe: socket.subscribe(
          { query, variables: { ...variables } },
          { ...sink, next: ({ data = null, errors = [] }) => sink.next({ data, errors }) },
        ),
      }),
    }),
  })

/** Returns the `subscribe` function of a Relay network over graphql-ws, as Relay documents. */
export const relaySubscriptions =
  (socket: Client) =>
  ({ text }: RequestParameters, variables: Variables): Observable<GraphQLResponse> =>
    Observable.create<GraphQLResponse>((sink) =>
      socket.subscribe<Record<string, unknown>>(
        { query: String(text), variables },
        {
          next: ({ data }) => sink.next({ data: data ?? {} }),
          error: (error) => sink.error(error instanceof Error ? error : new Error(String(error))),
          complete: () => sink.complete(),
        },
      ),
    )

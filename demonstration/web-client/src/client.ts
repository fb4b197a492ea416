import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client'
import { Defer20220824Handler } from '@apollo/client/incremental'
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries'
import { GraphQLWsLink } from '@apollo/client/link/subscriptions'
import type { Session } from '@civigraph/client'
import { possibleTypes, typePolicies } from '@civigraph/client/apollo'

export const url = `${location.origin}/graphql`

const hex = (bytes: ArrayBuffer): string => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
const sha256 = async (text: string): Promise<string> => hex(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))

/** Creates an Apollo Client whose requests, sockets and cache belong to a session. */
export function clientOf(session: Session): ApolloClient {
  const http = new PersistedQueryLink({ sha256 }).concat(new HttpLink({ uri: url, fetch: session.fetch }))
  const webSocket = new GraphQLWsLink(session.subscriptions({ url: url.replace('http', 'ws'), maxWaitMs: 2000 }))
  const client = new ApolloClient({
    cache: new InMemoryCache({ typePolicies, possibleTypes }),
    link: ApolloLink.split(({ operationType }) => operationType === 'subscription', webSocket, http),
    incrementalHandler: new Defer20220824Handler(),
  })
  session.onEnd(() => client.clearStore())
  return client
}

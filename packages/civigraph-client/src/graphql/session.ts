import type { Client } from 'graphql-ws'
import { UnauthenticatedError } from '../errors/civigraph-error.ts'
import {
  type HttpSession,
  issuedTokens,
  renewableSession,
  type SessionOptions,
  type SessionTokens,
  type TokenRenewal,
} from './http-session.ts'
import { reconnectingClient, type SubscriptionClientOptions } from './subscription-client.ts'

/** A signed-in user: one object for HTTP requests, WebSockets and files. */
export interface Session extends HttpSession {
  /** Creates a client for subscriptions that reconnects with a valid token; the end of the session disposes it. */
  subscriptions(options: Omit<SubscriptionClientOptions, 'connectionParams'>): Client
}

/**
 * Signs in with one request, which is never repeated.
 * @throws {InvalidCredentialsError} for a wrong email or password  @throws {RateLimitedError} after too many failures
 */
export async function signIn(account: { readonly email: string; readonly password: string }, options: SessionOptions): Promise<Session> {
  return createSession(await issuedTokens(account, options), options)
}

/** Returns the session of tokens that a login, another sign-in or `keep` returned. */
export function createSession(tokens: SessionTokens, options: SessionOptions): Session {
  const { session, renewal } = renewableSession(tokens, options)
  return { ...session, subscriptions: (client) => subscriptionsOf(session, renewal, client) }
}

/** close codes of the platform, docs/clients/graphql-ws.md */
const unauthorized = 4401
const expired = 4403

const isClose = (event: unknown): event is { readonly code: number } => typeof event === 'object' && event !== null && 'code' in event

function subscriptionsOf(
  session: HttpSession,
  renewal: TokenRenewal,
  options: Omit<SubscriptionClientOptions, 'connectionParams'>,
): Client {
  let sent = ''
  /** the token that the platform refused since the last accepted connection, and the attempt to replace it */
  let refusal: { readonly token: string; readonly isRecovered: Promise<boolean> } | undefined
  const client = reconnectingClient(
    {
      ...options,
      async connectionParams() {
        sent = await session.token()
        return { authorization: `Bearer ${sent}` }
      },
    },
    async (close) => {
      if (close.code !== unauthorized) return false
      const isOther = refusal !== undefined && refusal.token !== sent
      // a token that was just issued is refused as well
      if (isOther) return false
      refusal ??= {
        token: sent,
        isRecovered: renewal.renewed(sent).then(
          () => true,
          (error) => {
            if (error instanceof UnauthenticatedError) return false
            // the platform cannot refresh it now: the next connections try again, with backoff
            renewal.expire(sent)
            return true
          },
        ),
      }
      return refusal.isRecovered
    },
  )
  client.on('connected', () => {
    refusal = undefined
  })
  client.on('closed', (close) => {
    // expired by the platform's clock, whatever this device's clock says
    if (isClose(close) && close.code === expired) renewal.expire(sent)
  })
  session.onEnd((reason) => {
    // after 'expired', the subscriptions end with UnauthenticatedError when they reconnect
    if (reason === 'signed out') void Promise.resolve(client.dispose()).catch(() => undefined)
  })
  return client
}

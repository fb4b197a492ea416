import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import inject from 'light-my-request'
import type Provider from 'oidc-provider'
import type { Clock } from '../../foundation/clock.ts'
import { ownerAt } from '../../foundation/concurrency/fair-queue.ts'
import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import { retryUntilDone } from '../../foundation/engine-start/retry-until-done.ts'
import { EngineUnavailable, messageOf } from '../../foundation/fault.ts'
import { allowedHeaders } from '../../foundation/http/cors.ts'
import { compose, type Part, periodic } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { anonymous } from '../../foundation/principal.ts'
import { type AuditNote, AuditTrail, accountTarget } from '../audit/audit-trail.ts'
import type { PartitionedKeyValue } from '../key-value/key-value.ts'
import { countRequest, isLoopback } from '../key-value/rate-limit.ts'
import type { Database } from '../relational/database.ts'
import { lt } from '../relational/drizzle.ts'
import { accountVerifier } from './account-status.ts'
import { type Account, Accounts } from './accounts.ts'
import { InvalidCredentials } from './identity-provider.ts'
import { KnownDevices } from './known-devices.ts'
import { LoginGuard } from './login-guard.ts'
import { emailDigest } from './normal-email.ts'
import type { IssuerTransport, OidcClient } from './oidc-identity-provider.ts'
import { fitsPassword } from './password.ts'
import { readPublicKeys, SigningKeys } from './signing-keys.ts'
import { identityToken } from './tables.ts'
import { createTokenVerifier } from './token-verifier.ts'

export interface EmbeddedIssuerOptions {
  /** http://host:port/path, `iss` of its tokens */
  readonly url: string
  readonly audience: string
  readonly client: OidcClient
  readonly database: Database
  readonly keyValue: PartitionedKeyValue
  /** VAULT_KEY: encrypts the private keys at rest */
  readonly vaultKey: Uint8Array
  /** previous values of VAULT_KEY */
  readonly previousVaultKeys?: readonly Uint8Array[]
  readonly clock: Clock
  /** called with the login records of the audit trail */
  readonly auditNote?: AuditNote | undefined
  readonly log: Log
}

/** The embedded OpenID Connect issuer. Processes that issue tokens share accounts, grants and keys in PostgreSQL. */
export interface EmbeddedIssuer extends Part {
  readonly accounts: Accounts
  /** path of its URL without a trailing slash, where it must be mounted */
  readonly path: string
  /** Handles a request at or below that path. @param client - client address, as far as trusted proxies report it */
  handle(request: IncomingMessage, response: ServerResponse, client?: string): void
  /** transport for requests of this process, which counts failures itself */
  readonly transport: IssuerTransport
}

/** claims of its own tokens */
const ownClaims = { roles: 'roles', groups: 'groups', tenant: 'tenant', citizen: 'citizen_code' }
/** A client address that no socket can have. */
const internalAddress = 'inside'
const keysEveryMs = 60_000
const cleanEveryMs = 300_000
/** Sign-ins that an address may start: each is stored for 15 minutes. */
const signInPolicy = { name: 'sign-ins', quota: 60, seconds: 60 }

interface SignInParts extends Pick<EmbeddedIssuerOptions, 'url' | 'keyValue'> {
  readonly accounts: Accounts
  readonly guard: LoginGuard
  readonly audit: AuditTrail
}

/** Passwords and the number of sign-ins, counted by client address. @param addressOf - returns the client address of a request */
function signIns({ url, keyValue, accounts, guard, audit }: SignInParts, addressOf: (request: IncomingMessage) => string | undefined) {
  const checkPassword = async (
    email: string,
    password: string,
    request: IncomingMessage,
    device?: string,
  ): Promise<Account | undefined> => {
    const address = addressOf(request)
    const check = async (): Promise<Account> => {
      const stored = (await accounts.byEmail(email))?.passwordHash
      const network = address === undefined ? undefined : ownerAt(address)
      // one for all known devices of an account: each sign-in with another cookie makes one
      const known = { name: `account ${emailDigest(email)}`, isPreferred: true }
      const fits = await fitsPassword(password, stored, device === undefined ? network : known)
      // it may have been closed or given another password while this one was checked
      const account = await accounts.byEmail(email)
      if (account === undefined || account.disabledAt !== null || account.passwordHash !== stored || !fits) throw new InvalidCredentials()
      return account
    }
    const wrong = (error: unknown): boolean => error instanceof InvalidCredentials
    const isInside = request.socket.remoteAddress === internalAddress
    const checked = isInside ? check() : guard.watch({ email, address, device }, check, wrong)
    const account = await checked.catch((error: unknown) => {
      if (wrong(error)) return undefined
      throw error
    })
    if (!isInside) await recordLogin(email, request, account)
    return account
  }

  const countSignIn = async (request: IncomingMessage): Promise<void> => {
    const address = addressOf(request)
    if (address === undefined || isLoopback(address)) return
    const refusal = 'Too many sign-ins were started from this address'
    await countRequest(keyValue.partition('counters'), { prefix: 'sign-in', policy: signInPolicy, refusal }, address)
  }

  /** Records a login at the issuer itself. @throws {EngineUnavailable} */
  const recordLogin = (email: string, request: IncomingMessage, account: Account | undefined): Promise<void> => {
    const user = account && { issuer: url, subject: account.id, roles: account.roles, groups: account.groups, expiresAt: 0 }
    const address = addressOf(request)
    const by = { principal: user === undefined ? anonymous : { user }, requestId: randomUUID(), ...(address !== undefined && { address }) }
    const outcome = user === undefined ? 'refused' : 'done'
    return audit.record(by, [{ action: 'login', target: accountTarget(email), outcome, details: { at: 'issuer' } }])
  }

  return { checkPassword, countSignIn }
}

export function createEmbeddedIssuer(options: EmbeddedIssuerOptions): EmbeddedIssuer {
  const { url, database, clock, log } = options
  const address = new URL(url)
  const path = address.pathname.replace(/\/$/, '')
  const accounts = new Accounts(database)
  const guard = new LoginGuard(options.keyValue, clock)
  const devices = new KnownDevices(options.vaultKey, clock)
  const audit = new AuditTrail(database, options.auditNote)
  const verifier = accountVerifier({
    tokens: createTokenVerifier({
      issuer: url,
      audience: options.audience,
      claims: ownClaims,
      readKeys: () => readPublicKeys(database),
      clock,
    }),
    ...{ database, audit, clock },
  })
  const keys = new SigningKeys(database, options.vaultKey, clock, options.previousVaultKeys)
  let serving: { readonly provider: Provider; readonly kids: string } | undefined

  /** client addresses of requests, by which failures are counted */
  const clients = new WeakMap<IncomingMessage, string>()

  const { checkPassword, countSignIn } = signIns({ ...options, accounts, guard, audit }, (request) => clients.get(request))

  const loadKeys = async (): Promise<void> => {
    const current = await keys.current()
    const kids = current.map(({ kid }) => kid).join(' ')
    if (serving?.kids === kids) return
    // only processes that issue tokens load the provider
    const { createProvider } = await import('./issuer-configuration.ts')
    const onError = (error: Error): void => log.warn({ reason: messageOf(error) }, 'the issuer failed to respond')
    serving = {
      provider: createProvider({
        ...options,
        path,
        redirectUris: [`${address.origin}/`],
        accounts,
        devices,
        keys: current,
        checkPassword,
        verifier,
        countSignIn,
        onError,
      }),
      kids,
    }
  }

  const handle = (request: IncomingMessage, response: ServerResponse, client = request.socket.remoteAddress): void => {
    if (serving === undefined) return void response.writeHead(503, { 'retry-after': '1' }).end()
    if (client !== undefined) clients.set(request, client)
    // URLs in the discovery document use the configured host, not the request's
    request.headers.host = address.host
    request.headers['x-forwarded-host'] = address.host
    request.headers['x-forwarded-proto'] = address.protocol.replace(':', '')
    limitEcho(request.headers)
    const { url: requestUrl = '/' } = request
    Object.assign(request, { originalUrl: requestUrl, url: requestUrl.slice(path.length) || '/' })
    serving.provider.callback()(request, response)
  }

  const reportFailure = (error: unknown): void => log.warn({ reason: messageOf(error) }, 'could not rotate the signing keys, retrying')
  const parts = compose('embedded issuer', [
    retryUntilDone({
      name: 'signing keys',
      work: loadKeys,
      isTransient: (error) => error instanceof EngineUnavailable,
      onWaiting: reportFailure,
    }),
    periodic('rotation of signing keys', keysEveryMs, loadKeys, reportFailure),
    periodic('expired tokens', cleanEveryMs, () => dropExpiredTokens(database, clock.now()), reportFailure),
  ])
  return {
    ...parts,
    accounts,
    path,
    handle,
    transport: {
      engine: 'embedded issuer',
      async post(endpoint, form, signal, client) {
        const answer = inject((request, response) => handle(request, response, client), {
          method: 'POST',
          url: `${path}/${endpoint === 'token' ? 'token' : 'token/revocation'}`,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          payload: form.toString(),
          remoteAddress: internalAddress,
        })
        const { statusCode, payload, headers } = await withTimeout(answer, 60_000, signal, () => signal.reason)
        const retryAfterS = Number(headers['retry-after'])
        return {
          status: statusCode,
          body: payload === '' ? undefined : JSON.parse(payload),
          ...(retryAfterS > 0 && { retryAfterMs: retryAfterS * 1000 }),
        }
      },
      async health(signal) {
        if (serving === undefined)
          throw new EngineUnavailable(
            'identity service',
            new Error('the embedded issuer has not loaded its signing keys: check that the database is available'),
          )
        await database.health(signal)
      },
    },
  }
}

/** An origin has at most 253 characters of a host. */
const maxOrigin = 280

/** Limits the headers of a cross-origin request, which the provider repeats in its response. */
function limitEcho(headers: IncomingHttpHeaders): void {
  const requested = headers['access-control-request-headers']
  if (requested !== undefined) headers['access-control-request-headers'] = allowedHeaders(requested)
  if ((headers.origin?.length ?? 0) > maxOrigin) headers.origin = 'null'
}

async function dropExpiredTokens(database: Database, nowMs: number): Promise<void> {
  await database.orm.delete(identityToken).where(lt(identityToken.expiresAt, new Date(nowMs)))
}

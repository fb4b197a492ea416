import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { people } from './embedded-identity.ts'

/** Within the time limit of hooks. */
const warmUpMs = 50_000

/**
 * Waits until a real issuer signs a person in. A newly started one answers discovery at once but needs many seconds for its first
 * login; the platform waits 5. Only one suite at a time may: Keycloak refuses a second login of a person during the first one.
 */
export function untilIssues(url: string): Promise<void> {
  const { email: username, password } = people.groupAdmin
  return untilToken(url, { grant_type: 'password', client_id: 'administration', username, password, scope: 'openid profile email' })
}

/** Waits until a real issuer issues a token to a client; for suites without logins. */
export const untilIssuesToClients = (url: string): Promise<void> =>
  untilToken(url, { grant_type: 'client_credentials', client_id: 'backend', client_secret: 'backend-dev-secret' })

async function untilToken(url: string, grant: Readonly<Record<string, string>>): Promise<void> {
  const over = AbortSignal.timeout(warmUpMs)
  const body = new URLSearchParams(grant)
  let lastError = 'nothing'
  while (!over.aborted) {
    const answer = await fetch(`${url}/protocol/openid-connect/token`, { method: 'POST', body, signal: over }).catch(String)
    if (typeof answer !== 'string' && answer.status === 200) return
    lastError = typeof answer === 'string' ? answer : `${answer.status} ${await answer.text()}`
    await sleep(250)
  }
  throw new Error(`${url} issued no token in ${warmUpMs} ms; its last response: ${lastError}`)
}

/**
 * Creates a client whose access tokens are lightweight: they have no claims of mappers. Copies the mappers of the client `administration`, as the
 * bootstrap administrator of a Keycloak for development.
 */
export async function lightweightClient(url: string): Promise<AsyncDisposable & { readonly client: { id: string; secret: undefined } }> {
  const { origin, pathname } = new URL(url)
  const call = async (address: string, method = 'GET', body?: object | URLSearchParams, token?: string): Promise<Response> => {
    const answer = await fetch(address, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && !(body instanceof URLSearchParams) && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: body instanceof URLSearchParams ? body : JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${address} answered ${answer.status} ${await answer.text()}`)
    return answer
  }
  const root = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', username: 'root', password: 'root-dev-only' })
  const login = await (await call(`${origin}/realms/master/protocol/openid-connect/token`, 'POST', root)).json()
  const token = z.object({ access_token: z.string() }).parse(login).access_token
  const clients = `${origin}/admin${pathname}/clients`
  const [pattern] = Clients.parse(await (await call(`${clients}?clientId=administration`, 'GET', undefined, token)).json())
  const id = `lightweight-${randomUUID()}`
  const created = await call(
    clients,
    'POST',
    {
      clientId: id,
      publicClient: true,
      directAccessGrantsEnabled: true,
      protocolMappers: pattern?.protocolMappers.map(({ id: _, ...mapper }) => mapper),
      attributes: { 'client.use.lightweight.access.token.enabled': 'true' },
    },
    token,
  )
  const address = created.headers.get('location') ?? clients
  return { client: { id, secret: undefined }, [Symbol.asyncDispose]: async () => void (await call(address, 'DELETE', undefined, token)) }
}

const Clients = z.array(z.object({ protocolMappers: z.array(z.looseObject({ id: z.string() })) }))

import { ClientRefused, oidcIdentityProvider } from '../../engines/identity/oidc-identity-provider.ts'
import { openIdIssuer } from '../../engines/identity/openid-issuer.ts'
import type { Config } from '../../foundation/config/config.ts'
import { type Examination, type Finding, fine, timed, wrong } from './examination.ts'

/**
 * Examines whether an issuer accepts the platform as a client. @throws {Error} if it is unreachable, another issuer or does not respond in time;
 * never contains the secret
 */
export async function examineIssuer(url: string, client: Config['identity']['client'], limitMs: number): Promise<Examination> {
  const identity = oidcIdentityProvider(openIdIssuer(url).transport, client)
  const { answer, tookMs } = await timed(() => clientFinding(() => identity.checkClient(AbortSignal.timeout(limitMs)), client.id))
  return { engine: 'OpenID Connect issuer', answeredInMs: tookMs, findings: [answer] }
}

async function clientFinding(check: () => Promise<void>, id: string): Promise<Finding> {
  try {
    await check()
    return fine('client', id)
  } catch (error) {
    if (!(error instanceof ClientRefused)) throw error
    return wrong('client', `${id} is refused (${error.code})`, `${error.next.charAt(0).toUpperCase()}${error.next.slice(1)}.`)
  }
}

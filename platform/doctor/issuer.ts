import type { ProfileSource } from '../../engines/identity/current-profile.ts'
import { ClientRefused, oidcIdentityProvider } from '../../engines/identity/oidc-identity-provider.ts'
import { openIdIssuer } from '../../engines/identity/openid-issuer.ts'
import type { Config } from '../../foundation/config/config.ts'
import { doubtful, type Examination, type Finding, fine, timed, wrong } from './examination.ts'

/**
 * Examines whether an issuer accepts the platform as a client. @throws {Error} if it is unreachable, another issuer or does not respond in time;
 * never contains the secret
 */
export async function examineIssuer(
  url: string,
  { client, profile }: Pick<Config['identity'], 'client' | 'profile'>,
  limitMs: number,
): Promise<Examination> {
  const issuer = openIdIssuer(url)
  const identity = oidcIdentityProvider(issuer.transport, client)
  const { answer, tookMs } = await timed(() => clientFinding(() => identity.checkClient(AbortSignal.timeout(limitMs)), client.id))
  const found = profileFinding(profile, await issuer.profileServices(AbortSignal.timeout(limitMs)))
  return { engine: 'OpenID Connect issuer', answeredInMs: tookMs, findings: [answer, found] }
}

function profileFinding(source: ProfileSource, services: Readonly<Record<'userinfo' | 'introspection', boolean>>): Finding {
  if (source === 'token')
    return doubtful('profile', 'from the token alone', 'A closed account is served until its token expires: set OIDC_PROFILE to userinfo.')
  if (services[source]) return fine('profile', source)
  const other = source === 'introspection' ? 'userinfo' : 'introspection'
  const next = services[other] ? `Set OIDC_PROFILE to ${other}.` : 'Let the issuer offer UserInfo.'
  return source === 'introspection'
    ? wrong('profile', 'the issuer offers no introspection', next)
    : doubtful('profile', 'the issuer offers no UserInfo: a closed account is served until its token expires', next)
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

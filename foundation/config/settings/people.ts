import { secret, setting } from './setting.ts'
import { integer, oneOf, text, webUrl } from './setting-rules.ts'

const whoMayCall = oneOf('token', 'token-or-key')

export const peopleSettings = {
  identity: {
    issuerUrl: setting('OIDC_ISSUER_URL', webUrl, 'OpenID Connect issuer of administrators (default: the embedded one)'),
    client: {
      id: setting(
        'OIDC_CLIENT_ID',
        text,
        'administration',
        'client id of the platform at the issuer. The client needs the password grant and, as a public client, the authorization code grant, which the console uses to sign in',
      ),
      secret: secret('OIDC_CLIENT_SECRET', text, 'client secret, if the client has one'),
    },
    profile: setting(
      'OIDC_PROFILE',
      oneOf('userinfo', 'introspection', 'token'),
      'userinfo',
      'where the profile and the roles of a user of OIDC_ISSUER_URL come from, besides the token: UserInfo, for tokens with the scope openid; token introspection, which also accepts opaque tokens; or the token alone. An account that the issuer closes is refused within 10 s, with token when the token expires',
    ),
    audience: setting('OIDC_AUDIENCE', text, 'civigraph', 'required value of `aud` in access tokens'),
    claims: {
      roles: setting('OIDC_ROLES_CLAIM', text, 'roles', 'claim with the roles of a user; a dot selects a member of an object'),
      groups: setting('OIDC_GROUPS_CLAIM', text, 'groups', 'claim with the groups of a user'),
      tenant: setting('OIDC_TENANT_CLAIM', text, 'tenant', 'claim with the tenant of a user'),
      citizen: setting(
        'OIDC_CITIZEN_CLAIM',
        text,
        'citizen_code',
        'claim with the user’s own citizen code, if the issuer has it: reviewers cannot review their own verification',
      ),
    },
    embeddedIssuerUrl: setting(
      'EMBEDDED_ISSUER_URL',
      webUrl,
      'URL of the embedded issuer, as clients see it and as tokens contain it in `iss` (default: http://127.0.0.1:{PORT_BASE+4}/oidc)',
    ),
  },
  consoleIdleMinutes: setting(
    'CONSOLE_IDLE_MINUTES',
    integer(0, 480, 'minutes'),
    '15',
    'minutes without input after which the console locks and requires the password again; typed input remains. 0: never',
  ),
  /** whether services with scope admin may do what administrators may */
  adminKeys: setting(
    'ADMIN_AUTH',
    whoMayCall.transform((chosen) => chosen === 'token-or-key').describe(whoMayCall.description ?? ''),
    'token',
    'who may call /api/v1/admin/*: users with a token (token), or also services with scope admin (token-or-key)',
  ),
}

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
        'client id at the issuer, with the password grant and, for the console, as a public client the authorization code grant',
      ),
      secret: secret('OIDC_CLIENT_SECRET', text, 'client secret, if the client has one'),
    },
    profile: setting(
      'OIDC_PROFILE',
      oneOf('userinfo', 'introspection', 'token'),
      'userinfo',
      'source of profile and roles of a user besides the token: UserInfo, for tokens with the scope openid; introspection, also of opaque tokens; or the token alone. A closed account is refused within 10 s, with token when the token expires',
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
        'claim with the user’s own citizen code: reviewers cannot review their own verification',
      ),
    },
    embeddedIssuerUrl: setting(
      'EMBEDDED_ISSUER_URL',
      webUrl,
      'URL of the embedded issuer, as clients see it (default: http://127.0.0.1:{PORT_BASE+4}/oidc)',
    ),
  },
  consoleIdleMinutes: setting(
    'CONSOLE_IDLE_MINUTES',
    integer(0, 480, 'minutes'),
    '15',
    'minutes without input after which the console locks; 0: never',
  ),
  /** whether services with scope admin may do what administrators may */
  adminKeys: setting(
    'ADMIN_AUTH',
    whoMayCall.transform((chosen) => chosen === 'token-or-key').describe(whoMayCall.description ?? ''),
    'token',
    'who may call /api/v1/admin/*: users, or also services with scope admin',
  ),
}

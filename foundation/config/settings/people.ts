import { secret, setting } from '../setting.ts'
import { oneOf, text, webUrl } from '../setting-rules.ts'

const whoMayCall = oneOf('token', 'token-or-key')

export const peopleSettings = {
  identity: {
    issuerUrl: setting('OIDC_ISSUER_URL', webUrl, 'OpenID Connect issuer of the people who administer (default: one in the platform)'),
    client: {
      id: setting(
        'OIDC_CLIENT_ID',
        text,
        'administration',
        'the platform’s client at the issuer; it must be allowed the password grant, and without a secret the authorization code, by which the console signs in',
      ),
      secret: secret('OIDC_CLIENT_SECRET', text, 'its secret, when it has one'),
    },
    audience: setting('OIDC_AUDIENCE', text, 'civigraph', 'what access tokens must have in `aud`'),
    claims: {
      roles: setting('OIDC_ROLES_CLAIM', text, 'roles', 'claim that holds the roles; a dot goes into an object'),
      groups: setting('OIDC_GROUPS_CLAIM', text, 'groups', 'claim that holds the groups'),
      tenant: setting('OIDC_TENANT_CLAIM', text, 'tenant', 'claim that holds the tenant'),
      citizen: setting(
        'OIDC_CITIZEN_CLAIM',
        text,
        'citizen_code',
        'claim that holds a person’s own code as a citizen, where the issuer knows it: nobody reviews their own verification',
      ),
    },
    embeddedIssuerUrl: setting(
      'EMBEDDED_ISSUER_URL',
      webUrl,
      'address of the issuer in the platform, as clients see it and tokens say it (default: http://127.0.0.1:{PORT_BASE+4}/oidc)',
    ),
  },
  /** whether services with scope admin may do what administrators may */
  adminKeys: setting(
    'ADMIN_AUTH',
    whoMayCall.transform((chosen) => chosen === 'token-or-key').describe(whoMayCall.description ?? ''),
    'token',
    'who may call /api/v1/admin/*: people by their token; token-or-key: also services with scope admin',
  ),
}

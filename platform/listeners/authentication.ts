import { type Authentication, createAuthentication, type StoredKeys } from '../../foundation/http/authentication.ts'
import type { Composition } from '../engines/composition.ts'

/** Authenticates requests by API keys of the settings and the database, and by access tokens of the issuer. */
export function authenticationOf({ config, keys, engines }: Composition): Authentication {
  return createAuthentication({
    apiKeys: config.adminKeys ? keys.apiKeys : keys.apiKeys.map(withoutAdmin),
    storedKeys: config.adminKeys ? engines.serviceKeys : storedWithoutAdmin(engines.serviceKeys),
    tokenVerifier: engines.identity.verifier,
  })
}

/** Without ADMIN_AUTH=token-or-key no service is an administrator, whatever its scopes. */
const withoutAdmin = <Service extends { readonly scopes: readonly string[] }>(service: Service): Service => ({
  ...service,
  scopes: service.scopes.filter((scope) => scope !== 'admin'),
})

const storedWithoutAdmin = (stored: StoredKeys): StoredKeys => ({
  async find(key) {
    const service = await stored.find(key)
    return service && withoutAdmin(service)
  },
})

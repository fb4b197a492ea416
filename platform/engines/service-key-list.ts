import type { ServiceKeys } from '../../engines/identity/service-keys/service-keys.ts'
import type { ApiKey } from '../../foundation/config/key-rules.ts'
import { type ServiceScope, serviceScopes } from '../../foundation/principal.ts'
import type { ServiceKeyList } from '../../subgraphs/administration/index.ts'

const knownOf = (scopes: readonly string[]): readonly ServiceScope[] => serviceScopes.filter((scope) => scopes.includes(scope))

/** Lists the keys of the database and of the settings of this process. */
export const serviceKeyList = (stored: Pick<ServiceKeys, 'list'>, given: readonly ApiKey[]): ServiceKeyList => ({
  async list() {
    const ofSettings = given.map(
      ({ name, scopes }) =>
        ({ id: `settings:${name}`, name, scopes: knownOf(scopes), source: 'settings', createdAt: null, endsAt: null }) as const,
    )
    return [
      ...(await stored.list()).map(({ scopes, ...key }) => ({ ...key, scopes: knownOf(scopes), source: 'database' }) as const),
      ...ofSettings,
    ]
  },
})

import type { Config } from '../../../foundation/config/config.ts'
import type { DevelopmentCredentials } from '../../../rest-adapters/documentation/describing-routes.ts'
import type { Keys } from './keys.ts'

/** Serves the development key and account to `/docs`, to this machine only. */
export function documentationCredentials(
  { production, bindAddress }: Pick<Config, 'production' | 'bindAddress'>,
  { developmentApiKey: key, developmentAdministrators: people }: Pick<Keys, 'developmentApiKey' | 'developmentAdministrators'>,
): DevelopmentCredentials {
  if (production || !/^(127\.|::1$|localhost$)/.test(bindAddress)) return {}
  return { ...(key !== undefined && { key }), ...(people !== undefined && { account: people.superAdmin }) }
}

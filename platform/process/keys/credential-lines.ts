import { join } from 'node:path'
import type { Config } from '../../../foundation/config/config.ts'
import type { Roles } from '../roles.ts'
import type { Keys } from './keys.ts'

type DevelopmentKeys = Pick<Keys, 'developmentApiKey' | 'developmentAdministrators' | 'areCredentialsNew'>

/** A printed line: name and value. */
export type Line = readonly [name: string, value: string]

/**
 * Returns the lines that announce development credentials: the file, and on the start that created them their values. @param isTerminal - whether a
 * person reads the lines; a pipe or a log never gets a secret
 */
export function credentialLines(
  { dataDir }: Pick<Config, 'dataDir'>,
  { subgraphs }: Pick<Roles, 'subgraphs'>,
  { developmentApiKey, developmentAdministrators, areCredentialsNew }: DevelopmentKeys,
  isTerminal: boolean,
): readonly Line[] {
  const people = subgraphs.includes('administration') ? developmentAdministrators : undefined
  if (developmentApiKey === undefined && people === undefined) return []
  const file = join(dataDir, 'credentials.json')
  if (!isTerminal || !areCredentialsNew) return [['development credentials', `in ${file}`]]
  return [
    ['development credentials', `printed once; later in ${file}`],
    ...(developmentApiKey === undefined ? [] : [['X-Service-API-Key', developmentApiKey] as const]),
    ...(people === undefined
      ? []
      : ([
          ['super_admin', `${people.superAdmin.email} ${people.superAdmin.password}`],
          ['group_admin', `${people.groupAdmin.email} ${people.groupAdmin.password}`],
        ] as const)),
  ]
}

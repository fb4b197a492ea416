import { settingsIn } from '../../foundation/config/setting.ts'
import { settings } from '../../foundation/config/settings.ts'
import { commandNames } from '../commands/commands.ts'
import { roleNames } from './roles.ts'

/** What `npm start -- help` prints: the roles, the commands and every setting. */
export function helpText(): string {
  const rows = settingsIn(settings).map(({ name, fallback = '', secret, help }) => {
    const standing = fallback === '' ? '' : ` [${fallback}]`
    return `  ${name.padEnd(28)}${help}${standing}${secret ? ` (also ${name}_FILE)` : ''}`
  })
  return [
    'npm start                    the whole platform in one process',
    'npm start -- ROLE [ROLE …]   only these roles; processes with one DATA_DIR are one platform',
    '',
    `Roles: all, ${roleNames.join(', ')}`,
    '',
    'npm run civigraph -- COMMAND …   beside a running platform or without one; a command alone tells its words',
    `Commands: ${commandNames.join(', ')}`,
    '',
    'Settings, read from the environment [default]:',
    ...rows,
  ].join('\n')
}

import { settingsIn } from '../foundation/config/settings/setting.ts'
import { settings } from '../foundation/config/settings.ts'
import { commandNames } from './commands/commands.ts'
import { roleNames } from './process/roles.ts'

/** Returns the output of `npm start -- help`: roles, commands and settings. */
export function helpText(): string {
  const rows = settingsIn(settings).map(({ name, rule, fallback = '', secret, help }) => {
    const value = rule.description === undefined || rule.description === 'text' ? '' : ` (${rule.description})`
    const defaultText = fallback === '' ? '' : ` [${fallback}]`
    return `  ${name.padEnd(28)}${help}${value}${defaultText}${secret ? ` (also ${name}_FILE)` : ''}`
  })
  return [
    'npm start                    the whole platform in one process',
    'npm start -- ROLE [ROLE …]   only these roles; processes with the same DATA_DIR form one platform',
    '',
    `Roles: all, ${roleNames.join(', ')}`,
    '',
    'npm run civigraph -- COMMAND …   with or without a running platform; a command without arguments prints its usage',
    `Commands: ${commandNames.join(', ')}`,
    '',
    'Settings, read from the environment (value) [default]:',
    ...rows,
  ].join('\n')
}

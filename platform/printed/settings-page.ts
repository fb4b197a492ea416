import { readersOf } from '../../foundation/config/settings/readers.ts'
import { settingsIn } from '../../foundation/config/settings/setting.ts'
import { settingChapters } from '../../foundation/config/settings.ts'

/** Generates docs/settings.md: every setting with syntax, default and description. */
export function settingsPage(): string {
  const titles = Object.keys(settingChapters) as (keyof typeof settingChapters)[]
  const chapters = titles.map((title) =>
    [`## ${title}`, '', '| setting | value | default | read by | meaning |', '|---|---|---|---|---|', ...rowsOf(title)].join('\n'),
  )
  return `${introduction}\n\n${chapters.join('\n\n')}\n`
}

const introduction = `# Settings

Settings are read from the environment when a process starts. If any is invalid, the process prints all problems by name and does not start.
*Read by* names the roles that use a setting ([roles](operations/roles.md)); others ignore it.
A (secret) may also be read from the file that \`NAME_FILE\` names, and is never printed. \`npm start -- help\` prints this list; \`npm run schema\`
generates this page.`

const rowsOf = (chapter: keyof typeof settingChapters): readonly string[] =>
  settingsIn(settingChapters[chapter]).map(({ name, rule, fallback = '', secret, help }) => {
    const cells = [
      `\`${name}\`${secret ? ' (secret)' : ''}`,
      rule.description ?? 'text',
      fallback && `\`${fallback}\``,
      readersOf(name, chapter),
      help,
    ]
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  })

import { type SettingTree, settingsIn } from '../../foundation/config/settings/setting.ts'
import { settingChapters } from '../../foundation/config/settings.ts'

/** Generates docs/settings.md: every setting with syntax, default and description. */
export function settingsPage(): string {
  const chapters = Object.entries<SettingTree>(settingChapters).map(([title, tree]) =>
    [`## ${title}`, '', '| setting | value | default | meaning |', '|---|---|---|---|', ...rowsOf(tree)].join('\n'),
  )
  return `${introduction}\n\n${chapters.join('\n\n')}\n`
}

const introduction = `# Settings

Settings are read from the environment when a process starts. If any is invalid, the process prints all problems by name and does not start.
A (secret) may also be read from the file that \`NAME_FILE\` names, and is never printed. \`npm start -- help\` prints this list; \`npm run schema\`
generates this page.`

const rowsOf = (tree: SettingTree): readonly string[] =>
  settingsIn(tree).map(({ name, rule, fallback = '', secret, help }) => {
    const cells = [`\`${name}\`${secret ? ' (secret)' : ''}`, rule.description ?? 'text', fallback && `\`${fallback}\``, help]
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  })

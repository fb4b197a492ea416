import { type SettingTree, settingsIn } from '../../foundation/config/setting.ts'
import { settingChapters } from '../../foundation/config/settings.ts'

/** docs/settings.md: every setting with what may be written, its default and its meaning, as the code declares them. */
export function settingsPage(): string {
  const chapters = Object.entries<SettingTree>(settingChapters).map(([title, tree]) =>
    [`## ${title}`, '', '| setting | value | default | meaning |', '|---|---|---|---|', ...rowsOf(tree)].join('\n'),
  )
  return `${introduction}\n\n${chapters.join('\n\n')}\n`
}

const introduction = `# Settings

Read from the environment when a process starts; every problem is told at once, by name, and nothing is started. A (secret) may also lie in a
file that \`NAME_FILE\` names, and is never printed. \`npm start -- help\` prints this list; \`npm run schema\` writes this page from the code.`

const rowsOf = (tree: SettingTree): readonly string[] =>
  settingsIn(tree).map(({ name, rule, fallback = '', secret, help }) => {
    const cells = [`\`${name}\`${secret ? ' (secret)' : ''}`, rule.description ?? 'text', fallback && `\`${fallback}\``, help]
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  })

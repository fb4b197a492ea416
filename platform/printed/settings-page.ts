import { readersOf, readersOfChapters } from '../../foundation/config/settings/readers.ts'
import { settingsIn } from '../../foundation/config/settings/setting.ts'
import { settingChapters } from '../../foundation/config/settings.ts'

/** Generates docs/settings.md: every setting with syntax, default and description. */
export function settingsPage(): string {
  const titles = Object.keys(settingChapters) as (keyof typeof settingChapters)[]
  const chapters = titles.map((title) =>
    [
      `## ${title}`,
      '',
      `Read by: ${readersOfChapters[title]}.`,
      '',
      '| setting | value | meaning |',
      '|---|---|---|',
      ...rowsOf(title),
    ].join('\n'),
  )
  return `${introduction}\n\n${chapters.join('\n\n')}\n`
}

const introduction = `# Settings

Settings are read from the environment when a process starts. If any is invalid, the process prints all problems by name and does not start.
*Read by* names the [roles](operations/roles.md) that read a chapter or a setting; others ignore it. The default is in brackets, an empty value means text, and lists are comma separated.
A (secret) may also be read from the file that \`NAME_FILE\` names, and is never printed. \`npm start -- help\` prints this list.`

const rowsOf = (chapter: keyof typeof settingChapters): readonly string[] =>
  settingsIn(settingChapters[chapter]).map(({ name, rule, fallback = '', secret, help }) => {
    const readers = readersOf(name, chapter)
    const cells = [
      `\`${name}\`${secret ? ' (secret)' : ''}`,
      `${rule.description === 'text' ? '' : (rule.description ?? '')}${fallback && ` (\`${fallback}\`)`}`.trim(),
      readers === readersOfChapters[chapter] ? help : `${help}. Read by: ${readers}`,
    ]
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  })

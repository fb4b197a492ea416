import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { settings } from '../subgraphs/foundation/config/settings.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

describe('the README', () => {
  it('lists every setting with its default and its words', () => {
    const rows = Object.entries(settings).map(([name, setting]) => {
      const fallback = 'fallback' in setting && setting.fallback !== '' ? `\`${setting.fallback}\`` : ''
      return `| \`${name}\`${'secret' in setting ? ' (secret)' : ''} | ${fallback} | ${setting.help} |`
    })
    expect(rows.filter((row) => !readme.includes(row))).toEqual([])
  })

  it('names every command of package.json that people run', () => {
    const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { scripts: Record<string, string> }
    const commands = Object.keys(scripts).filter((name) => !name.startsWith('pre') && !['build', 'types'].includes(name))
    expect(commands.filter((name) => !readme.includes(`npm ${['start', 'test'].includes(name) ? name : `run ${name}`}`))).toEqual([])
  })
})

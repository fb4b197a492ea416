import { expect, it } from 'vitest'
import { readersOf } from '../../../foundation/config/settings/readers.ts'
import { settingsIn } from '../../../foundation/config/settings/setting.ts'
import { settingChapters } from '../../../foundation/config/settings.ts'
import { roleNames } from '../../../platform/process/roles.ts'

const kinds = ['all', 'rest', 'subgraph', 'commands', 'all roles in one process']
const chapters = Object.keys(settingChapters) as (keyof typeof settingChapters)[]

it('each setting names the roles that read it', () => {
  const words = chapters.flatMap((chapter) =>
    settingsIn(settingChapters[chapter]).flatMap(({ name }) => readersOf(name, chapter).split(', ')),
  )
  expect([...new Set(words)].filter((word) => !kinds.includes(word) && !roleNames.includes(word))).toEqual([])
})

it.each([
  ['EXPRESSION_KEY', 'Expressions and their exploration', 'subgraph:classification, commands'],
  ['PUBLIC_URL', 'What clients call', 'gateway, rest'],
  ['PUBLIC_VOTE_RATE', 'Expressions and their exploration', 'subgraph:exploration'],
  ['VERIFICATION_CONCURRENCY', 'Verification', 'worker:verification'],
  ['PRINCIPAL_SIGNING_KEY_PREVIOUS', 'What clients call', 'gateway, rest, subgraph'],
] as const)('%s is read by its roles', (name, chapter, roles) => expect(readersOf(name, chapter)).toBe(roles))

import { expect, it } from 'vitest'
import { credentialLines } from '../../../platform/process/keys/credential-lines.ts'

const person = (name: string) => ({ email: `${name}@civigraph.test`, password: `password of ${name}` })
const keys = {
  developmentApiKey: 'dev_key',
  developmentAdministrators: { superAdmin: person('super'), groupAdmin: { ...person('group'), groups: ['default'] } },
  areCredentialsNew: true,
}
const linesOf = (given: Partial<typeof keys>, isTerminal: boolean, subgraphs = ['administration'] as const) =>
  credentialLines({ dataDir: '/data' }, { subgraphs }, { ...keys, ...given }, isTerminal)

it('the start that makes development credentials prints them to a terminal', () => {
  expect(linesOf({}, true).join('\n')).toMatch(/credentials\.json[\s\S]*dev_key[\s\S]*password of super[\s\S]*password of group/)
})

it.each([
  ['a pipe or a log gets the file that holds them', {}, false],
  ['a later start gives the file that holds them', { areCredentialsNew: false }, true],
] as const)('%s', (_, given, isTerminal) => {
  const lines = linesOf(given, isTerminal)
  expect(lines).toEqual([['development credentials', 'in /data/credentials.json']])
  expect(lines.join()).not.toMatch(/dev_key|password of/)
})

it('a platform with keys of its own announces none', () => {
  expect(credentialLines({ dataDir: '/data' }, { subgraphs: [] }, { ...keys, developmentApiKey: undefined }, true)).toEqual([])
})

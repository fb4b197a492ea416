import { expect, it } from 'vitest'
import { credentialLines } from '../../../platform/process/keys/credential-lines.ts'

const person = (name: string) => ({ email: `${name}@civigraph.test`, password: `password of ${name}` })
const keys = {
  developmentApiKey: 'dev_key',
  developmentAdministrators: { superAdmin: person('super'), groupAdmin: { ...person('group'), groups: ['default'] } },
  areCredentialsNew: true,
}
const linesOf = (changes: Partial<typeof keys>, isTerminal: boolean, subgraphs = ['administration'] as const) =>
  credentialLines({ dataDir: '/data' }, { subgraphs }, { ...keys, ...changes }, isTerminal)

it('the start that creates development credentials prints them to a terminal', () => {
  expect(linesOf({}, true).join('\n')).toMatch(/credentials\.json[\s\S]*dev_key[\s\S]*password of super[\s\S]*password of group/)
})

it.each([
  ['a pipe or a log gets the path of the file with the credentials', {}, false],
  ['a later start prints the path of the file with the credentials', { areCredentialsNew: false }, true],
] as const)('%s', (_, changes, isTerminal) => {
  const lines = linesOf(changes, isTerminal)
  expect(lines).toEqual([['development credentials', 'in /data/credentials.json']])
  expect(lines.join()).not.toMatch(/dev_key|password of/)
})

it('a platform with its own keys prints none', () => {
  expect(credentialLines({ dataDir: '/data' }, { subgraphs: [] }, { ...keys, developmentApiKey: undefined }, true)).toEqual([])
})

import { expect, it } from 'vitest'
import { parseRoles, roleNames, shortNamesOf } from '../../../platform/process/roles.ts'

it.each([
  ['', 'all'],
  ['all', 'all'],
  ['gateway', 'gateway'],
  ['rest:content gateway', 'gateway rest:content'],
  ['worker:classification worker:exploration', 'worker:exploration,classification'],
  [roleNames.filter((name) => name.startsWith('subgraph:')).join(' '), 'subgraph:*'],
  [roleNames.filter((name) => !name.startsWith('subgraph:')).join(' '), 'gateway worker:* rest:*'],
])('names a process of "%s" %s', (words, name) => {
  const roles = parseRoles(words.split(' ').filter((word) => word !== ''))
  if ('problems' in roles) throw new Error(roles.problems.join())
  expect(shortNamesOf(roles)).toBe(name)
})

import { expect, it } from 'vitest'
import { anonymous } from '../../../../../foundation/principal.ts'
import type { AuthorizationOptions } from '../../../../../gateway/executor/caller-authorization.ts'
import { openArchive } from '../../../../support/gateway/archive.ts'
import { merged, payloads } from '../../../../support/gateway/incremental-client.ts'
import { contextFor, recordedLog } from '../../../../support/gateway/town.ts'

const { log } = recordedLog()

/** Returns the results of an anonymous caller, assembled and in parts, and the queries that the subgraphs received. */
async function ask(query: string, authorization?: AuthorizationOptions) {
  const { executor, fetched } = openArchive(authorization === undefined ? {} : { authorization })
  using context = contextFor(log, { principal: anonymous })
  const results = await payloads(await executor.execute(executor.prepare(query), {}, context, 'in parts'))
  const { data, errors } = merged(results)
  return {
    data,
    refused: errors.map(({ path, extensions }) => [extensions.code, path]),
    first: results[0]?.errors ?? [],
    parts: results.flatMap(({ incremental = [] }) => incremental),
    fetched: fetched.join('\n'),
  }
}

const code = 'UNAUTHORIZED_FIELD_OR_TYPE'

it.each([
  [
    'a field',
    '{ file(id: "1") { title ... @defer { judged mood } } }',
    { file: { title: 'File 1', judged: null, mood: null } },
    ['judged', 'mood'],
  ],
  ['a field that is not null', '{ file(id: "1") { title ... @defer { sealed } } }', { file: { title: 'File 1' } }, ['sealed']],
  [
    'a field beside one of the first result',
    '{ file(id: "1") { title stamp ... @defer { mood } } }',
    { file: { title: 'File 1', stamp: null, mood: null } },
    ['stamp', 'mood'],
  ],
  [
    'a field under the alias of an unprotected one',
    '{ file(id: "1") { ... @defer { title: judged } } }',
    { file: { title: null } },
    ['judged'],
  ],
  [
    'a nested fragment',
    '{ file(id: "1") { ... @defer { reader ... on File @defer { stamp } } } }',
    { file: { reader: 'reader of code-1', stamp: null } },
    ['stamp'],
  ],
])('a protected field is not fetched for a deferred part, and is null in it: %s', async (_, query, data, hidden) => {
  const answer = await ask(query)
  expect(answer.data).toEqual(data)
  expect(answer.refused.map(([each]) => each)).toEqual(hidden.map(() => code))
  for (const each of hidden) expect(answer.fetched).not.toContain(each)
})

it.each([
  ['a field', '{ file(id: "1") { title ... @defer { judged } } }', [['file', 'judged']]],
  ['a part that is entirely null', '{ file(id: "1") { title ... @defer { sealed } } }', [['file', 'sealed']]],
  [
    'each element of a list',
    '{ files { ... @defer(label: "l") { code2: judged } } }',
    [
      ['files', 0, 'code2'],
      ['files', 1, 'code2'],
    ],
  ],
  ['a list within the part', '{ file(id: "1") { title } ... @defer { files { judged } } }', [['files', '@', 'judged']]],
  [
    'a part within another',
    '{ file(id: "1") { ... @defer { title ... @defer { shelf { inner { label } } } } } }',
    [['file', 'shelf', 'inner', 'label']],
  ],
])('a protected field of a part is reported with that part, not before: %s', async (_, query, paths) => {
  const { first, parts } = await ask(query)
  expect(first).toEqual([])
  const refused = parts.flatMap(({ path, errors = [] }) => errors.map((error) => ({ part: path, path: error.path })))
  expect(refused.map(({ path }) => path)).toEqual(paths)
  for (const { part, path } of refused) expect(path?.slice(0, part.length)).toEqual(part)
})

it('reports no error for parts of missing objects', async () => {
  const { data, refused } = await ask('{ records { id ... on Tape @defer { name } ... on Paper @defer { name } } }')
  expect(data).toEqual({
    records: [
      { id: 'p1', name: 'Paper' },
      { id: 't1', name: null },
    ],
  })
  expect(refused).toEqual([[code, ['records', 1, 'name']]])
})

it('reveals an object of a protected type in no part', async () => {
  const { data, refused } = await ask('{ found { ... on Paper { pages } ... @defer { __typename } } }')
  expect(data).toEqual({ found: [{ pages: 3, __typename: 'Paper' }, {}] })
  expect(refused).toEqual([[code, ['found', 1, '__typename']]])
})

it('rejects the whole operation when a part has a protected field and refusals reject all', async () => {
  const answer = await ask('{ file(id: "1") { title ... @defer { judged } } }', { policies: () => [], reject: true })
  expect(answer).toMatchObject({ data: null, parts: [], fetched: '' })
})

it('hides the key of a deferred part from the client', async () => {
  const { data, fetched } = await ask('{ file(id: "1") { title ... @defer { reader } } }')
  expect(data).toEqual({ file: { title: 'File 1', reader: 'reader of code-1' } })
  expect(fetched).toContain('code')
})

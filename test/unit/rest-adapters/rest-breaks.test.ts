import { describe, expect, it } from 'vitest'
import { breakingEntriesSince } from '../../support/run/changelog.ts'
import { isRestBreakAnnounced, restBreaks } from '../../support/run/rest-breaks.ts'

const text = { type: 'string' }
const thing = { type: 'object', required: ['id'], properties: { id: text, note: text, kind: { enum: ['a', 'b'] } } }
const input = { type: 'object', required: ['name'], properties: { name: text } }
const id = { name: 'id', in: 'path', required: true, schema: text }
const page = { name: 'page', in: 'query', schema: { type: 'integer' } }

interface Changes {
  readonly thing?: object
  readonly input?: object
  readonly parameters?: readonly object[]
  readonly responses?: object
  readonly operationId?: string
  readonly security?: readonly object[]
  /** in place of all paths */
  readonly paths?: object
  /** beside them */
  readonly more?: object
}

/** Returns a document with one operation after the given changes. */
function documentWith(changes: Changes = {}): object {
  const content = (name: string) => ({ content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } } })
  const post = {
    operationId: changes.operationId ?? 'makeThing',
    security: changes.security ?? [],
    parameters: changes.parameters ?? [id, page],
    requestBody: { required: true, ...content('Input') },
    responses: changes.responses ?? { 200: { description: 'Done', ...content('Thing') }, 404: { description: 'Not there' } },
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    paths: { ...(changes.paths ?? { '/things/{id}': { post } }), ...changes.more },
    components: { schemas: { Thing: changes.thing ?? thing, Input: changes.input ?? input } },
  }
}

const breaksOf = (changes: Changes) => restBreaks(documentWith(), documentWith(changes))
const namesAfter = (changes: Changes) => breaksOf(changes).map(({ operation }) => operation)

describe('a change of a REST document', () => {
  it.each<[string, Changes]>([
    ['a removed operation', { paths: {} }],
    ['a removed response', { responses: { 404: { description: 'Not there' } } }],
    ['a removed response member', { thing: { ...thing, properties: { id: text, kind: thing.properties.kind } } }],
    ['a member of an answer that need not be there', { thing: { ...thing, required: [] } }],
    [
      'a member of an answer that may be null',
      { thing: { ...thing, properties: { ...thing.properties, id: { type: ['string', 'null'] } } } },
    ],
    ['a word that an answer had not', { thing: { ...thing, properties: { ...thing.properties, kind: { enum: ['a', 'b', 'c'] } } } }],
    ['a new required request member', { input: { ...input, required: ['name', 'age'], properties: { name: text, age: text } } }],
    ['a member of a request of another type', { input: { ...input, properties: { name: { type: 'integer' } } } }],
    ['a removed request member', { input: { ...input, properties: {}, required: [] } }],
    ['a parameter of another type', { parameters: [id, { ...page, schema: text }] }],
  ])('breaks clients by %s', (_, changes) => {
    expect(new Set(namesAfter(changes))).toEqual(new Set(['POST /things/{id}']))
  })

  it.each<[string, Changes]>([
    ['is removed', { parameters: [id] }],
    ['becomes required', { parameters: [id, { ...page, required: true }] }],
  ])('breaks clients by a parameter that %s', (_, changes) => {
    expect(namesAfter(changes)).toContain('POST /things/{id}')
  })

  it.each<[string, Changes, string | undefined]>([
    ['a parameter', { parameters: [id] }, 'page'],
    ['a member', { thing: { ...thing, properties: { id: text, kind: thing.properties.kind } } }, 'note'],
    ['a status', { responses: { 404: { description: 'Not there' } } }, '200'],
    ['a name that generated clients have', { operationId: 'changeThing' }, 'operationId'],
    ['the security requirements', { security: [{ key: [] }] }, 'security'],
    ['nothing that remains', { paths: {} }, undefined],
  ])('is reported with the changed part of the operation: %s', (_, changes, part) => {
    const [first] = breaksOf(changes)
    expect([first?.operation, first?.part]).toEqual(['POST /things/{id}', part])
  })

  it('is announced only by an entry that names the operation and the part', () => {
    const changelogOf = (...entries: readonly string[]): string =>
      [
        '# Changelog',
        '## [Unreleased]',
        '### Changed',
        ...entries,
        '## [1.0.0] - 2026-01-01',
        '### Added',
        '- `POST /things/{id}` has `page`.',
      ].join('\n')
    const entries = breakingEntriesSince(
      '1.0.0',
      changelogOf(
        '- **Breaking:** `page` of `GET /others` removed; use `size`.',
        '- **Breaking:** `note` of `POST /things/{id}` removed; use `text`.',
        '- `POST /things/{id}` is faster, and `page` is documented.',
      ),
    )
    const isAnnounced = (changes: Changes) => breaksOf(changes).every((change) => isRestBreakAnnounced(change, entries))
    expect(isAnnounced({ thing: { ...thing, properties: { id: text, kind: thing.properties.kind } } })).toBe(true)
    expect(isAnnounced({ parameters: [id] })).toBe(false)
    // an entry about a part of the operation, or about every operation, does not announce the removal of one
    expect(isAnnounced({ paths: {} })).toBe(false)
    const ofEach = breakingEntriesSince(
      '1.0.0',
      changelogOf(
        '- **Breaking:** the `operationId` of `*`; generate again.',
        '- **Breaking:** `POST /things/{id}` removed; use `GET /things`.',
      ),
    )
    expect(breaksOf({ paths: {} }).map((change) => [ofEach.slice(0, 1), ofEach].map((all) => isRestBreakAnnounced(change, all)))).toEqual([
      [false, true],
    ])
  })

  it.each<[string, Changes]>([
    ['more operations', { more: { '/more': { get: { responses: { 200: { description: 'More' } } } } } }],
    ['a new optional parameter', { parameters: [id, page, { name: 'size', in: 'query', schema: { type: 'integer' } }] }],
    ['a member of an answer', { thing: { ...thing, properties: { ...thing.properties, more: text } } }],
    ['a new optional request member', { input: { ...input, properties: { name: text, age: text } } }],
    ['other words', { thing: { ...thing, description: 'What it is' } }],
  ])('breaks no client by %s', (_, changes) => {
    expect(namesAfter(changes)).toEqual([])
  })
})

it('reports a body of another type once, not each of its former members', () => {
  const breaks = restBreaks(documentWith(), documentWith({ thing: text, input: text }))
  expect(breaks.map(({ part, description }) => [part, description])).toEqual([
    ['requestBody', 'POST /things/{id}: replace requestBody/content/application/json/schema/type.'],
    ['200', 'POST /things/{id}: replace responses/200/content/application/json/schema/type.'],
  ])
})

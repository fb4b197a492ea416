import { buildSchema } from 'graphql'
import { describe, expect, it } from 'vitest'
import { breakingEntriesSince } from '../../support/run/changelog.ts'
import { graphBreaks, isGraphBreakAnnounced } from '../../support/run/graph-breaks.ts'

const released = `
  type Query { things(first: Int = 20, kind: Kind): [Thing!]! thing(id: ID!): Thing }
  type Thing { id: ID! name: String! kind: Kind! }
  type Other { id: ID! }
  union Found = Thing | Other
  enum Kind { GOOD BAD }
  input ThingInput { name: String! priority: Kind! = GOOD limit: Int = 5 }
  type Mutation { make(input: ThingInput!): Thing search: Found }
`
/** Returns the breaking changes after a text of the released graph is replaced by another. */
const breaksOf = (...changes: readonly (readonly [before: string, after: string])[]) => {
  const after = changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`there is no ${from}`)
    return text.replace(from, to)
  }, released)
  return graphBreaks(buildSchema(released), buildSchema(after))
}

describe('a change of the graph', () => {
  it.each<[string, string, string, string]>([
    ['a removed field', 'name: String! kind', 'kind', 'Thing.name'],
    ['a field of another type', 'name: String! kind', 'name: Int! kind', 'Thing.name'],
    ['a removed enum value', 'GOOD BAD', 'GOOD', 'Kind.BAD'],
    ['a removed union member', '= Thing | Other', '= Thing', 'Found.Other'],
    ['a removed argument', ', kind: Kind', '', 'Query.things'],
    ['a new required argument', '(id: ID!)', '(id: ID!, by: ID!)', 'Query.thing'],
    ['another default of an argument', 'first: Int = 20', 'first: Int = 5', 'Query.things'],
    ['a new required input field', 'name: String! priority', 'name: String! owner: ID! priority', 'ThingInput.owner'],
    ['a removed default of a required input field', 'priority: Kind! = GOOD', 'priority: Kind!', 'ThingInput.priority'],
    ['another default of a member', 'limit: Int = 5', 'limit: Int = 50', 'ThingInput.limit'],
  ])('breaks clients by %s', (_, from, to, name) => {
    expect(breaksOf([from, to]).flatMap(({ names }) => names)).toEqual([name])
  })

  it('breaks clients by a removed type, under the name of the type', () => {
    expect(breaksOf(['  type Other { id: ID! }\n', ''], ['= Thing | Other', '= Thing']).flatMap(({ names }) => names)).toContain('Other')
  })

  it.each([
    ['another field', 'name: String! kind', 'name: String! size: Int kind'],
    ['another value', 'GOOD BAD', 'GOOD BAD UGLY'],
    ['a new optional argument', '(id: ID!)', '(id: ID!, by: ID)'],
    ['a new optional input field', 'limit: Int = 5', 'limit: Int = 5 more: Int'],
  ])('breaks no client by %s', (_, from, to) => {
    expect(breaksOf([from, to])).toEqual([])
  })

  it('is announced by its own name; the name of its type or of its new type does not count', () => {
    const isAnnounced = (from: string, to: string, ...names: readonly string[]) =>
      breaksOf([from, to]).every((change) => isGraphBreakAnnounced(change, [{ names: new Set(names), removed: new Set(names) }]))
    expect(isAnnounced('name: String! kind', 'kind', 'Thing', 'Thing.kind', 'name')).toBe(false)
    expect(isAnnounced('name: String! kind', 'kind', 'Thing.name')).toBe(true)
    expect(isAnnounced('GOOD BAD', 'GOOD', 'BAD', 'Kind')).toBe(false)
    // fields that became nullable are announced together, other changes are not
    expect(isAnnounced('[Thing!]!', '[Thing!]', 'Query.*')).toBe(true)
    expect(isAnnounced('[Thing!]!', '[Other!]', 'Query.*')).toBe(false)
  })

  it.each([
    ['**Breaking:** `Thing.name` removed; use `Thing.title`.', true],
    ['**Breaking:** `Thing.id` and `Thing.name` removed; use `Thing.title`.', true],
    ['**Breaking:** `Thing.name` is a `Date`; declare variables as `Date`.', false],
    ['**Breaking:** `Thing.kind` removed; `Thing.name` is nullable.', false],
    ['`Thing.name` removed; use `Thing.title`.', false],
  ])('that removes a field is announced by %s: %s', (entry, isAnnounced) => {
    const changelog = `## [Unreleased]\n### Changed\n- ${entry}\n## [1.0.0] - 2026-01-01\n`
    const entries = breakingEntriesSince('1.0.0', changelog)
    expect(breaksOf(['name: String! kind', 'kind']).every((change) => isGraphBreakAnnounced(change, entries))).toBe(isAnnounced)
  })
})

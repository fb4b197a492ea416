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
/** What breaks when, in the released graph, one text stands in place of another. */
const breaksOf = (...changes: readonly (readonly [before: string, after: string])[]) => {
  const after = changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`there is no ${from}`)
    return text.replace(from, to)
  }, released)
  return graphBreaks(buildSchema(released), buildSchema(after))
}

describe('a change of the graph', () => {
  it.each<[string, string, string, string]>([
    ['a field that goes', 'name: String! kind', 'kind', 'Thing.name'],
    ['a field of another type', 'name: String! kind', 'name: Int! kind', 'Thing.name'],
    ['a value of an enum that goes', 'GOOD BAD', 'GOOD', 'Kind.BAD'],
    ['a member of a union that goes', '= Thing | Other', '= Thing', 'Found.Other'],
    ['an argument that goes', ', kind: Kind', '', 'Query.things'],
    ['an argument that must be given', '(id: ID!)', '(id: ID!, by: ID!)', 'Query.thing'],
    ['another default of an argument', 'first: Int = 20', 'first: Int = 5', 'Query.things'],
    ['a member of an input that must be given', 'name: String! priority', 'name: String! owner: ID! priority', 'ThingInput.owner'],
    ['a default that goes, so that its member must be given', 'priority: Kind! = GOOD', 'priority: Kind!', 'ThingInput.priority'],
    ['another default of a member', 'limit: Int = 5', 'limit: Int = 50', 'ThingInput.limit'],
  ])('breaks clients by %s', (_, from, to, name) => {
    expect(breaksOf([from, to]).flatMap(({ names }) => names)).toEqual([name])
  })

  it('breaks clients by a type that goes, which has the type’s own name', () => {
    expect(breaksOf(['  type Other { id: ID! }\n', ''], ['= Thing | Other', '= Thing']).flatMap(({ names }) => names)).toContain('Other')
  })

  it.each([
    ['another field', 'name: String! kind', 'name: String! size: Int kind'],
    ['another value', 'GOOD BAD', 'GOOD BAD UGLY'],
    ['an argument that may be given', '(id: ID!)', '(id: ID!, by: ID)'],
    ['a member of an input that may be given', 'limit: Int = 5', 'limit: Int = 5 more: Int'],
  ])('breaks nobody by %s', (_, from, to) => {
    expect(breaksOf([from, to])).toEqual([])
  })

  it('is announced by its own name; the name of its type or new type does not count', () => {
    const isAnnounced = (from: string, to: string, ...names: readonly string[]) =>
      breaksOf([from, to]).every((change) => isGraphBreakAnnounced(change, [{ names: new Set(names), removed: new Set(names) }]))
    expect(isAnnounced('name: String! kind', 'kind', 'Thing', 'Thing.kind', 'name')).toBe(false)
    expect(isAnnounced('name: String! kind', 'kind', 'Thing.name')).toBe(true)
    expect(isAnnounced('GOOD BAD', 'GOOD', 'BAD', 'Kind')).toBe(false)
    // fields that became nullable are announced together, and nothing else is
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

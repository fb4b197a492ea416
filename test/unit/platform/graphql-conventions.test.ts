import { readdirSync, readFileSync } from 'node:fs'
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  isInputObjectType,
  isObjectType,
  NoDeprecatedCustomRule,
  parse,
  validate,
} from 'graphql'
import { expect, it } from 'vitest'
import { clientSchema } from '../../support/clients/client-schema.ts'
import { schemaFindings } from '../../support/run/schema-rules.ts'

it('the composed graph follows the conventions', () => {
  expect(schemaFindings(clientSchema)).toEqual([])
})

const findingsOf = (definitions: string): readonly string[] => schemaFindings(buildSchema(definitions))
const page = 'edges: [ThingEdge!]! nodes: [String!]! pageInfo: String!'
const first = (most = '100', usual = 20) => `"Maximum number of nodes, 1 to ${most}." first: Int = ${usual}`

it.each([
  [
    'a page without Connection',
    `type Things { ${page} totalCount: Int! } type ThingEdge { node: String }`,
    'Things: the type of a page ends in Connection',
  ],
  [
    'a page without a count',
    `type ThingConnection { ${page} } type ThingEdge { node: String }`,
    'ThingConnection: the page has no totalCount',
  ],
  [
    'a page without nodes',
    'type ThingConnection { edges: [ThingEdge!]! pageInfo: String! totalCount: Int! } type ThingEdge { node: String }',
    'ThingConnection: the page has no nodes',
  ],
  ['an argument beside the filter', list(`${first()} kind: String`), 'Query.things(kind): a list is restricted by `filter`'],
  ['another default page', list(first('100', 50)), 'Query.things(first): the default page has 20 nodes'],
  ['another largest page', list(first('1,000')), 'Query.things(first): the largest page has 100 nodes'],
  ['an id with another name', 'input ThingInput { domain: ID }', 'ThingInput.domain: ids end in Id'],
  ['ids with another name', 'input ThingInput { domains: [ID!] }', 'ThingInput.domains: ids end in Ids'],
  [
    'a singular list in a filter',
    'input ThingFilterInput { lang: [String!] }',
    'ThingFilterInput.lang: a list in a filter has a plural name, a single value a singular one',
  ],
  ['another name of a period', 'input ThingFilterInput { since: String }', 'ThingFilterInput.since: periods are `from` and `to`'],
  ['another name of an order', 'type Query { things(sort: String): Int }', 'Query.things(sort): the order of a list is `orderBy`'],
  ['an abbreviated enum value', 'enum Gender { "Female." F }', 'Gender.F: enum values are whole words in upper case'],
  ['an enum value without a description', 'enum Gender { FEMALE }', 'Gender.FEMALE: the value has no description'],
  [
    'a page that is no connection',
    'type Query { things(first: Int, after: String): [Int!] }',
    'Query.things: the type of a page ends in Connection',
  ],
  ['labels without a label', 'type Thing { labels: [String!]! label: String! }', 'Thing.labels: `label(lang:)` is beside it'],
  ['a sentence with a code', 'type Thing { "As <code>: <sentence>." why: String }', 'Thing.why: a structure is a type, not text'],
  ['a scalar without a specification', 'scalar Thing', 'Thing: the scalar has no @specifiedBy'],
  ['a structure in text', 'type Thing { "Details, as JSON." details: String }', 'Thing.details: a structure is a type, not text'],
  ['a second meaning of pass', 'input ThingInput { pass: String }', 'ThingInput.pass: `pass` is an abstention'],
  ['an input without Input', 'input Thing { name: String }', 'Thing: input types end in Input'],
  [
    'a deletion without a global id',
    'type Mutation { deleteThing: DeleteThingPayload } type DeleteThingPayload { id: ID! }',
    'DeleteThingPayload: the payload of a deletion has deletedNodeId or deletedNodeIds',
  ],
])('%s is reported', (_, definitions, finding) => {
  expect(findingsOf(definitions)).toEqual([finding])
})

it('a deprecated member keeps its name', () => {
  expect(findingsOf('input ThingInput { domainId: ID domain: ID @deprecated(reason: "Use domainId.") }')).toEqual([])
})

function list(parameters: string): string {
  return `type Query { things(${parameters}): ThingConnection } type ThingConnection { ${page} totalCount: Int! } type ThingEdge { node: String }`
}

const argumentsOf = (field: GraphQLField<unknown, unknown> | GraphQLInputField): readonly GraphQLArgument[] =>
  'args' in field ? field.args : []

it('the changelog lists every deprecated member with its new name', () => {
  const changelog = readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8')
  const rows = changelog
    .slice(changelog.indexOf('### Deprecated'), changelog.indexOf('### Fixed'))
    .split('\n')
    .flatMap((line) => [line.split('|')[1] ?? ''])
  // a row may name a member of all events or of all subscriptions
  const isListed = (place: string, member: string): boolean =>
    rows.some((row) => row.includes(`\`${place}\``) || (/events|subscriptions/.test(row) && row.includes(`\`${member}\``)))
  const isArgumentListed = (field: string, argument: string): boolean =>
    rows.some(
      (row) =>
        new RegExp(`\\b${field}\\([^)]*\\b${argument}\\b`).test(row) || (/subscriptions/.test(row) && row.includes(`\`${argument}\``)),
    )
  const missing = Object.values(clientSchema.getTypeMap()).flatMap((type) => {
    if (!isObjectType(type) && !isInputObjectType(type)) return []
    return Object.values(type.getFields()).flatMap((field) => [
      ...(field.deprecationReason == null || isListed(`${type.name}.${field.name}`, field.name) ? [] : [`${type.name}.${field.name}`]),
      ...argumentsOf(field)
        .filter(({ deprecationReason, name }) => deprecationReason != null && !isArgumentListed(field.name, name))
        .map(({ name }) => `${field.name}(${name})`),
    ])
  })
  expect(missing).toEqual([])
})

it('the packaged documents use no deprecated member', () => {
  const folder = new URL('../../../packages/civigraph-client/operations/', import.meta.url)
  const documents = parse(
    readdirSync(folder)
      .map((name) => readFileSync(new URL(name, folder), 'utf8'))
      .join('\n'),
  )
  expect(validate(clientSchema, documents, [NoDeprecatedCustomRule]).map(({ message }) => message)).toEqual([])
})

import { readFileSync } from 'node:fs'
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql'
import { expect, it } from 'vitest'
import { clientSchema } from '../../support/clients/client-schema.ts'

const graph = buildSchema(readFileSync(new URL('../../../schema/supergraph.graphql', import.meta.url), 'utf8'), { assumeValidSDL: true })

it('has only nullable root fields, so that a refused field leaves the others', () => {
  const roots = [graph.getQueryType(), graph.getMutationType()].flatMap((root) => Object.values(root?.getFields() ?? {}))
  expect(roots.length).toBeGreaterThan(40)
  expect(roots.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)).toEqual([])
})

it('has a nodeId for every entity, and every entity is a Node', () => {
  const types = Object.values(graph.getTypeMap()).filter(isObjectType)
  const isEntity = ({ astNode }: GraphQLObjectType): boolean =>
    astNode?.directives?.some(
      ({ name, arguments: joinArguments }) => name.value === 'join__type' && joinArguments?.some(({ name: { value } }) => value === 'key'),
    ) ?? false
  const entities = types.filter(isEntity).map(({ name }) => name)
  expect(entities.length).toBeGreaterThan(6)
  expect(graph.getPossibleTypes(graph.getType('Node') as GraphQLInterfaceType).map(({ name }) => name)).toEqual(entities)
})

it('maps every scalar for code generators', () => {
  const mapped: object = JSON.parse(readFileSync(new URL('../../../packages/civigraph-client/scalars.json', import.meta.url), 'utf8'))
  const scalars = Object.values(graph.getTypeMap()).filter((type) => isScalarType(type) && !isSpecifiedScalarType(type))
  expect(
    scalars
      .map(({ name }) => name)
      .filter((name) => !/^(join|link)__/.test(name))
      .sort(),
  ).toEqual(Object.keys(mapped).sort())
})

const types = Object.values(clientSchema.getTypeMap()).filter((type) => !isIntrospectionType(type))
const members = types.flatMap((type) =>
  isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)
    ? Object.values(type.getFields()).map((field) => ({ type, field, place: `${type.name}.${field.name}` }))
    : [],
)
/** Fields whose values other systems or people define: no closed list contains them all. */
const openWords = [
  'AuditFilterInput.action',
  'AuditFilterInput.actions',
  'AuditRecord.action',
  'CallbackAttempt.reason',
  'CallbackFailure.code',
  'Citizen.code',
  'ContentMedia.type',
  'ContentMediaInput.type',
  'DeadLetter.reason',
  'Delegation.scope',
  'DelegationScenario.scope',
  'DelegationState.scope',
  'District.code',
  'EraseCitizenInput.code',
  'ExportCitizenInput.code',
  'ExpressionLanguage.code',
  // spelled as in `extensions.entries` of errors, which no enum can type
  'InputEntry.code',
  'ScenarioInput.scope',
  'SessionPayload.scope',
  // workers of another release may report other causes
  'VerificationFailure.code',
]

it('has enums for closed lists of values', () => {
  const worded = members.filter(({ field }) =>
    /^(action|code|kind|mode|reason|role|scope|state|status|type|permission)s?$/.test(field.name),
  )
  expect(worded.length).toBeGreaterThan(30)
  const strings = worded.filter(({ field }) => /^\W*String\W*$/.test(String(field.type)))
  expect(strings.map(({ place }) => place).sort()).toEqual(openWords)
})

const argumentsOf = (field: object): readonly GraphQLArgument[] => ('args' in field ? (field.args as readonly GraphQLArgument[]) : [])
const allArguments = members.flatMap(({ field, place }) =>
  argumentsOf(field).map((argument) => ({ argument, place: `${place}(${argument.name})` })),
)

it('describes every type, field and argument; an `input` is described by its type', () => {
  const undescribed = [
    ...types.filter(({ description }) => !description).map(({ name }) => name),
    ...members.filter(({ field }) => !field.description).map(({ place }) => place),
    ...allArguments.filter(({ argument }) => !argument.description && argument.name !== 'input').map(({ place }) => place),
  ]
  expect(undescribed).toEqual([])
})

it('names the replacement of each deprecated field and the day from which it may be removed', () => {
  const reasons = [
    ...members.map(({ field }) => field.deprecationReason),
    ...allArguments.map(({ argument }) => argument.deprecationReason),
    ...types.filter(isEnumType).flatMap((type) => type.getValues().map((value) => value.deprecationReason)),
  ]
  for (const reason of reasons)
    expect(reason ?? 'Use it. May be removed on or after 2027-06-01').toMatch(/^Use .+\. May be removed on or after \d{4}-\d{2}-\d{2}$/)
})

it('has mutations with one input and their own payload', () => {
  const mutations = Object.values(clientSchema.getMutationType()?.getFields() ?? {})
  expect(mutations.length).toBeGreaterThan(20)
  // a login and a refresh both return a session
  const shared = ['login', 'refreshSession']
  for (const { name, args, type } of mutations) {
    const typeName = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
    expect([name, args.map((each) => `${each.name}: ${each.type}`)]).toEqual([
      name,
      name === 'synchroniseTaxonomies' ? [] : [`input: ${typeName}Input!`],
    ])
    expect(String(type)).toBe(shared.includes(name) ? 'SessionPayload' : `${typeName}Payload`)
  }
})

it('pages every list with optional `first` and `after` arguments', () => {
  for (const { field, place } of members) {
    const [first, after] = ['first', 'after'].map((argumentName) => argumentsOf(field).find(({ name }) => name === argumentName))
    if (first === undefined) continue
    expect([place, String(first.type), typeof first.defaultValue, String(after?.type)]).toEqual([place, 'Int', 'number', 'String'])
  }
})

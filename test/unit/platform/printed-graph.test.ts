import { readFileSync } from 'node:fs'
import {
  buildSchema,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql'
import { expect, it } from 'vitest'

const graph = buildSchema(readFileSync(new URL('../../../schema/supergraph.graphql', import.meta.url), 'utf8'), { assumeValidSDL: true })

it('has no root field whose refusal would empty the rest of an answer', () => {
  const roots = [graph.getQueryType(), graph.getMutationType()].flatMap((root) => Object.values(root?.getFields() ?? {}))
  expect(roots.length).toBeGreaterThan(40)
  expect(roots.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)).toEqual([])
})

it('has a nodeId for every entity, and no entity beside those that are nodes', () => {
  const types = Object.values(graph.getTypeMap()).filter(isObjectType)
  const isEntity = ({ astNode }: GraphQLObjectType): boolean =>
    astNode?.directives?.some(
      ({ name, arguments: given }) => name.value === 'join__type' && given?.some(({ name: { value } }) => value === 'key'),
    ) ?? false
  const entities = types.filter(isEntity).map(({ name }) => name)
  expect(entities.length).toBeGreaterThan(6)
  expect(graph.getPossibleTypes(graph.getType('Node') as GraphQLInterfaceType).map(({ name }) => name)).toEqual(entities)
})

it('has no scalar that the map for code generators leaves out', () => {
  const mapped: object = JSON.parse(readFileSync(new URL('../../../packages/civigraph-client/scalars.json', import.meta.url), 'utf8'))
  const scalars = Object.values(graph.getTypeMap()).filter((type) => isScalarType(type) && !isSpecifiedScalarType(type))
  expect(
    scalars
      .map(({ name }) => name)
      .filter((name) => !/^(join|link)__/.test(name))
      .sort(),
  ).toEqual(Object.keys(mapped).sort())
})

import { readFileSync } from 'node:fs'
import { buildSchema, isNonNullType } from 'graphql'
import { expect, it } from 'vitest'

const graph = buildSchema(readFileSync(new URL('../../../schema/supergraph.graphql', import.meta.url), 'utf8'), { assumeValidSDL: true })

it('has no root field whose refusal would empty the rest of an answer', () => {
  const roots = [graph.getQueryType(), graph.getMutationType()].flatMap((root) => Object.values(root?.getFields() ?? {}))
  expect(roots.length).toBeGreaterThan(40)
  expect(roots.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)).toEqual([])
})

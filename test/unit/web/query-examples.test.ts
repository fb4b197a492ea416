import { globSync, readFileSync } from 'node:fs'
import { Supergraph } from '@apollo/federation-internals'
import { parse, validate } from 'graphql'
import { expect, it } from 'vitest'
import { z } from 'zod'

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const Examples = z.record(
  z.string(),
  z.strictObject({
    query: z.string(),
    variables: z.record(z.string(), z.unknown()).optional(),
  }),
)
const examples = Examples.parse(JSON.parse(read('web/query/examples/examples.json')))
const schema = Supergraph.build(read('schema/supergraph.graphql')).apiSchema().toGraphQLJSSchema()

it.each(Object.entries(examples))('the example of the query editor "%s" is valid in the supergraph', (_, { query }) => {
  expect(validate(schema, parse(query))).toEqual([])
})

const ofTour = globSync('web/landing/tour/operations/*.graphql', { cwd: new URL('../../..', import.meta.url).pathname })

it.each(ofTour)('the operation %s of the tour is valid in the supergraph', (file) => {
  expect(validate(schema, parse(read(file)))).toEqual([])
})

it('every component has an example', () => {
  const components = ['verification', 'exploration', 'classification', 'administration', 'content']
  expect(Object.keys(examples)).toEqual(expect.arrayContaining(components))
})

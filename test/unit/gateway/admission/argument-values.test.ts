import { type FieldNode, type OperationDefinitionNode, parse } from 'graphql'
import { expect, it } from 'vitest'
import { argumentReader } from '../../../../gateway/admission/argument-values.ts'

const definition = parse('query ($n: Int, $m: Int = 7) { a(first: $n, last: $m) }').definitions[0] as OperationDefinitionNode
const field = definition.selectionSet.selections[0] as FieldNode

it('reads the variables that an operation declares, once for all arguments, and never lists what a client sends', () => {
  let reads = 0
  const variables = new Proxy<Record<string, unknown>>(
    { n: 3, unused: 1 },
    {
      ownKeys: () => expect.fail('the variables were listed'),
      get: (target, name) => {
        reads += 1
        return target[String(name)]
      },
    },
  )
  const read = argumentReader(definition)
  for (let repeat = 0; repeat < 10; repeat += 1) expect([read(field, 'first', variables), read(field, 'last', variables)]).toEqual([3, 7])
  expect(reads).toBe(1)
})

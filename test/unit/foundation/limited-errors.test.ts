import { buildSchema, execute, parse } from 'graphql'
import { expect, it } from 'vitest'
import { limitErrors } from '../../../foundation/subgraph/limited-errors.ts'

const schema = buildSchema('type Query { houses: [House!]! } type House { sync: Int async: Int fine: Int }')
const house = schema.getType('House')
if (house === undefined || !('getFields' in house)) throw new Error('no type House')
let resolved = 0
const { sync, async, fine } = house.getFields()
for (const field of [sync, async, fine])
  Object.assign(field ?? {}, {
    resolve: () => {
      resolved += 1
      if (field === fine) return 1
      const error = new Error(`${field?.name} fails`)
      if (field === async) return Promise.reject(error)
      throw error
    },
  })
limitErrors(schema)

async function executed(fields: string, count: number) {
  resolved = 0
  const rootValue = { houses: Array.from({ length: count }, () => ({})) }
  const { data, errors = [] } = await execute({ schema, document: parse(`{ houses { ${fields} } }`), rootValue })
  return { data, errors: [...new Set(errors)] }
}

it.each(['sync', 'async'])('fields that fail share one error after a thousand: %s', async (field) => {
  const { data, errors } = await executed(field, 5000)
  expect(errors).toHaveLength(1001)
  expect(errors.at(-1)?.extensions).toEqual({ code: 'LIMIT_EXCEEDED' })
  expect(errors[0]).toMatchObject({ message: `${field} fails`, path: ['houses', 0, field] })
  expect(data?.houses).toHaveLength(5000)
})

it('fields are not resolved after a thousand failures', async () => {
  await executed('sync fine', 5000)
  expect(resolved).toBeLessThan(2100)
})

it('each execution counts its own errors, and one with fewer reports all', async () => {
  for (let time = 0; time < 3; time++) expect((await executed('async', 900)).errors).toHaveLength(900)
  expect((await executed('fine', 5000)).errors).toEqual([])
})

import { buildSchema } from 'graphql'
import { expect, it } from 'vitest'
import { Overloaded } from '../../../../foundation/fault.ts'
import { defaultLimits } from '../../../../gateway/admission/operation-limits.ts'
import { operationsOf } from '../../../../gateway/operation/prepared-operation.ts'
import { clientOperations } from '../../../../gateway/pipeline/client-operations.ts'

const schema = buildSchema('type Query { house: Int }')
const operations = () => clientOperations({ schema, prepare: operationsOf(schema, 10) }, defaultLimits, true)

it('parses new documents of one owner in turn with those of others, one in each turn of the event loop', async () => {
  const { turn } = operations()
  const order: string[] = []
  const read = (owner: string, index: number): Promise<void> => turn(`{ ${owner}${index} }`, owner).then(() => void order.push(owner))
  await Promise.all([...Array.from({ length: 40 }, (_, index) => read('flood', index)), read('other', 0)])
  expect(order.indexOf('other')).toBeLessThan(4)
})

it('refuses a document while a hundred documents of its owner wait, and admits those of others', async () => {
  const { turn } = operations()
  const waiting = Array.from({ length: 101 }, (_, index) => turn(`{ a${index} }`, 'flood'))
  await expect(turn('{ last }', 'flood')).rejects.toThrow(Overloaded)
  await expect(turn('{ first }', 'other')).resolves.toBeUndefined()
  await Promise.all(waiting)
})

it('counts the addresses of an IPv6 /64 as one: a client cannot fill the queue of all', async () => {
  const { turn } = operations()
  const waiting = Array.from({ length: 101 }, (_, index) => turn(`{ a${index} }`, `2001:db8:0:1::${index.toString(16)}`))
  await expect(turn('{ last }', '2001:db8:0:1:ffff::1')).rejects.toThrow(Overloaded)
  await expect(turn('{ first }', '2001:db8:0:2::1')).resolves.toBeUndefined()
  await Promise.all(waiting)
})

it('admits a cached document without waiting', async () => {
  const { turn, admit } = operations()
  admit('{ house }', undefined)
  const waiting = turn('{ a }', 'flood')
  const first = await Promise.race([turn('{ house }', 'flood').then(() => 'cached'), waiting.then(() => 'new')])
  expect(first).toBe('cached')
  await waiting
})

it('admits any number of equal documents that arrive at the same time', async () => {
  const { turn, admit } = operations()
  const read = async (): Promise<string> => {
    await turn('{ house }', 'one address')
    return admit('{ house }', undefined).kind
  }
  const kinds = await Promise.all(Array.from({ length: 500 }, read))
  expect(new Set(kinds)).toEqual(new Set(['query']))
})

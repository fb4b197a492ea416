import { buildSchema } from 'graphql'
import { expect, it } from 'vitest'
import type { DeferredParts } from '../../../../gateway/execution/incremental/answer.ts'
import type { Executor } from '../../../../gateway/executor/executor.ts'
import { operationsOf } from '../../../../gateway/operation/prepared-operation.ts'
import { eventWithinSize, isLonger, withinSize } from '../../../../gateway/pipeline/response-size.ts'
import { contextFor, recordedLog } from '../../../support/gateway/town.ts'

const { log } = recordedLog()
const prepare = operationsOf(buildSchema('type Query { text: String } type Mutation { say: String }'), 10)
const max = 5000
const tooLarge = [
  {
    message: 'The response has more than 5000 characters; request shorter lists or fewer fields',
    extensions: { code: 'LIMIT_EXCEEDED' },
  },
]
/** A text under as many aliases. */
const aliased = (aliases: number) => Object.fromEntries(Array.from({ length: aliases }, (_, index) => [`a${index}`, 'x'.repeat(1000)]))

async function answerWith(data: Record<string, unknown>, query = '{ text }', parts?: readonly Record<string, unknown>[]) {
  using context = contextFor(log)
  const later = async function* (): AsyncGenerator<DeferredParts, void> {
    for (const part of parts ?? [])
      yield { parts: [{ id: '0', path: [], label: undefined, data: part }], pending: [], hasNext: part !== parts?.at(-1) }
  }
  const executor: Pick<Executor, 'execute'> = {
    execute: async () => ({ data, ...(parts && { later: { pending: [], parts: later() } }) }),
  }
  return withinSize(executor, max).execute(prepare(query), {}, context)
}

it('refuses a query that requests a long text under many aliases', async () => {
  expect(await answerWith(aliased(4))).toEqual({ data: aliased(4) })
  const { data, errors } = await answerWith(aliased(5))
  expect(data).toBeUndefined()
  expect(errors).toMatchObject(tooLarge)
})

it('refuses a deferred result alone', async () => {
  const { later } = await answerWith({}, '{ text }', [aliased(1), aliased(5)])
  const batches = []
  for await (const { parts } of later?.parts ?? []) batches.push(...parts)
  expect(batches).toMatchObject([{ data: aliased(1) }, { data: null, errors: tooLarge }])
})

it('returns the data of a mutation, which has had its effect', async () => {
  expect(await answerWith(aliased(9), 'mutation { say }')).toEqual({ data: aliased(9) })
})

it('replaces an event that is too large, and keeps its cursor', () => {
  using context = contextFor(log)
  const extensions = { cursor: '7' }
  const small = { data: aliased(4), extensions }
  expect(eventWithinSize(small, context, max)).toBe(small)
  expect(eventWithinSize({ data: aliased(5), extensions }, context, max)).toMatchObject({
    data: null,
    errors: [
      { message: 'The event has more than 5000 characters; request shorter lists or fewer fields', extensions: { code: 'LIMIT_EXCEEDED' } },
    ],
    extensions,
  })
})

it.each([
  ['names', { ['n'.repeat(60)]: 1 }],
  ['values in lists', Array.from({ length: 20 }, () => 1)],
  ['objects in objects', { a: { b: { c: 'x'.repeat(45) } } }],
])('counts %s', (_, value) => {
  expect([isLonger(value, 1000), isLonger(value, 50)]).toEqual([false, true])
})

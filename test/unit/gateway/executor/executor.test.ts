import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { InvalidOperation } from '../../../../gateway/errors/masked-result.ts'
import { ask, contextFor, layouts, type RunningTown, startTown } from '../../../support/gateway/town.ts'

describe.each(layouts)('the executor, subgraphs %s', (layout) => {
  let running: RunningTown
  beforeAll(async () => {
    running = await startTown(layout)
  })
  afterAll(() => running[Symbol.asyncDispose]())

  it('joins entities of three subgraphs, with aliases, fragments, unions and @include', async () => {
    const { data, errors } = await ask(
      running,
      `query ($with: Boolean!) {
        home: house(id: "2") { ...Where owner { who: name letters(first: 1) { text } greeting } place { __typename ... on Town { name mayor { name @include(if: $with) code } } } }
      }
      fragment Where on House { street number }`,
      { with: true },
    )
    expect(errors).toBeUndefined()
    expect(data).toEqual({
      home: {
        street: 'Rue Haute',
        number: 2,
        owner: { who: 'Name of p2', letters: [{ text: 'Letter 0' }], greeting: 'Dear Name of p2' },
        place: { __typename: 'Town', name: 'Ville', mayor: { name: 'Name of p1', code: 'p1' } },
      },
    })
  })

  it('answers the same prepared operation with other variables', async () => {
    const operation = running.executor.prepare('query ($id: ID!) { house(id: $id) { number } }')
    expect(running.executor.prepare('query ($id: ID!) { house(id: $id) { number } }')).toBe(operation)
    for (const id of ['3', '4', 'unknown']) {
      const { data } = await running.executor.execute(operation, { id }, contextFor(running.log))
      expect(data?.house ?? null).toEqual(id === 'unknown' ? null : { number: Number(id) })
    }
  })

  it('plans new operations of one address in turn with those of others', async () => {
    const order: string[] = []
    const send = async (address: string, index: number): Promise<void> => {
      using context = contextFor(running.log)
      await ask(
        running,
        `{ ${address}${index}: house(id: "2") { owner { name letters(first: 1) { text } } } }`,
        {},
        { ...context, address },
      )
      order.push(address)
    }
    const flood = Array.from({ length: 40 }, (_, index) => send('flood', index))
    await Promise.all([...flood, send('other', 0)])
    expect(order.indexOf('other')).toBeLessThan(20)
  })

  it('plans variants of one operation by its `@defer` conditions in turn with other operations', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const operation = running.executor.prepare(
      `query (${names.map((name) => `$${name}: Boolean!`).join(' ')}) {
        ${names.map((name) => `... @defer(if: $${name}, label: "${name}") { ${name}: house(id: "2") { owner { name letters(first: 1) { text } } } }`).join(' ')}
      }`,
    )
    const order: string[] = []
    const send = async (index: number): Promise<void> => {
      using context = contextFor(running.log)
      const variables = Object.fromEntries(names.map((name, bit) => [name, (index & (1 << bit)) > 0]))
      const { later } = await running.executor.execute(operation, variables, { ...context, address: 'flood' }, 'in parts')
      order.push('flood')
      await later?.parts.return()
    }
    await send(0)
    order.length = 0
    const flood = Array.from({ length: 40 }, (_, index) => send(index + 1))
    // waiting for its turn, another client comes after one or two variants
    using context = contextFor(running.log)
    const other = ask(running, '{ lastToCome: house(id: "2") { number } }', {}, { ...context, address: 'other' })
    await Promise.all([...flood, other.then(() => order.push('other'))])
    expect(order.indexOf('other')).toBeLessThan(20)
  })

  it('answers any number of equal new operations that arrive at the same time', async () => {
    const answers = Array.from({ length: 300 }, () => ask(running, '{ atOnce: __typename }'))
    for (const answer of await Promise.all(answers)) expect(answer).toEqual({ data: { atOnce: 'Query' } })
  })

  it('refuses a null where only the default of the position makes a variable optional', async () => {
    const letters = `query ($first: Int) { house(id: "2") { ...Owner } }
      fragment Owner on House { owner { letters(first: $first) { text } } }`
    const sold = running.executor.prepare('subscription ($times: Int) { houseSold(times: $times) { street } }')
    const refused = { message: expect.stringMatching(/^Variable "\$\w+" must not be null/), extensions: { code: 'BAD_USER_INPUT' } }
    expect((await ask(running, letters, { first: null })).errors).toMatchObject([refused])
    expect((await running.executor.subscribe(sold, { times: null }, contextFor(running.log))) as object).toMatchObject({
      errors: [refused],
    })
    const { data } = await ask(running, letters, {})
    expect(data?.house).toEqual({ owner: { letters: [{ text: 'Letter 0' }, { text: 'Letter 1' }] } })
  })

  it('keeps the code, the message and the details of a fault, and adds the request id and the path', async () => {
    const context = contextFor(running.log)
    const { data, errors } = await ask(running, '{ away forbidden house(id: 1) { number } }', {}, context)
    expect(data).toEqual({ away: null, forbidden: null, house: { number: 1 } })
    expect(errors).toHaveLength(2)
    expect(errors?.find((error) => error.path?.[0] === 'away')).toMatchObject({
      message: 'The search index is not available; try again',
      extensions: { code: 'ENGINE_UNAVAILABLE', retryAfterMs: 1000, requestId: context.requestId },
    })
    expect(errors?.find((error) => error.path?.[0] === 'forbidden')).toMatchObject({
      message: 'Only the mayor may read this',
      extensions: { code: 'FORBIDDEN', requestId: context.requestId },
    })
    expect(JSON.stringify(errors)).not.toContain('10.9.8.7')
    expect(running.lines.some((line) => line.includes('10.9.8.7') && line.includes(context.requestId))).toBe(true)
  })

  it('answers any other error as INTERNAL and logs it in full under the request id', async () => {
    const context = contextFor(running.log)
    const { errors } = await ask(running, '{ crash house(id: 1) { owner { fails } } }', {}, context)
    expect(errors).toHaveLength(2)
    for (const error of errors ?? []) {
      expect(error.message).toBe('Internal server error')
      expect(error.extensions).toMatchObject({ code: 'INTERNAL', requestId: context.requestId })
    }
    expect(errors?.map((error) => error.path)).toEqual(expect.arrayContaining([['crash'], ['house', 'owner', 'fails']]))
    expect(JSON.stringify(errors)).not.toMatch(/hunter2|corrupt/)
    const line = running.lines.find((each) => each.includes('hunter2'))
    expect(line).toMatch(/town\.ts/)
    expect(line?.match(/"requestId":"[^"]*"/g)).toEqual([`"requestId":"${context.requestId}"`])
  })

  it('repeats no value of a variable in the response or the log', async () => {
    const selfie = 'c2VsZmllLW9mLWEtcGVyc29u'.repeat(20)
    const operation = 'mutation ($input: SealedInput!) { sealed(input: $input) }'
    for (const input of [
      { selfie },
      { selfie, back: [selfie] },
      { selfie, back: 'x', [selfie]: 1 },
      selfie,
      [selfie],
      { selfie, back: 'x', people: [{ street: selfie, number: selfie, kind: selfie }] },
    ]) {
      const { data, errors } = await ask(running, operation, { input })
      expect(data).toBeUndefined()
      expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT')
      expect(JSON.stringify(errors)).not.toContain(selfie.slice(0, 24))
    }
    expect((await ask(running, operation, { input: { selfie } })).errors?.[0]?.message).toBe(
      'Variable "$input" got an invalid value at "input.back"; Field required',
    )
    expect(
      (await ask(running, operation, { input: { selfie, back: 'x', people: [{ street: 's', number: 'x' }] } })).errors?.[0]?.message,
    ).toBe('Variable "$input" got an invalid value at "input.people[0].number"; Input should be of type "Int"')
    expect((await ask(running, operation, {})).errors?.[0]?.message).toBe(
      'Variable "$input" of required type "SealedInput!" was not provided.',
    )
    expect(running.lines.join('')).not.toContain(selfie.slice(0, 24))
  })

  it('repeats no literal of a document', () => {
    const selfie = 'c2VsZmllLW9mLWEtcGVyc29u'.repeat(20)
    for (const text of [
      `mutation { sealed(input: {selfie: "${selfie}"}) }`,
      `mutation { sealed(input: ["${selfie}"]) }`,
      `mutation { sealed(input: {selfie: "x", back: ${selfie}}) }`,
      `mutation { sealed(input: {selfie: "x" "${selfie}"}) }`,
      `mutation { sealed(input: {selfie: ${selfie} }}) }`,
      `mutation { register(input: {street: "x", number: "${selfie}", kind: ${selfie}}) { id } }`,
      `mutation { sealed(input: "${selfie}`,
    ]) {
      let refusal: unknown
      try {
        running.executor.prepare(text)
      } catch (error) {
        refusal = error
      }
      expect(refusal, text.slice(0, 60)).toBeInstanceOf(InvalidOperation)
      expect(String(refusal)).not.toContain(selfie.slice(0, 24))
      expect(JSON.stringify(refusal instanceof InvalidOperation ? refusal.errors : '')).not.toContain(selfie.slice(0, 24))
    }
  })

  it('reports missing required data of a subgraph as an error', async () => {
    const { data, errors, extensions } = await ask(running, '{ house(id: 1) { number lost { name } } }')
    expect(data).toEqual({ house: { number: 1, lost: null } })
    expect(extensions).toBeUndefined()
    expect(errors).toMatchObject([
      {
        message: 'Cannot return null for non-nullable field Person.name.',
        path: ['house', 'lost', 'name'],
        extensions: { code: 'INTERNAL' },
      },
    ])
    expect(running.lines.join('')).toContain('Cannot return null for non-nullable field Person.name.')
  })

  it('ends at the deadline and aborts the waiting resolver', async () => {
    using context = contextFor(running.log, { timeoutMs: 2000 })
    const { data, errors } = await ask(running, '{ slow house(id: 1) { owner { name } } }', {}, context)
    expect(data?.slow ?? null).toBeNull()
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'DEADLINE_EXCEEDED', retryAfterMs: 1000 })
    await expect.poll(() => running.seen.aborted.length).toBe(1)
  })

  it('aborts the resolver when the client disconnects', async () => {
    const connection = new AbortController()
    const before = running.seen.aborted.length
    const answer = ask(running, '{ slow }', {}, contextFor(running.log, { disconnected: connection.signal }))
    setTimeout(() => connection.abort(), 50)
    await answer
    await expect.poll(() => running.seen.aborted.length).toBe(before + 1)
  })

  it('passes the principal and the request id to the subgraph', async () => {
    const context = contextFor(running.log, { principal: { service: { name: 'importer', scopes: ['submit'] } } })
    expect((await ask(running, '{ who }', {}, context)).data).toEqual({ who: `importer ${context.requestId}` })
  })

  it('refuses a subscription where a single result is expected', async () => {
    expect((await ask(running, 'subscription { quiet { id } }')).errors?.[0]?.extensions.code).toBe('BAD_REQUEST')
  })
})

describe('prepare', () => {
  it('lists every problem of a document, and names the missing operation', async () => {
    await using running = await startTown('in process')
    const { executor } = running
    expect(() => executor.prepare('{ house(id: 1) { colour } crash { x } }')).toThrow(/colour[\s\S]*crash/)
    expect(() => executor.prepare('query A { crash } query B { crash }')).toThrow(/Must provide operation name/)
    expect(() => executor.prepare('query A { crash }', 'B')).toThrow(/Unknown operation/)
    expect(() => executor.prepare('{ person(code: "1") { secret } }')).toThrow(/secret/)
    expect(() => executor.prepare('subscription ($x: Boolean!) { quiet @include(if: $x) { id } }')).toThrow(
      /must not have @skip or @include/,
    )
  })
})

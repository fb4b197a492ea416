import { setTimeout as sleep } from 'node:timers/promises'
import { type ExecutionResult, graphql, printSchema } from 'graphql'
import { expect, it } from 'vitest'
import type { EventFeed, FeedEvent } from '../../../engines/event-feed/event-feed.ts'
import { requestContext } from '../../../foundation/http/request-context.ts'
import { anonymous } from '../../../foundation/principal.ts'
import { createExecutor } from '../../../gateway/executor/executor.ts'
import type { SubscriptionContext } from '../../../gateway/operation/cursor.ts'
import { inProcessSource } from '../../../gateway/sources/in-process-source.ts'
import { composeSupergraph } from '../../../gateway/supergraph/supergraph.ts'
import { createExploration, type ExplorationEngines } from '../../../subgraphs/exploration/index.ts'
import { recordedLog } from '../../support/gateway/town.ts'

const maxInt = 2 ** 31 - 1
const expression = '01a1fccb-6590-71e3-b283-3202c7bea47f'
const events = [maxInt, maxInt + 1, 2 ** 53 - 1].map(
  (position): FeedEvent => ({
    ...{ type: 'event', topic: 'votes', position, kind: 'expression_voted', id: expression },
    ...{ at: new Date(0), format: 1 },
  }),
)
const feed: Pick<EventFeed, 'follow'> = {
  async *follow(_, after) {
    for (const event of events.filter(({ position }) => position > after)) {
      yield event
      // the subscriber takes each event before the next one comes
      await sleep(5)
    }
  },
}
const { subgraph } = await createExploration({ feed, database: {} } as unknown as ExplorationEngines, {
  version: '0',
  probes: [],
  timezone: 'UTC',
  pseudonymKey: new Uint8Array(32),
  districtsFile: undefined,
  publicVoting: { isOn: false, perMinute: 1, votersPerExpression: 1, votersPerDay: 1, loopbackUnlimited: true },
})
const supergraph = composeSupergraph([{ name: 'exploration', sdl: subgraph.sdl, url: 'http://exploration' }])
const sources = { exploration: inProcessSource({ schema: subgraph.schema }) }
const executor = createExecutor({ supergraph, sources, eventTimeoutMs: 2000 })

/** Returns the first event of a subscription, or its refusal. */
async function first(query: string, variables: Record<string, unknown> = {}, cursor?: string): Promise<ExecutionResult> {
  const stop = new AbortController()
  const limits = { timeoutMs: Number.POSITIVE_INFINITY, disconnected: stop.signal }
  using context = requestContext({ principal: anonymous, requestId: 'r', log: recordedLog().log, ...limits })
  const subscriber: SubscriptionContext = cursor === undefined ? context : { ...context, cursor }
  const stream = await executor.subscribe(executor.prepare(query), variables, subscriber)
  if (!(Symbol.asyncIterator in stream)) return stream
  for await (const event of stream) {
    stop.abort()
    return event
  }
  return {}
}

it('numbers events beyond 2^31 - 1 by position, and starts after one', async () => {
  const query = 'subscription ($start: SafeInt) { votesChanged(afterPosition: $start) { position kind } }'
  expect(await first(query, { start: maxInt })).toMatchObject({ data: { votesChanged: { position: maxInt + 1, kind: 'CHANGED' } } })
  expect(await first(query, { start: maxInt + 1 })).toMatchObject({ data: { votesChanged: { position: 2 ** 53 - 1 } } })
})

it('keeps the cursor of a client beyond 2^31 - 1, whatever the client selects', async () => {
  const { data, extensions } = await first('subscription { votesChanged(afterPosition: 2147483647) { kind } }')
  expect(data).toEqual({ votesChanged: { kind: 'CHANGED' } })
  const resumed = 'subscription { votesChanged { position } }'
  expect(await first(resumed, {}, String(extensions?.cursor))).toMatchObject({ data: { votesChanged: { position: 2 ** 53 - 1 } } })
  const forged = Buffer.from('["votesChanged","one"]').toString('base64url')
  expect(await first(resumed, {}, forged)).toMatchObject({ errors: [{ extensions: { code: 'MALFORMED' } }] })
})

it('keeps the former names up to 2^31 - 1', async () => {
  const query = 'subscription ($after: Int) { votesChanged(after: $after) { seq position } }'
  const started = await first('subscription { votesChanged(after: 1) { kind } }')
  expect(started).toEqual({ data: { votesChanged: { kind: 'CHANGED' } }, extensions: { cursor: expect.any(String) } })
  expect(await first(query, { after: maxInt - 1 })).toMatchObject({ data: { votesChanged: { seq: maxInt, position: maxInt } } })
  expect((await first(query, { after: maxInt })).errors?.[0]?.path).toEqual(['votesChanged', 'seq'])
})

it('refuses a start under both names, and one that is no whole number', async () => {
  expect(await first('subscription { votesChanged(after: 1, afterPosition: 1) { position } }')).toMatchObject({
    errors: [{ extensions: { code: 'BAD_USER_INPUT' } }],
  })
  const query = 'subscription ($start: SafeInt) { votesChanged(afterPosition: $start) { position } }'
  for (const start of [1.5, 2 ** 53, 'x']) expect((await first(query, { start })).errors, String(start)).toHaveLength(1)
})

it('declares every position of an event beside its former name', async () => {
  const types = printSchema(subgraph.schema).split(/\n(?=type )/)
  const numbered = types.filter((type) => /^ {2}seq:/m.test(type))
  expect(numbered.map((type) => /^type (\w+)/.exec(type)?.[1])).toEqual(
    ['DomainsChanged', 'MapInvalidated', 'StatisticsChanged', 'VotesChanged'].sort(),
  )
  for (const type of numbered) expect(type).toMatch(/^ {2}position: SafeInt!/m)
  expect(await graphql({ schema: subgraph.schema, source: '{ __type(name: "SafeInt") { specifiedByURL } }' })).toMatchObject({
    data: { __type: { specifiedByURL: expect.stringContaining('ecma-international') } },
  })
})

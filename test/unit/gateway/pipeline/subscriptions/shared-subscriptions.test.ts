import { type Client, createClient } from 'graphql-ws'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type HarbourLog, harbour, harbourSdl } from '../../../../support/gateway/harbour.ts'
import {
  apiKey,
  contextFor,
  type Layout,
  layouts,
  type RunningExecutor,
  restarted,
  type Served,
  startServed,
} from '../../../../support/gateway/town.ts'

const open: Client[] = []
afterEach(async () => {
  for (const client of open.splice(0)) await client.dispose()
})

interface Harbour extends Served, RunningExecutor {
  readonly log2: HarbourLog
  /** stops the fleet subgraph while `meanwhile` runs */
  withoutFleet(meanwhile: () => Promise<void>): Promise<AsyncDisposable>
}
async function startHarbour(layout: Layout): Promise<Harbour> {
  const { schemas, log } = harbour()
  const served = await startServed(layout, harbourSdl, schemas)
  return {
    ...served,
    log2: log,
    async withoutFleet(meanwhile) {
      const [fleet] = served.servers
      if (fleet === undefined) throw new Error('no server')
      const port = Number(new URL(fleet.url).port)
      await fleet.stop()
      await meanwhile()
      return await restarted(served, 'fleet', schemas.fleet, port)
    },
  }
}

type Event = { data?: Record<string, unknown> | null; errors?: { message: string; path?: unknown; extensions: Record<string, unknown> }[] }
interface Listening {
  readonly events: Event[]
  readonly over: Promise<void>
  stop(): Promise<void>
}
function listen(
  running: Served,
  query: string,
  options: { variables?: Record<string, unknown>; params?: Record<string, unknown> } = {},
): Listening {
  const client = createClient({ url: running.socket, webSocketImpl: WebSocket, connectionParams: options.params ?? {}, retryAttempts: 0 })
  open.push(client)
  const events: Event[] = []
  const iterator = client.iterate({ query, variables: options.variables ?? {} })
  const over = (async () => {
    // events are results of this project's gateway
    for await (const event of iterator) events.push(event as Event)
  })().catch((error: unknown) => void events.push({ errors: [error as never] }))
  return { events, over, stop: async () => void (await iterator.return?.()) }
}
const count = (list: readonly unknown[], value: unknown): number => list.filter((each) => each === value).length

const moved = 'subscription { vesselMoved { seq vessel { name homePort { name busy } } } }'
const busyFerry = (seq: number, id: number) => ({
  data: { vesselMoved: { seq, vessel: { name: `Ferry ${id}`, homePort: { name: 'Port LU1', busy: false } } } },
})

describe.each(layouts)('subscriptions over a supergraph with every federation feature, subgraphs %s', (layout) => {
  it('shares one stream and one execution among equal subscribers, and ends it when the last one leaves', async () => {
    await using running = await startHarbour(layout)
    const { streams, ended, entityFetches } = running.log2
    // variables that the operation does not declare make no difference
    const listening = Array.from({ length: 20 }, (_, index) => listen(running, moved, { variables: { index } }))
    await expect.poll(() => streams.length).toBe(1)
    await ready(running, listening)
    entityFetches.length = 0
    running.log2.move('f1')
    await expect.poll(() => listening.map(({ events }) => events.at(-1))).toMatchObject(listening.map(() => busyFerry(2, 1)))
    expect(streams).toHaveLength(1)
    expect(count(entityFetches, 'Vessel in ports')).toBe(1)
    for (const { stop } of listening.slice(1)) await stop()
    running.log2.move('f2')
    await expect.poll(() => listening[0]?.events.at(-1)).toMatchObject(busyFerry(3, 2))
    expect(ended).toEqual([])
    await listening[0]?.stop()
    await expect.poll(() => ended).toEqual(['vesselMoved'])
    const late = listen(running, moved)
    await expect.poll(() => streams.length).toBe(2)
    await late.stop()
  })

  it('never shares across callers, operations or variables', async () => {
    await using running = await startHarbour(layout)
    const { streams } = running.log2
    const all = [
      listen(running, moved),
      listen(running, moved, { params: { 'X-Service-API-Key': apiKey } }),
      listen(running, moved, { params: { authorization: 'Bearer good-a' } }),
      listen(running, moved, { params: { authorization: 'Bearer good-b' } }),
      listen(running, moved, { params: { authorization: 'Bearer good-b', 'X-Service-API-Key': apiKey } }),
      listen(running, moved.replace('seq', 'number: seq')),
      listen(running, 'subscription ($lose: Boolean) { vesselMoved(lose: $lose) { seq } }', { variables: { lose: false } }),
      listen(running, 'subscription ($lose: Boolean) { vesselMoved(lose: $lose) { seq } }', { variables: { lose: true } }),
    ]
    await expect.poll(() => streams.length).toBe(all.length)
    const again = listen(running, moved, { params: { authorization: 'Bearer good-b' } })
    running.log2.move('f1')
    await expect
      .poll(
        () =>
          again.events.length +
          count(
            all.map(({ events }) => events.length > 0),
            true,
          ),
      )
      .toBeGreaterThanOrEqual(all.length)
    expect(streams).toHaveLength(all.length)
  })

  it.each([
    ['subscription ($after: Int) { vesselMoved(after: $after) { seq } }', { after: 1 }],
    ['subscription ($after: Int) { ...F } fragment F on Subscription { ... { vesselMoved(after: $after) { seq } } }', { after: 1 }],
    ['subscription ($after: Int = 1) { vesselMoved(after: $after) { seq } }', {}],
    ['subscription ($after: Int! = 2) { vesselMoved(after: $after) { seq } }', { after: 1 }],
  ])('delivers past events from the requested position to each subscriber: %s', async (query, variables) => {
    await using running = await startHarbour(layout)
    for (const vessel of ['f1', 'b2', 'f3']) running.log2.move(vessel)
    const numbers = ({ events }: Listening) => events.map(({ data }) => (data?.vesselMoved as { seq: number } | undefined)?.seq)
    const early = listen(running, query, { variables })
    await expect.poll(() => numbers(early)).toEqual([2, 3])
    const late = listen(running, query, { variables })
    await expect.poll(() => numbers(late)).toEqual([2, 3])
    running.log2.move('f4')
    await expect
      .poll(() => [numbers(early), numbers(late)])
      .toEqual([
        [2, 3, 4],
        [2, 3, 4],
      ])
  })

  it('completes lists, unions, fragments and aliases, with @include and @skip', async () => {
    await using running = await startHarbour(layout)
    const { events, over } = listen(
      running,
      `subscription ($with: Boolean!) { news: fleetNews(times: 2) { kind: __typename ...V ... on Crane @include(if: $with) { reach operator { name } } } }
       fragment V on Vessel { id homePort { code sign(loud: true) @skip(if: $with) } }`,
      { variables: { with: true } },
    )
    await over
    expect(events).toEqual(
      [1, 2].map((time) => ({
        data: {
          news: [
            { kind: 'Ferry', id: `f${time}`, homePort: { code: 'LU1' } },
            null,
            { kind: 'Barge', id: `b${time}`, homePort: { code: 'BE22' } },
            { kind: 'Crane', reach: time + 0.5, operator: time === 1 ? { name: 'Provided p1' } : null },
          ],
        },
      })),
    )
  })

  it('reports the errors of an event in that event, propagates nulls, and continues', async () => {
    await using running = await startHarbour(layout)
    const faulty = listen(running, 'subscription { faulty { name mustHave(fail: true) } }')
    await faulty.over
    expect(faulty.events).toMatchObject([
      { data: { faulty: { name: 'Ferry 1', mustHave: 'of f1' } } },
      { data: null, errors: [{ path: ['faulty'], extensions: { code: 'INTERNAL' } }] },
      { data: null, errors: [{ path: ['faulty', 'mustHave'], extensions: { code: 'INTERNAL' } }] },
    ])
    expect(JSON.stringify(faulty.events)).not.toMatch(/sensor|barge"/)
    const tides = listen(running, 'subscription { tides { latitude longitude } }')
    await tides.over
    expect(tides.events).toMatchObject([
      { data: { tides: { latitude: 1, longitude: 1 } } },
      { data: null, errors: [{ path: ['tides'] }] },
      { data: null, errors: [{ path: ['tides', 'longitude'] }] },
    ])
    const lost = listen(running, 'subscription { vesselMoved(lose: true) { seq vessel { name homePort { name } } to { name } } }')
    await expect.poll(() => running.log2.streams.length).toBeGreaterThan(0)
    running.log2.port = 'LOST'
    running.log2.move('f1')
    await expect
      .poll(() => lost.events)
      .toMatchObject([
        { data: null, errors: [{ message: 'Cannot return null for non-nullable field Port.name.', path: ['vesselMoved', 'to', 'name'] }] },
      ])
    running.log2.port = 'LU1'
    running.log2.move('f1')
    await expect.poll(() => lost.events[1]).toMatchObject({ data: { vesselMoved: { seq: 2, vessel: null, to: { name: 'Port LU1' } } } })
  })

  /** Waits until each subscriber has an event: then all take part. */
  async function ready(running: Harbour, listening: readonly Listening[]): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 1000))
    running.log2.move('b9')
    await expect.poll(() => listening.every(({ events }) => events.length === 1)).toBe(true)
  }
})

it('replaces an event that is too large with an error; later events and other subscriptions continue', async () => {
  await using running = await startHarbour('in process')
  const large = listen(running, 'subscription { vesselMoved { seq to { name } } }')
  const small = listen(running, 'subscription { vesselMoved { seq } }')
  await expect.poll(() => running.log2.streams.length).toBe(2)
  running.log2.port = 'x'.repeat(17 * 1024 * 1024)
  running.log2.move('f1')
  await expect.poll(() => large.events).toMatchObject([{ data: null, errors: [{ extensions: { code: 'LIMIT_EXCEEDED' } }] }])
  running.log2.port = 'LU1'
  running.log2.move('f2')
  await expect.poll(() => large.events[1]).toMatchObject({ data: { vesselMoved: { seq: 2, to: { name: 'Port LU1' } } } })
  await expect.poll(() => small.events).toMatchObject([1, 2].map((seq) => ({ data: { vesselMoved: { seq } } })))
})

it('completes an event of many different subscriptions one in each turn of the event loop', async () => {
  await using running = await startHarbour('in process')
  const { executor, log, log2 } = running
  using context = contextFor(log)
  const streams = await Promise.all(
    Array.from({ length: 30 }, async (_, index) => {
      const operation = executor.prepare(`subscription { vesselMoved { n${index}: seq } }`)
      const stream = await executor.subscribe(operation, {}, context)
      if (!('moveTo' in stream)) throw new Error('it was refused')
      return stream
    }),
  )
  let turn = 0
  let isOver = false
  const count = (): void => {
    turn += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const arrivals = streams.map(async (stream) => {
    await stream.next()
    return turn
  })
  await expect.poll(() => log2.streams.length).toBe(30)
  log2.move('f1')
  const turns = await Promise.all(arrivals)
  isOver = true
  expect(new Set(turns).size).toBe(30)
  for (const stream of streams) await stream.return?.()
})

describe('a subgraph that restarts during a stream', () => {
  it('continues without a gap if events are numbered, although the query does not select the number', async () => {
    await using running = await startHarbour('remote')
    running.log2.move('f9')
    const both = [
      listen(running, 'subscription { ...F } fragment F on Subscription { m: vesselMoved { vessel { name homePort { busy } } } }'),
      listen(running, 'subscription ($after: Int) { vesselMoved(after: $after) { vessel { name } } }', { variables: { after: 0 } }),
    ]
    const names = ({ events }: Listening = { events: [], over: Promise.resolve(), stop: async () => undefined }) =>
      events.map(({ data }) => ((data?.m ?? data?.vesselMoved) as { vessel: { name: string } } | undefined)?.vessel.name)
    await expect.poll(() => running.log2.streams.length).toBe(2)
    running.log2.move('f1')
    await expect.poll(() => [names(both[0]), names(both[1])]).toEqual([['Ferry 1'], ['Ferry 9', 'Ferry 1']])
    await using _fleet = await running.withoutFleet(async () => {
      running.log2.move('f2')
      await new Promise((resolve) => setTimeout(resolve, 500))
      running.log2.move('b3')
    })
    await expect
      .poll(() => [names(both[0]), names(both[1])])
      .toEqual([
        ['Ferry 1', 'Ferry 2', 'Barge 3'],
        ['Ferry 9', 'Ferry 1', 'Ferry 2', 'Barge 3'],
      ])
    running.log2.move('f4')
    await expect.poll(() => names(both[0])?.at(-1)).toBe('Ferry 4')
    expect(running.log2.streams.map(({ after }) => after ?? null)).toEqual(expect.arrayContaining([null, 0, 2, 2]))
  })

  it('completes events again when the joining subgraph is back', async () => {
    await using running = await startHarbour('remote')
    const [, ports] = running.servers
    if (ports === undefined) throw new Error('no server')
    const { events } = listen(running, moved)
    await expect.poll(() => running.log2.streams.length).toBe(1)
    const port = Number(new URL(ports.url).port)
    await ports.stop()
    running.log2.move('f1')
    await expect
      .poll(() => events)
      .toMatchObject([
        {
          data: { vesselMoved: { seq: 1, vessel: { name: 'Ferry 1', homePort: null } } },
          errors: [{ extensions: { code: 'ENGINE_UNAVAILABLE' } }],
        },
      ])
    await using _ports = await restarted(running, 'ports', harbour().schemas.ports, port)
    running.log2.move('f2')
    await expect.poll(() => events[1]).toMatchObject(busyFerry(2, 2))
  })
})

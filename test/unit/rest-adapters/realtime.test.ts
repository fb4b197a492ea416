import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { silentLog } from '../../../foundation/log.ts'
import { realtime } from '../../../rest-adapters/exploration/realtime/realtime.ts'
import type { ShownExpression } from '../../../rest-adapters/live/public-expression.ts'
import { OverloadedGate } from '../../support/gateway/overloaded-gate.ts'
import { type Channel, openChannel, receivedEvents, subscribe, TestRealtimeSource } from '../../support/rest/realtime.ts'

interface Created {
  readonly seq: number
  readonly version: string
  readonly expression: { readonly id: string }
}

const health: Pick<ShownExpression, 'classification' | 'sentiment' | 'lang' | 'location'> = {
  classification: {
    domain: { id: 'health', label: 'Santé', score: 1 },
    sub_domain: { id: 'health/clinics', label: 'Dispensaires', score: 1 },
    method: 'neural',
    candidates: [],
    model: 'test',
  },
  sentiment: { label: 'negative', score: -1, confidence: 1 },
  lang: { code: 'fr', confidence: 1, detected: true },
  location: { lat: 12.4, lon: -1.5, precision: 'exact', place: null, source: 'given' },
}
const seqs = (events: readonly Created[]) => events.map(({ seq }) => seq)

let source: TestRealtimeSource
let channel: Channel
beforeEach(async () => {
  source = new TestRealtimeSource()
  channel = await openChannel({ source, limits: { roomsPerClient: 3, rooms: 5, coalesceMs: 300, retained: 50 } })
})
afterEach(() => channel[Symbol.asyncDispose]())

describe('the realtime channel', () => {
  it('is served at the documented path without a trailing slash, by polling and by WebSocket', async () => {
    const answer = await fetch(`${channel.url}/socket.realtime?EIO=4&transport=polling`)
    expect([answer.status, (await answer.text()).startsWith('0{"sid"')]).toEqual([200, true])
    for (const transport of ['polling', 'websocket'])
      expect((await subscribe(await channel.connect({ transports: [transport] }))).ok).toBe(true)
    expect((await fetch(`${channel.url}/other`)).status).toBe(404)
  })

  it('sends the number of connected clients, also to a client that subscribes after the last change', async () => {
    const [one, two] = [await channel.connect(), await channel.connect()]
    const [early, late] = [one, two].map((socket) => receivedEvents<{ clients: number }>(socket, 'audience'))
    await subscribe(one)
    await expect.poll(() => early?.at(-1)).toEqual({ clients: 2 })
    expect(late).toEqual([])
    await subscribe(two)
    await expect.poll(() => late).toEqual([{ clients: 2 }])
    // sent once, not with each subscription
    await subscribe(two, { domain: 'health' })
    expect(late).toEqual([{ clients: 2 }])
  })

  it('has one room for equal filters, however they are written', async () => {
    const socket = await channel.connect()
    const room = 'expressions:domain=health;sentiment=negative;bbox=-5,10,5,20'
    expect(await subscribe(socket, { domain: 'health', sentiment: 'negative', bbox: '-5, 10,5,20' })).toMatchObject({ ok: true, room })
    expect(await subscribe(socket, { bbox: [-5, 10, 5.00001, 20], sentiment: 'negative', domain: 'health' })).toMatchObject({
      room,
    })
    for (const q of ['Coupée « Plus d’eau »', '"plus d eau" COUPEE le'])
      expect(await subscribe(socket, { q })).toMatchObject({ ok: true, room: 'expressions:q=coupee "plus d eau"' })
    expect(await subscribe(socket)).toMatchObject({ ok: true, room: 'expressions:all' })
  })

  it.each(
    [
      [{ domain: 'unheard-of' }, 'domain "unheard-of" is unknown'],
      [{ domain: 'x'.repeat(10_000) }, 'domain must be the id of a domain, at most 200 characters and none of them ; or ='],
      [{ sentiment: 'furious' }, 'sentiment must be one of positive, neutral, negative'],
      [{ lang: 'french' }, 'lang must be a language code of two or three letters'],
      [{ bbox: '1,2,3' }, 'bbox must be "west,south,east,north" or four numbers'],
      [{ bbox: [1, 2, 3, null] }, 'bbox must be "west,south,east,north" or four numbers'],
      [{ bbox: '1,2,,4' }, 'bbox must be "west,south,east,north" or four numbers'],
      [{ bbox: '0,20,10,10' }, 'bbox has a south edge north of its north edge'],
      [{ bbox: [-181, 0, 10, 10] }, 'bbox has a longitude outside -180 to 180 degrees'],
      [{ bbox: [0, 0, 10, 90.1] }, 'bbox has a latitude outside -90 to 90 degrees'],
      [{ q: 'x'.repeat(10_000) }, 'q should have at most 500 characters'],
      [{ q: 'le la' }, 'q should have a word that is not a stop word such as "the"'],
      [{ q: '"water' }, 'q a quotation mark is missing: put a phrase between two of them'],
      [{ q: 5 }, 'q must be text'],
      [{ after: -1 }, 'after must be the seq of an event: an integer of 0 or more'],
      [{ recent: 51 }, 'recent must be an integer from 0 to 50'],
      ['health', 'a filter must be an object'],
      [Buffer.from('health'), 'a filter must be an object'],
      [{ domian: 'health' }, 'unknown condition "domian"; use domain, sentiment, lang, bbox, q, after, recent'],
    ].map(([filter, detail]) => ({ filter, detail })),
  )('refuses a filter: $detail', async ({ filter, detail }) => {
    expect(await subscribe(await channel.connect(), filter)).toEqual({ ok: false, detail })
  })

  it('sends a withdrawal to all clients, also to resuming ones, and never the text of a withdrawn expression', async () => {
    const [one, other] = [await channel.connect(), await channel.connect()]
    const withdrawn = [one, other].map((socket) => receivedEvents<{ seq: number; id: string }>(socket, 'expression:withdrawn'))
    const created = receivedEvents<Created>(one, 'expression:created')
    await subscribe(one)
    await subscribe(other, { domain: 'education' })
    source.emit(1, health)
    source.emit(2, health)
    await expect.poll(() => seqs(created)).toEqual([1, 2])
    source.withdraw(3, 'expression-1')
    const withdrawal = { seq: 3, version: '0', id: 'expression-1' }
    await expect.poll(() => withdrawn).toEqual([[withdrawal], [withdrawal]])

    const [newcomer, back] = [await channel.connect(), await channel.connect()]
    const [toNewcomer, toBack] = [newcomer, back].map((socket) => receivedEvents<Created>(socket, 'expression:created'))
    const withdrawnToBack = receivedEvents(back, 'expression:withdrawn')
    await subscribe(newcomer, { recent: 20 })
    await subscribe(back, { domain: 'education', after: 2 })
    await expect.poll(() => withdrawnToBack).toEqual([withdrawal])
    await expect.poll(() => toNewcomer && seqs(toNewcomer)).toEqual([2])
    expect(toBack).toEqual([])
  })

  it('sends an event that matches a filter, once to a client with two matching filters', async () => {
    const [one, other] = [await channel.connect(), await channel.connect()]
    const [ofOne, ofOther] = [receivedEvents<Created>(one, 'expression:created'), receivedEvents<Created>(other, 'expression:created')]
    await subscribe(one, { domain: 'health' })
    await subscribe(one, { bbox: '-10,0,10,20', lang: 'fr' })
    await subscribe(other, { bbox: '170,0,-170,20' })
    source.emit(1, health)
    source.emit(2, { ...health, classification: null, location: { lat: 5, lon: 179, precision: 'exact', place: null, source: 'given' } })
    source.emit(3)
    source.emit(4, { ...health, location: null })
    await expect.poll(() => seqs(ofOne)).toEqual([1, 4])
    expect(seqs(ofOther)).toEqual([2])
    expect(await one.timeout(30_000).emitWithAck('unsubscribe', { domain: 'health' })).toEqual({
      ok: true,
      room: 'expressions:domain=health',
    })
    source.emit(5, { ...health, location: null })
    source.emit(6, health)
    await expect.poll(() => seqs(ofOne)).toEqual([1, 4, 6])
    expect(await one.timeout(30_000).emitWithAck('unsubscribe', { room: 'expressions:all' })).toEqual({
      ok: false,
      detail: 'Subscription not found',
    })
  })

  it('starts with the newest matching events on request', async () => {
    await sleep(20)
    for (let seq = 1; seq <= 6; seq++) source.emit(seq, seq % 2 === 0 ? health : {})
    const socket = await channel.connect()
    const received = receivedEvents<Created>(socket, 'expression:created')
    await subscribe(socket, { domain: 'health', recent: 2 })
    await expect.poll(() => seqs(received)).toEqual([4, 6])
  })

  it('starts with the newest events also when the feed starts slowly', async () => {
    source.delayMs = 2300
    for (let seq = 1; seq <= 3; seq++) source.emit(seq)
    const socket = await channel.connect()
    const received = receivedEvents<Created>(socket, 'expression:created')
    expect((await subscribe(socket, { recent: 3 })).ok).toBe(true)
    await expect.poll(() => seqs(received)).toEqual([1, 2, 3])
  })

  it('sends missed events to a resuming client, each once', async () => {
    await sleep(20)
    const first = await channel.connect()
    const received = receivedEvents<Created>(first, 'expression:created')
    await subscribe(first)
    source.emit(1)
    await expect.poll(() => seqs(received)).toEqual([1])
    first.disconnect()
    source.emit(2)
    source.emit(3)
    const again = await channel.connect()
    const missed = receivedEvents<Created>(again, 'expression:created')
    await subscribe(again, { after: 1 })
    source.emit(4)
    await expect.poll(() => seqs(missed)).toEqual([2, 3, 4])
  })

  it('serialises for a client only what it reads, however often it resumes, and serves others meanwhile', async () => {
    let serialised = 0
    const counted = {
      text: 'é'.repeat(10_000),
      toJSON() {
        serialised += 1
        return { id: 'counted', text: this.text }
      },
    }
    await using large = await openChannel({ source })
    await subscribe(await large.connect())
    for (let seq = 1; seq <= 2000; seq++) source.emit(seq, counted)
    const stuck = new WebSocket(`${large.url.replace('http', 'ws')}/socket.realtime?EIO=4&transport=websocket`)
    await once(stuck, 'open')
    stuck.send('40')
    await once(stuck, 'message')
    stuck.pause()
    for (let count = 0; count < 20; count++) stuck.send('42["subscribe",{"after":0}]')
    const other = await large.connect()
    const received = receivedEvents<Created>(other, 'expression:created')
    await subscribe(other, { after: 0 })
    await expect.poll(() => received.length, { timeout: 30_000 }).toBe(2000)
    // each is read twice per client: for the two that read, and a part for the one that does not
    expect(serialised).toBeLessThan(2 * 2 * 2000 + 8000)
    stuck.terminate()
  }, 60_000)

  it('reads events from before its start from the feed, and reports when they are no longer stored', async () => {
    await channel[Symbol.asyncDispose]()
    for (let seq = 1; seq <= 10; seq++) source.emit(seq)
    channel = await openChannel({ source, limits: { atStart: 1 } })
    const socket = await channel.connect()
    const received = receivedEvents<Created>(socket, 'expression:created')
    await subscribe(socket, { after: 6 })
    source.emit(11)
    await expect.poll(() => seqs(received)).toEqual([7, 8, 9, 10, 11])
    source.pruned = 5
    const late = await channel.connect()
    const [lagged, fresh] = [receivedEvents(late, 'lagged'), receivedEvents<Created>(late, 'expression:created')]
    await subscribe(late, { after: 2 })
    source.emit(12)
    await expect.poll(() => seqs(fresh)).toEqual([12])
    expect(lagged).toEqual([{ seq: 11, dropped: null }])
    // a position of another feed, or of this one before it was lost
    const ahead = await channel.connect()
    const [lagEvents, next] = [receivedEvents(ahead, 'lagged'), receivedEvents<Created>(ahead, 'expression:created')]
    await subscribe(ahead, { after: 5000 })
    source.emit(13)
    await expect.poll(() => seqs(next)).toEqual([13])
    expect(lagEvents).toEqual([{ seq: 12, dropped: null }])
  })

  it('brings clients that resume at any position after a restart up to date, each event once', async () => {
    await channel[Symbol.asyncDispose]()
    for (let seq = 10; seq <= 200; seq += 10) source.emit(seq)
    channel = await openChannel({ source, limits: { atStart: 1 } })
    const places = [0, 10, 15, 40, 40, 90, 150, 199, 200]
    const clients = await Promise.all(
      places.map(async (after) => {
        const socket = await channel.connect()
        const [received, lagged] = [receivedEvents<Created>(socket, 'expression:created'), receivedEvents(socket, 'lagged')]
        expect((await subscribe(socket, { after })).ok).toBe(true)
        return { after, received, lagged }
      }),
    )
    source.emit(210)
    await expect.poll(() => clients.every(({ received }) => received.at(-1)?.seq === 210)).toBe(true)
    const all = Array.from({ length: 21 }, (_, n) => 10 * (n + 1))
    for (const { after, received, lagged } of clients) {
      expect(seqs(received)).toEqual(all.filter((seq) => seq > after))
      expect(lagged).toEqual([])
    }
    await expect.poll(() => source.readings).toBe(1)
  })

  it('makes a resuming client wait for a slow feed, with its recent events and later ones', async () => {
    await channel[Symbol.asyncDispose]()
    for (let seq = 1; seq <= 5; seq++) source.emit(seq)
    channel = await openChannel({ source, limits: { atStart: 1 } })
    await subscribe(await channel.connect())
    source.delayMs = 1500
    const late = await channel.connect()
    const [received, lagged] = [receivedEvents<Created>(late, 'expression:created'), receivedEvents(late, 'lagged')]
    expect(await subscribe(late, { after: 2 })).toMatchObject({ ok: true, seq: 2 })
    source.emit(6)
    await expect.poll(() => seqs(received)).toEqual([3, 4, 5, 6])
    expect(lagged).toEqual([])
  })

  it('sends no further event to a client that unsubscribes while it resumes', async () => {
    await channel[Symbol.asyncDispose]()
    for (let seq = 1; seq <= 5; seq++) source.emit(seq)
    channel = await openChannel({ source, limits: { atStart: 1, roomsPerClient: 1 } })
    await subscribe(await channel.connect())
    source.delayMs = 500
    const socket = await channel.connect()
    const received = receivedEvents<Created>(socket, 'expression:created')
    await subscribe(socket, { after: 1 })
    expect(await subscribe(socket, { after: 1, domain: 'health' })).toMatchObject({ ok: false })
    expect(await socket.timeout(30_000).emitWithAck('unsubscribe', { room: 'expressions:all' })).toMatchObject({ ok: true })
    expect(await subscribe(socket, { domain: 'health' })).toMatchObject({ ok: true })
    source.emit(6, health)
    await expect.poll(() => seqs(received)).toEqual([6])
  })

  it('follows the feed only while clients are connected, and sends missed events to resuming clients', async () => {
    await channel[Symbol.asyncDispose]()
    channel = await openChannel({ source, limits: { atStart: 1, lingerMs: 50 } })
    expect(source.readings).toBe(0)
    const first = await channel.connect()
    await subscribe(first)
    expect(source.readings).toBe(1)
    source.emit(1)
    first.disconnect()
    await expect.poll(() => source.readings).toBe(0)
    for (let seq = 2; seq <= 4; seq++) source.emit(seq)
    const again = await channel.connect()
    const missed = receivedEvents<Created>(again, 'expression:created')
    expect(await subscribe(again, { after: 1 })).toMatchObject({ ok: true, seq: 1 })
    source.emit(5)
    await expect.poll(() => seqs(missed)).toEqual([2, 3, 4, 5])
    await expect.poll(() => source.readings).toBe(1)
  })

  it('combines changes in quick succession into the newest one', async () => {
    const socket = await channel.connect()
    const [stats, maps] = [
      receivedEvents<{ seq: number }>(socket, 'stats:updated'),
      receivedEvents<{ tiles: unknown[] }>(socket, 'map:invalidated'),
    ]
    const bystander = receivedEvents(await channel.connect(), 'stats:updated')
    await subscribe(socket)
    const from = performance.now()
    for (let seq = 1; seq <= 40; seq++) {
      source.change({ kind: 'statistics', seq, version: `${seq}`, statistics: { total: seq } })
      source.change({ kind: 'map', seq, version: `${seq}`, tiles: [{ z: 9, x: seq % 4, y: 1 }] })
      await sleep(10)
    }
    source.change({ kind: 'domains', seq: 41, version: '41' })
    await expect.poll(() => stats.at(-1)).toEqual({ seq: 40, version: '40', statistics: { total: 40 } })
    expect(stats.length).toBeLessThanOrEqual(2 + Math.ceil((performance.now() - from) / 300))
    expect(maps.flatMap(({ tiles }) => tiles).length).toBeLessThan(5 * maps.length)
    expect(bystander).toEqual([])
  })

  it.for([
    ['-18,4,-9,17', 'a box in its east', { z: 3, x: 3, y: 3 }, true],
    ['-18,4,-9,17', 'the world', { z: 0, x: 0, y: 0 }, true],
    ['-18,4,-9,17', 'a neighbour', { z: 3, x: 4, y: 3 }, false],
    ['-18,4,-9,17', 'the south below it', { z: 3, x: 3, y: 4 }, false],
    ['170,-20,-170,-10', 'one side of the antimeridian', { z: 3, x: 7, y: 4 }, true],
    ['170,-20,-170,-10', 'its other side', { z: 3, x: 0, y: 4 }, true],
    ['170,-20,-170,-10', 'what lies between', { z: 3, x: 4, y: 4 }, false],
    ['0,88,10,90', 'the row that reaches to the pole', { z: 3, x: 4, y: 0 }, true],
  ] as const)('sends the filter %s a change in %s: %o, %s', async ([bbox, , tile, isSent]) => {
    const [narrow, wide] = [await channel.connect(), await channel.connect()]
    const [narrowEvents, all] = [receivedEvents(narrow, 'map:invalidated'), receivedEvents(wide, 'map:invalidated')]
    const stats = receivedEvents(narrow, 'stats:updated')
    await subscribe(narrow, { bbox })
    await subscribe(wide)
    source.change({ kind: 'map', seq: 1, version: '1', tiles: [tile] })
    await expect.poll(() => all.length).toBe(1)
    source.change({ kind: 'statistics', seq: 2, version: '2', statistics: {} })
    await expect.poll(() => stats.length).toBe(1)
    expect(narrowEvents).toEqual(isSent ? [{ seq: 1, version: '1', tiles: [tile] }] : [])
  })

  it('refuses a filter that would share the room of another', async () => {
    const [victim, forger] = [await channel.connect(), await channel.connect()]
    const received = receivedEvents<Created>(victim, 'expression:created')
    const { room } = await subscribe(victim, { domain: 'health', lang: 'fr' })
    expect(room).toBe('expressions:domain=health;lang=fr')
    expect(await subscribe(forger, { domain: 'health;lang=fr' })).toEqual({
      ok: false,
      detail: 'domain must be the id of a domain, at most 200 characters and none of them ; or =',
    })
    source.emit(1, health)
    await expect.poll(() => seqs(received)).toEqual([1])
  })

  it('limits the filters of a client, and all distinct filters', async () => {
    const socket = await channel.connect()
    for (const lang of ['fr', 'en', 'ar']) expect((await subscribe(socket, { lang })).ok).toBe(true)
    expect(await subscribe(socket, { lang: 'de' })).toEqual({
      ok: false,
      detail: 'At most 3 subscriptions per client; unsubscribe from one first',
    })
    expect((await subscribe(socket, { lang: 'fr' })).ok).toBe(true)
    const second = await channel.connect()
    for (const lang of ['de', 'it']) expect((await subscribe(second, { lang })).ok).toBe(true)
    const full = { ok: false, detail: 'Too many different filters on the server; use a wider filter' }
    expect(await subscribe(second, { lang: 'es' })).toEqual(full)
    socket.disconnect()
    await expect.poll(() => subscribe(second, { lang: 'es' })).toMatchObject({ ok: true })
  })

  it('refuses unknown events and messages that arrive too fast, and stays connected', async () => {
    const socket = await channel.connect()
    const unknown = { ok: false, detail: 'Unknown event; use subscribe or unsubscribe' }
    expect(await socket.timeout(30_000).emitWithAck('delete everything', {})).toEqual(unknown)
    const refused = receivedEvents(socket, 'refused')
    socket.emit('delete everything')
    await expect.poll(() => refused).toEqual([unknown])
    const answers = await Promise.all(Array.from({ length: 40 }, () => subscribe(socket)))
    expect(answers.at(-1)).toEqual({ ok: false, detail: 'Too many messages; at most 5 a second' })
    await sleep(500)
    expect((await subscribe(socket)).ok).toBe(true)
  })

  it('disconnects only a client that floods or sends a huge frame', async () => {
    const calm = await channel.connect()
    const received = receivedEvents<Created>(calm, 'expression:created')
    await subscribe(calm)
    const code = async (send: (socket: WebSocket) => void): Promise<number> => {
      const socket = new WebSocket(`ws://127.0.0.1:${channel.port}/socket.realtime?EIO=4&transport=websocket`)
      socket.on('error', () => undefined)
      const closed = new Promise<number>((resolve) => socket.once('close', resolve))
      socket.once('open', () => send(socket))
      return closed
    }
    expect(
      await code((socket) => {
        for (let count = 0; count < 500; count++) socket.send('40/no-such-namespace,')
      }),
    ).toBe(1005)
    expect(await code((socket) => socket.send('x'.repeat(20_000)))).toBe(1009)
    expect(await code((socket) => socket.send('no packet'))).toBe(1005)
    // the name would be repeated in a refusal
    expect(await code((socket) => socket.send(`40/${'n'.repeat(5000)},`))).toBe(1005)
    source.emit(1)
    await expect.poll(() => seqs(received)).toEqual([1])
  })

  it('stops although a client does not close its connection', async () => {
    await channel[Symbol.asyncDispose]()
    const server = createServer()
    const stopping = realtime({ source, corsOrigins: 'any', log: silentLog })
    stopping.attach(server)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    await stopping.start(AbortSignal.timeout(60_000))
    const { port } = server.address() as AddressInfo
    const unresponsive = new WebSocket(`ws://127.0.0.1:${port}/socket.realtime?EIO=4&transport=websocket`)
    await once(unresponsive, 'open')
    unresponsive.pause()
    const disconnected = once(
      unresponsive.on('error', () => undefined),
      'close',
    )
    const connected = await new Promise<number>((resolve, reject) =>
      server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    )
    expect(connected).toBe(1)
    await stopping.stop()
    const closed = new Promise((resolve) => server.close(resolve))
    // a WebSocket server waits 30 s by default
    await expect(Promise.race([closed.then(() => 'closed'), sleep(20_000)])).resolves.toBe('closed')
    unresponsive.resume()
    await disconnected
  })

  it('accepts pages of allowed origins and its own pages', async () => {
    await channel[Symbol.asyncDispose]()
    channel = await openChannel({ source, corsOrigins: ['https://allowed.example'] })
    const connectFrom = (origin: string, transport: string) =>
      channel.connect({ transports: [transport], extraHeaders: { origin }, reconnection: false }).then(
        () => 'accepted',
        () => 'refused',
      )
    for (const transport of ['websocket', 'polling']) {
      expect(await connectFrom('https://allowed.example', transport)).toBe('accepted')
      expect(await connectFrom(channel.url, transport)).toBe('accepted')
      expect(await connectFrom('https://elsewhere.example', transport)).toBe('refused')
    }
    const answer = await fetch(`${channel.url}/socket.realtime?EIO=4&transport=polling`, {
      headers: { origin: 'https://elsewhere.example' },
    })
    expect([answer.status, await answer.json()]).toEqual([403, { code: 4, message: 'This origin is not allowed' }])
    const preflight = await fetch(`${channel.url}/socket.realtime?EIO=4&transport=polling`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://allowed.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-a,'.repeat(30),
      },
    })
    expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization, *')
  })

  it('under overload refuses new connections and subscriptions with a retry time, and keeps serving open ones', async () => {
    await channel[Symbol.asyncDispose]()
    const gate = new OverloadedGate()
    channel = await openChannel({ source, gate })
    const socket = await channel.connect()
    const received = receivedEvents<Created>(socket, 'expression:created')
    await subscribe(socket)
    gate.tooMuch = ['read', 'write']
    expect(await subscribe(socket, { lang: 'fr' })).toMatchObject({ ok: false, code: 'OVERLOADED', retryAfterMs: 2000 })
    await expect(channel.connect({ reconnection: false })).rejects.toThrow()
    const answer = await fetch(`${channel.url}/socket.realtime?EIO=4&transport=polling`)
    expect(await answer.json()).toMatchObject({ message: 'Server overloaded; try again later' })
    source.emit(1, health)
    await expect.poll(() => seqs(received)).toEqual([1])
    expect(await socket.timeout(30_000).emitWithAck('unsubscribe', {})).toMatchObject({ ok: true })
    gate.tooMuch = []
    expect(await subscribe(await channel.connect(), { lang: 'fr' })).toMatchObject({ ok: true })
  })

  it('closes connections so that clients reconnect', async () => {
    const socket = await channel.connect()
    const reason = new Promise((resolve) => socket.once('disconnect', resolve))
    await channel.stop()
    expect(await reason).toBe('transport close')
    expect(socket.active).toBe(true)
  })
})

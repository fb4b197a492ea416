import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { OverloadedGate } from '../../support/gateway/overloaded-gate.ts'
import { type OpenStream, openStream, StreamReader } from '../../support/rest/stream.ts'

const clinic = {
  domain: 'health',
  subDomain: 'health/clinics',
  sentiment: 'negative',
  lang: 'fr',
  position: { lat: 14.7, lon: -17.4 },
  text: 'La clinique est fermée',
} as const
const school = { domain: 'education', sentiment: 'positive', lang: 'en', position: { lat: -17.8, lon: 179.9 } } as const
const seqs = (reader: StreamReader, type = 'expression'): readonly number[] => reader.of(type).map(({ seq }) => seq)

let stream: OpenStream
beforeEach(async () => {
  stream = await openStream({ limits: { clients: 20, clientsPerUser: 5, retained: 100, heartbeatMs: 20_500, burst: 10 } })
})
afterEach(() => stream[Symbol.asyncDispose]())

describe('the stream of expressions', () => {
  it('welcomes a client with its position and its filter, then sends new expressions', async () => {
    stream.feed.emit(clinic)
    const reader = await stream.connect('taxonomy=health,education&sentiment=negative&lang=fr&bbox=-18,14,-17,15').welcomed()
    expect(reader.frames[0]).toEqual({
      type: 'welcome',
      seq: expect.any(Number),
      data: {
        filters: {
          taxonomy: ['health', 'education'],
          sentiment: 'negative',
          lang: 'fr',
          bbox: [-18, 14, -17, 15],
          lat: null,
          lon: null,
          radius_km: null,
          q: null,
          updates: false,
        },
        ignored: [],
        heartbeat_s: 20.5,
        expires_at: expect.stringMatching(/^20.*Z$/),
      },
    })
    stream.feed.emit(school)
    const seq = stream.feed.emit(clinic)
    await reader.until(() => seqs(reader).includes(seq))
    expect(reader.of('expression').at(-1)).toEqual({ type: 'expression', seq, data: { id: `e${seq}`, padding: '' } })
  })

  it.each([
    ['taxonomy=health', [true, false]],
    ['taxonomy=health/clinics', [true, false]],
    ['taxonomy=health%2Fclinics,education', [true, true]],
    ['sentiment=positive', [false, true]],
    ['lang=fr', [true, false]],
    ['lat=14.69&lon=-17.44&radius_km=10', [true, false]],
    ['lat=14.69&lon=-17.44&radius_km=1', [false, false]],
    ['lat=-17.8&lon=-179.9&radius_km=30', [false, true]],
    ['bbox=179,-20,-179,-10', [false, true]],
    ['q=FERMEE', [true, false]],
    ['q=%22est+ferm%C3%A9e%22&lang=fr', [true, false]],
    ['q=clinique&lang=en', [false, false]],
    ['', [true, true]],
  ])('with filter %s passes the documented expressions', async (query, expected) => {
    const reader = await stream.connect(query).welcomed()
    const [first, second] = [stream.feed.emit(clinic), stream.feed.emit(school)]
    const last = stream.feed.emit({ ...clinic, ...school, domain: 'health', subDomain: 'health/clinics' })
    const marker = await stream.connect().welcomed()
    const end = stream.feed.emit()
    await marker.until(() => seqs(marker).includes(end))
    expect([first, second].map((seq) => seqs(reader).includes(seq))).toEqual(expected)
    expect(last).toBeGreaterThan(second)
  })

  it('sends updates only to clients that request them', async () => {
    const [plain, keen] = [await stream.connect().welcomed(), await stream.connect('updates=true').welcomed()]
    const changed = stream.feed.emit(clinic, 'expression_updated')
    const added = stream.feed.emit(clinic)
    await plain.until(() => seqs(plain).includes(added))
    await keen.until(() => seqs(keen).includes(added))
    expect([seqs(plain, 'expression_updated'), seqs(keen, 'expression_updated')]).toEqual([[], [changed]])
  })

  it('sends withdrawals to clients that request updates, whatever their filter, also when they resume', async () => {
    const [plain, keen] = [await stream.connect().welcomed(), await stream.connect('updates=true&lang=wo').welcomed()]
    const added = stream.feed.emit(clinic)
    stream.feed.withdraw(`e${added}`)
    const last = stream.feed.emit({ ...clinic, lang: 'wo' })
    for (const reader of [plain, keen]) await reader.until(() => seqs(reader).includes(last))
    const withdrawal = { type: 'expression_withdrawn', seq: added + 1, data: { id: `e${added}` } }
    expect([plain.of('expression_withdrawn'), keen.of('expression_withdrawn')]).toEqual([[], [withdrawal]])
    const back = await stream.connect('updates=true').welcomed()
    back.send({ type: 'resume', from_seq: added - 1 })
    await back.until(() => seqs(back).includes(last))
    expect(back.of('expression_withdrawn')).toEqual([withdrawal])
  })

  it('reads the change log once for all clients', async () => {
    for (let count = 0; count < 5; count++) await stream.connect('lang=fr').welcomed()
    expect(stream.feed.readings).toBe(1)
  })

  it.each(['', 'token=', 'token=bad', 'token=a%20b', 'token=good&token=good'])('closes %j with 4401 after the handshake', async (query) => {
    const reader = new StreamReader(`${stream.url}?${query}`)
    expect([await reader.close(), reader.frames]).toEqual([4401, []])
  })

  it('reads the change log only while clients are connected, and sends missed events to resuming clients', async () => {
    await stream[Symbol.asyncDispose]()
    stream = await openStream({ limits: { lingerMs: 50 } })
    stream.feed.emit(clinic)
    expect(stream.feed.readings).toBe(0)
    const reader = await stream.connect().welcomed()
    expect([reader.frames[0]?.seq, stream.feed.readings]).toEqual([1, 1])
    reader.socket.close()
    await expect.poll(() => stream.feed.readings).toBe(0)
    for (let count = 2; count <= 4; count++) stream.feed.emit(clinic)
    const again = await stream.connect().welcomed()
    expect(again.frames[0]?.seq).toBe(4)
    again.send({ type: 'resume', from_seq: 1 })
    await expect.poll(() => seqs(again)).toEqual([2, 3, 4])
    stream.feed.emit(clinic)
    await expect.poll(() => seqs(again)).toEqual([2, 3, 4, 5])
    await expect.poll(() => stream.feed.readings).toBe(1)
  })

  it('closes with 4403 when the token expires', async () => {
    const reader = await stream.connect('token=for-400').welcomed()
    expect(await reader.close()).toBe(4403)
  })

  it.each([
    ['taxonomy=health&taxonomy=education', 'taxonomy must not be repeated'],
    ['taxonomy=', 'taxonomy must contain ids of 1 to 200 characters'],
    [`taxonomy=${'x'.repeat(201)}`, 'taxonomy must contain ids of 1 to 200 characters'],
    [`taxonomy=${'x,'.repeat(101)}x`, 'taxonomy must have 1 to 100 ids'],
    ['lang=french', 'lang must be a language code of two or three letters'],
    ['bbox=1,2,3', 'bbox must be west,south,east,north'],
    ['bbox=a,2,3,4', 'bbox must contain numbers'],
    ['bbox=1,2,,4', 'bbox must contain numbers'],
    ['bbox=-181,0,1,1', 'bbox must be from -180 to 180'],
    ['bbox=0,2,1,1', 'bbox has its south above its north'],
    ['lat=1&lon=2', 'radius_km is missing: lat, lon and radius_km go together'],
    ['lat=91&lon=2&radius_km=1', 'lat must be from -90 to 90'],
    ['lat=1&lon=2&radius_km=0', 'radius_km must be greater than 0 and at most 20016'],
    ['lat=1&lon=2&radius_km=NaN', 'radius_km must contain numbers'],
    ['bbox=0,0,1,1&lat=1&lon=2&radius_km=1', 'bbox cannot be combined with a circle'],
    ['q=le', 'q should have a word that is not a stop word such as "the"'],
  ])('closes %s with 4400 and a reason', async (query, detail) => {
    const reader = stream.connect(query)
    expect(await reader.close()).toBe(4400)
    expect(reader.of('error')).toEqual([{ type: 'error', seq: expect.any(Number), data: { code: 'BAD_USER_INPUT', detail } }])
  })

  it.each([
    ['taxonomy=nothing', 'taxonomy contains an unknown id: nothing; valid lists the ids', ['health', 'health/clinics', 'education']],
    [
      `taxonomy=health,${'x'.repeat(150)}`,
      `taxonomy contains an unknown id: ${'x'.repeat(99)}…; valid lists the ids`,
      ['health', 'health/clinics', 'education'],
    ],
    ['sentiment=furious', 'sentiment must be one of positive, neutral, negative', ['positive', 'neutral', 'negative']],
    ['updates=maybe', 'updates must be true or false', ['true', 'false']],
  ])('closes the unknown value %s with 4400 and the valid ones', async (query, detail, valid) => {
    const reader = stream.connect(query)
    expect(await reader.close()).toBe(4400)
    expect(reader.of('error')).toEqual([{ type: 'error', seq: expect.any(Number), data: { code: 'BAD_USER_INPUT', detail, valid } }])
  })

  it('ignores unknown filters, and names them in its welcome', async () => {
    const reader = await stream.connect(`lang=fr&topic=health&${'n'.repeat(200)}=1`).welcomed()
    expect(reader.frames[0]?.data).toMatchObject({ filters: { lang: 'fr' }, ignored: ['topic', 'n'.repeat(100)] })
    reader.send({ type: 'subscribe', filters: { color: 'red', token: 'good' } })
    await reader.until(() => reader.of('welcome').length === 2)
    expect(reader.of('welcome')[1]?.data.ignored).toEqual(['color', 'token'])
    reader.send({ type: 'subscribe', filters: Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`name${n}`, n])) })
    await reader.until(() => reader.of('welcome').length === 3)
    expect(reader.of('welcome')[2]?.data.ignored).toHaveLength(20)
  })

  it('continues with a renewed token of the same user, and reports its end', async () => {
    const reader = await stream.connect('token=awa-for-1500').welcomed()
    reader.send({ type: 'token', token: 'awa-for-60000' })
    await reader.until(() => reader.of('token').length === 1)
    const [before, after] = [reader.frames[0]?.data.expires_at, reader.of('token')[0]?.data.expires_at].map((at) => Date.parse(at))
    expect((after ?? 0) - (before ?? 0)).toBeGreaterThan(50_000)
    const old = await stream.connect('token=ben-for-1500').welcomed()
    expect(await old.close()).toBe(4403)
    const seq = stream.feed.emit(clinic)
    await reader.until(() => seqs(reader).includes(seq))
    reader.send({ type: 'token', token: 'awa-for-400' })
    expect(await reader.close()).toBe(4403)
  })

  it.each(['ben-for-60000', 'unverifiable'])('closes a connection that is renewed with the token %s with 4401', async (token) => {
    const reader = await stream.connect('token=awa-for-60000').welcomed()
    reader.send({ type: 'token', token })
    expect(await reader.close()).toBe(4401)
    expect(reader.of('token')).toEqual([])
  })

  it('replaces the filter on request', async () => {
    const reader = await stream.connect('lang=en').welcomed()
    reader.send({ type: 'subscribe', filters: { taxonomy: ['health'], bbox: [-18, 14, -17, 15], lat: null, other: 1 } })
    await reader.until(() => reader.of('welcome').length === 2)
    expect(reader.of('welcome')[1]?.data.filters).toMatchObject({ taxonomy: ['health'], lang: null, bbox: [-18, 14, -17, 15] })
    const seq = stream.feed.emit(clinic)
    await reader.until(() => seqs(reader).includes(seq))
  })

  it.each([
    ['nonsense', 'a frame must be JSON'],
    [
      '{"type":"other"}',
      'a frame must be {"type":"subscribe","filters":{…}}, {"type":"resume","from_seq":…} or {"type":"token","token":…}',
    ],
    ['[]', 'a frame must be {"type":"subscribe","filters":{…}}, {"type":"resume","from_seq":…} or {"type":"token","token":…}'],
    ['{"type":"resume"}', 'from_seq must be the seq of a frame: an integer of 0 or more'],
    ['{"type":"resume","from_seq":-1}', 'from_seq must be the seq of a frame: an integer of 0 or more'],
    ['{"type":"resume","from_seq":"1"}', 'from_seq must be the seq of a frame: an integer of 0 or more'],
    ['{"type":"token"}', 'token must be a string: an access token'],
    ['{"type":"token","token":5}', 'token must be a string: an access token'],
    ['{"type":"subscribe","filters":5}', 'filters must be an object'],
    ['{"type":"subscribe","filters":{"taxonomy":["nope"]}}', 'taxonomy contains an unknown id: nope; valid lists the ids'],
    ['{"type":"subscribe","filters":{"bbox":[1,2,"x",4]}}', 'bbox must contain numbers'],
    ['{"type":"subscribe","filters":{"sentiment":{}}}', 'sentiment must be text'],
  ])('closes a client that sends %s with 4400', async (frame, detail) => {
    const reader = await stream.connect().welcomed()
    reader.send(frame)
    expect(await reader.close()).toBe(4400)
    expect(reader.of('error')[0]?.data.detail).toBe(detail)
  })

  it('closes a client that sends a frame of 1 MB, or floods', async () => {
    const large = await stream.connect().welcomed()
    large.send(`"${'x'.repeat(1024 * 1024)}"`)
    expect(await large.close()).toBe(1009)
    const flood = await stream.connect().welcomed()
    for (let count = 0; count < 50; count++) flood.send({ type: 'subscribe', filters: {} })
    expect(await flood.close()).toBe(1008)
  })

  it('resumes from memory or from the change log, and reports when it cannot', async () => {
    const reader = await stream.connect().welcomed()
    const from = stream.feed.seq
    for (let count = 0; count < 5; count++) stream.feed.emit(count % 2 === 0 ? clinic : school)
    await reader.until(() => seqs(reader).length === 5)
    const back = await stream.connect('lang=fr').welcomed()
    back.send({ type: 'resume', from_seq: from + 1 })
    await back.until(() => seqs(back).length === 2)
    expect(seqs(back)).toEqual([from + 3, from + 5])
    const live = stream.feed.emit(clinic)
    await back.until(() => seqs(back).at(-1) === live)

    for (let count = 0; count < 150; count++) stream.feed.emit(school)
    const far = await stream.connect('lang=fr').welcomed()
    far.send({ type: 'resume', from_seq: from })
    await far.until(() => seqs(far).length === 4)
    expect(seqs(far)).toEqual([from + 1, from + 3, from + 5, live])

    stream.feed.pruned = live
    for (const place of [from, stream.feed.seq + 1000]) {
      const late = await stream.connect().welcomed()
      late.send({ type: 'resume', from_seq: place })
      await late.until(() => late.of('lagged').length === 1)
      expect(late.of('lagged')[0]).toEqual({ type: 'lagged', seq: stream.feed.seq, data: { dropped: null } })
      const next = stream.feed.emit(clinic)
      await late.until(() => seqs(late).at(-1) === next)
      late.socket.close()
    }
  })

  it('sends no text of a withdrawn expression to a resuming client', async () => {
    const reader = await stream.connect('updates=true').welcomed()
    const from = stream.feed.seq
    const [first, withdrawn] = [stream.feed.emit(clinic), stream.feed.emit(clinic)]
    await reader.until(() => seqs(reader).length === 2)
    stream.feed.withdraw(`e${withdrawn}`)
    const last = stream.feed.emit(clinic)
    await reader.until(() => seqs(reader).includes(last))
    const back = await stream.connect('updates=true').welcomed()
    back.send({ type: 'resume', from_seq: from })
    await back.until(() => seqs(back).includes(last))
    expect(seqs(back)).toEqual([first, last])
    expect(stream.feed.readings).toBe(1)
  })

  it('reads the feed once for all clients that resume at the same time, and sends them later events', async () => {
    for (let count = 0; count < 30; count++) stream.feed.emit(clinic)
    const back = await Promise.all(Array.from({ length: 5 }, (_, at) => stream.connect(`token=for-${100_000 + at}`).welcomed()))
    for (const [at, reader] of back.entries()) reader.send({ type: 'resume', from_seq: 5 * at })
    await expect.poll(() => stream.feed.maxReadings).toBe(2)
    const live = stream.feed.emit(clinic)
    for (const [at, reader] of back.entries()) {
      await reader.until(() => seqs(reader).at(-1) === live)
      expect(seqs(reader)).toEqual(Array.from({ length: live - 5 * at }, (_, n) => 5 * at + 1 + n))
      expect(reader.of('lagged')).toEqual([])
    }
    expect(stream.feed.maxReadings).toBe(2)
  })

  it('resumes after the feed is available again, and answers other frames until then', async () => {
    for (let count = 0; count < 3; count++) stream.feed.emit(clinic)
    const reader = await stream.connect().welcomed()
    stream.feed.isUnavailable = true
    reader.send({ type: 'resume', from_seq: 1 })
    reader.send({ type: 'subscribe', filters: { lang: 'fr' } })
    await reader.until(() => reader.of('welcome').length === 2)
    expect(seqs(reader)).toEqual([])
    stream.feed.isUnavailable = false
    await reader.until(() => seqs(reader).length === 2)
    expect([seqs(reader), reader.of('lagged')]).toEqual([[2, 3], []])
  })

  it('resumes at the position of the last request', async () => {
    for (let count = 0; count < 5; count++) stream.feed.emit(clinic)
    const reader = await stream.connect().welcomed()
    stream.feed.isUnavailable = true
    for (const place of [0, 3]) reader.send({ type: 'resume', from_seq: place })
    reader.send({ type: 'subscribe', filters: {} })
    await reader.until(() => reader.of('welcome').length === 2)
    stream.feed.isUnavailable = false
    const live = stream.feed.emit(clinic)
    await reader.until(() => seqs(reader).at(-1) === live)
    expect(seqs(reader)).toEqual([4, 5, 6])
  })

  it('sends heartbeats with the latest seq', async () => {
    await using quick = await openStream({ limits: { heartbeatMs: 200 } })
    const reader = await quick.connect('lang=wo').welcomed()
    const seq = quick.feed.emit(clinic)
    await reader.until(() => reader.of('heartbeat').some((frame) => frame.seq === seq))
  })

  it('limits the clients of one user (1013) and of all users (503), and accepts others after some disconnect', async () => {
    const mine = await Promise.all(Array.from({ length: 5 }, () => stream.connect().welcomed()))
    expect(await stream.connect().close()).toBe(1013)
    mine[0]?.socket.close()
    await mine[0]?.close()
    await stream.connect().welcomed()
    for (let user = 0; user < 15; user++) await stream.connect(`token=for-${100_000 + user}`).welcomed()
    const refused = new WebSocket(`${stream.url}?token=for-9999`)
    const status = await new Promise((resolve) => refused.on('unexpected-response', (_, response) => resolve(response.statusCode)))
    expect(status).toBe(503)
  })

  it('under overload refuses new connections with 503, and keeps serving open ones', async () => {
    const gate = new OverloadedGate()
    await using busy = await openStream({ gate })
    const reader = await busy.connect().welcomed()
    gate.tooMuch = ['read', 'write']
    const refused = new WebSocket(`${busy.url}?token=good`)
    const status = await new Promise((resolve) => refused.on('unexpected-response', (_, response) => resolve(response.statusCode)))
    expect(status).toBe(503)
    const seq = busy.feed.emit(clinic)
    await reader.until(() => seqs(reader).includes(seq))
    gate.tooMuch = ['write']
    await busy.connect().welcomed()
  })

  it('closes with 1001 when it stops, and answers 404 on other paths', async () => {
    const elsewhere = new WebSocket(stream.url.replace('/ws', '/other'))
    const status = await new Promise((resolve) => elsewhere.on('unexpected-response', (_, response) => resolve(response.statusCode)))
    expect(status).toBe(404)
    const reader = await stream.connect().welcomed()
    void stream.stop()
    expect(await reader.close()).toBe(1001)
  })

  it('counts in metrics, without tokens', async () => {
    const reader = await stream.connect().welcomed()
    const seq = stream.feed.emit(clinic)
    await reader.until(() => seqs(reader).includes(seq))
    await stream.connect('token=secret-token').close()
    await expect.poll(() => stream.registry.metrics()).toContain('civigraph_ws_closed_total{code="4401"} 1')
    const text = await stream.registry.metrics()
    expect(text).toContain('civigraph_ws_clients 1')
    expect(text).toMatch(/civigraph_ws_events_total [1-9]/)
    expect(text).not.toContain('secret-token')
  })
})

describe('a slow reader', () => {
  it('receives the number of dropped events after it reads again, is closed with 1013 if it never reads, and does not affect others', async () => {
    await using slow = await openStream({ limits: { waitingBytes: 64 * 1024, slowReaderTimeoutMs: 1500 } })
    const other = await slow.connect().welcomed()
    const reader = await slow.connect().welcomed()
    const stuck = await slow.connect().welcomed()
    for (const { socket } of [reader, stuck]) socket.pause()
    const padding = 'x'.repeat(10_000)
    let sent = 0
    // the socket buffers of both sides fill first
    for (let round = 0; round < 300 && !(await dropped(slow)); round++) {
      for (let count = 0; count < 20; count++) slow.feed.emit(clinic, 'expression', padding)
      sent += 20
      await sleep(5)
    }
    reader.socket.resume()
    await reader.until(() => reader.of('lagged').length === 1)
    expect(seqs(reader).length + reader.of('lagged')[0]?.data.dropped).toBe(sent)
    await other.until(() => seqs(other).length === sent)
    await sleep(1500)
    // the stuck client reads nothing, so only the metrics show its close code
    for (let tries = 0; tries < 100 && !/code="(1013|1006)"\} 1/.test(await slow.registry.metrics()); tries++) await sleep(50)
    expect(await slow.registry.metrics()).toMatch(/civigraph_ws_closed_total\{code="(1013|1006)"\} 1/)
    const next = slow.feed.emit(clinic)
    await reader.until(() => seqs(reader).includes(next))
    expect(other.closed).toBeUndefined()
  }, 120_000)
})

async function dropped({ registry }: OpenStream): Promise<boolean> {
  return !/civigraph_ws_dropped_events_total 0/.test(await registry.metrics())
}

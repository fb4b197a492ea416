import { connect } from 'node:net'
import type { Socket } from 'socket.io-client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Channel, connectTo, openChannel, subscribe, TestRealtimeSource } from '../../support/rest/realtime.ts'
import { openStream, StreamReader } from '../../support/rest/stream.ts'

const from = (address: string) => ({ extraHeaders: { 'x-forwarded-for': address } })
const boxOf = (number: number): readonly number[] => [-5 + number / 100, 10, 5, 20]

describe('the realtime channel, for each address', () => {
  let channel: Channel
  beforeEach(async () => {
    channel = await openChannel({
      source: new TestRealtimeSource(),
      trustedProxies: 1,
      limits: { clientsPerAddress: 3, rooms: 6, roomsPerAddress: 4, subscriptionsPerAddress: 9, burst: 100 },
    })
  })
  afterEach(() => channel[Symbol.asyncDispose]())

  const subscribeAll = async (socket: Socket, filters: readonly unknown[]) => {
    const details: unknown[] = []
    for (const filter of filters) details.push((await subscribe(socket, filter)).detail)
    return details
  }
  const addressLimit = 'Too many different filters from this address; use a wider filter'
  const serverLimit = 'Too many different filters on the server; use a wider filter'

  it('accepts the maximum number of distinct filters, whatever the proxy port, and plain filters beyond it', async () => {
    const [one, two] = [await channel.connect(from('203.0.113.7:1')), await channel.connect(from('203.0.113.7:2'))]
    expect(
      await subscribeAll(
        one,
        [1, 2, 3].map((number) => ({ bbox: boxOf(number) })),
      ),
    ).toEqual([undefined, undefined, undefined])
    // an equal filter does not count
    expect(await subscribeAll(two, [{ bbox: boxOf(1) }, { bbox: boxOf(4) }, { bbox: boxOf(5) }, { lang: 'fr' }])).toEqual([
      undefined,
      undefined,
      addressLimit,
      addressLimit,
    ])
    expect(await subscribeAll(two, [undefined, { domain: 'health' }, { sentiment: 'negative' }])).toEqual([undefined, undefined, undefined])
  })

  it('accepts plain filters after distinct filters are exhausted, and releases those of disconnected clients', async () => {
    const [one, two] = [await channel.connect(from('203.0.113.7')), await channel.connect(from('203.0.113.8'))]
    await subscribeAll(
      one,
      [1, 2, 3, 4].map((number) => ({ bbox: boxOf(number) })),
    )
    expect(
      await subscribeAll(
        two,
        [5, 6, 7].map((number) => ({ bbox: boxOf(number) })),
      ),
    ).toEqual([undefined, undefined, serverLimit])
    const third = await channel.connect(from('203.0.113.9'))
    expect(await subscribeAll(third, [undefined, { domain: 'health' }, { sentiment: 'negative' }, { bbox: boxOf(8) }])).toEqual([
      undefined,
      undefined,
      undefined,
      serverLimit,
    ])
    // an abrupt disconnect
    one.io.engine.close()
    await expect.poll(() => subscribe(third, { bbox: boxOf(8) })).toMatchObject({ ok: true })
  })

  it('releases a filter that a client unsubscribes from', async () => {
    const socket = await channel.connect(from('203.0.113.7'))
    await subscribeAll(
      socket,
      [1, 2, 3, 4].map((number) => ({ bbox: boxOf(number) })),
    )
    expect(await subscribe(socket, { bbox: boxOf(5) })).toEqual({ ok: false, detail: addressLimit })
    await socket.timeout(30_000).emitWithAck('unsubscribe', { bbox: boxOf(1) })
    expect(await subscribe(socket, { bbox: boxOf(5) })).toMatchObject({ ok: true })
  })

  it('accepts the maximum number of subscriptions', async () => {
    const [one, two] = [await channel.connect(from('203.0.113.7')), await channel.connect(from('203.0.113.7'))]
    const plain = [undefined, { domain: 'health' }, { domain: 'education' }, { domain: 'health/clinics' }, { sentiment: 'negative' }]
    expect(await subscribeAll(one, plain)).toEqual(plain.map(() => undefined))
    const tooMany = 'Too many subscriptions from this address; unsubscribe from one first'
    expect(await subscribeAll(two, plain)).toEqual([undefined, undefined, undefined, undefined, tooMany])
    expect(await subscribe(await channel.connect(from('203.0.113.8')))).toMatchObject({ ok: true })
  })

  it.each(['polling', 'websocket'])(
    'refuses further clients by %s until one disconnects; other addresses are unaffected',
    async (transport) => {
      const options = (address: string) => ({ ...from(address), transports: [transport], reconnection: false })
      const first = await channel.connect(options('2001:db8:1:2::1'))
      await channel.connect(options('2001:db8:1:2::2'))
      await channel.connect(options('[2001:db8:1:2:ffff::3]:4711'))
      await expect(channel.connect(options('2001:db8:1:2::4'))).rejects.toThrow()
      const answer = await fetch(`${channel.url}/socket.realtime?EIO=4&transport=polling`, {
        headers: { 'x-forwarded-for': '2001:db8:1:2::4' },
      })
      expect([answer.status, await answer.json()]).toEqual([
        403,
        { code: 4, message: 'Too many clients from this address; disconnect one, or try again later' },
      ])
      await channel.connect(options('2001:db8:1:3::1'))
      first.disconnect()
      await expect
        .poll(() =>
          channel.connect(options('2001:db8:1:2::4')).then(
            ({ connected }) => connected,
            () => false,
          ),
        )
        .toBe(true)
    },
  )

  it('releases the slot of a client that aborts its handshake', async () => {
    for (let count = 0; count < 10; count++) {
      const socket = connect(channel.port, '127.0.0.1')
      const head =
        'GET /socket.realtime?EIO=4&transport=websocket HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 203.0.113.7\r\nUpgrade: websocket\r\n'
      socket.write(
        `${head}Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${count % 2 ? 'bad' : 'dGhlIHNhbXBsZSBub25jZQ=='}\r\n\r\n`,
      )
      await new Promise((resolve) => socket.once('data', resolve))
      socket.destroy()
    }
    const again = (): Promise<boolean> =>
      new Promise((resolve) => {
        const socket = connectTo(channel.url, { ...from('203.0.113.7'), reconnection: false })
        socket.once('connect', () => resolve(true)).once('connect_error', () => resolve(false))
        setTimeout(() => socket.disconnect(), 1000)
      })
    await expect.poll(again).toBe(true)
  })
})

it('/ws refuses further connections of an address with a message and 1013, and accepts new ones after others close', async () => {
  await using stream = await openStream({ limits: { clientsPerAddress: 2 }, trustedProxies: 1 })
  const open = (address: string) => new StreamReader(`${stream.url}?token=good`, { 'x-forwarded-for': address })
  const [first, second] = [open('203.0.113.7:1'), open('203.0.113.7:2')]
  await first.welcomed()
  await second.welcomed()
  const third = open('203.0.113.7:3')
  expect([await third.close(), third.frames]).toEqual([
    1013,
    [
      {
        type: 'error',
        seq: expect.any(Number),
        data: { code: 'RATE_LIMITED', detail: 'Too many connections from this address: close one or try again later' },
      },
    ],
  ])
  const other = await open('203.0.113.8').welcomed()
  first.socket.terminate()
  await expect
    .poll(async () => {
      const reader = open('203.0.113.7')
      await reader.until(({ frames, closed }) => frames.length > 0 || closed !== undefined)
      return reader.frames[0]?.type
    })
    .toBe('welcome')
  for (const { socket } of [second, other]) socket.terminate()
})

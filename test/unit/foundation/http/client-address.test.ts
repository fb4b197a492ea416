import { createServer } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { clientAddress } from '../../../../foundation/http/client-address.ts'
import { networkOf } from '../../../../foundation/network-address.ts'

/** Returns a request from 10.0.0.1, forwarded by a proxy there or sent directly. */
const from = (forwarded: readonly string[], remoteAddress = '10.0.0.1'): Parameters<typeof clientAddress>[0] => ({
  socket: { remoteAddress },
  headers: forwarded.length === 0 ? {} : { 'x-forwarded-for': forwarded.join(', ') },
})

describe('the address of a client', () => {
  it.each([
    ['is the remote address of the connection', 0, [], '10.0.0.1'],
    ['does not come from a header unless proxies are trusted', 0, ['203.0.113.7'], '10.0.0.1'],
    ['is what one trusted proxy saw', 1, ['203.0.113.7'], '203.0.113.7'],
    ['is not what the client claimed before the proxy', 1, ['198.51.100.1', '203.0.113.7'], '203.0.113.7'],
    ['is what the outermost of two trusted proxies saw', 2, ['198.51.100.1', '203.0.113.7', '10.0.0.2'], '203.0.113.7'],
    ['is the remote address when fewer proxies appended entries than are trusted', 2, ['203.0.113.7'], '10.0.0.1'],
    ['is the remote address when a trusted proxy appended no entry', 1, [], '10.0.0.1'],
    ['is the remote address when the entry is empty', 1, [''], '10.0.0.1'],
    ['is the remote address when the last entry is empty', 1, ['203.0.113.7', ''], '10.0.0.1'],
    ['is the remote address when the entry is not an address', 1, ['203.0.113.7', 'x'.repeat(1000)], '10.0.0.1'],
    ['is the remote address when the entry is a name', 1, ['unknown'], '10.0.0.1'],
    ['has no port', 1, ['203.0.113.7:4711'], '203.0.113.7'],
    ['is the remote address when the port is not a number', 1, ['203.0.113.7:x1'], '10.0.0.1'],
    ['has no port in IPv6', 1, ['[2001:db8::7]:4711'], '2001:db8::7'],
    ['has no brackets', 1, ['[2001:db8::7]'], '2001:db8::7'],
    ['has no zone', 1, ['fe80::7%eth0'], 'fe80::7'],
    ['is in canonical form', 1, ['2001:0DB8:0:0:0:0:0:0007'], '2001:db8::7'],
    ['is IPv4 for an IPv4-mapped IPv6 address', 1, ['::ffff:203.0.113.7'], '203.0.113.7'],
    ['is IPv4 for an IPv4-mapped IPv6 address in hexadecimal with a port', 1, ['[0:0:0:0:0:FFFF:CB00:7107]:4711'], '203.0.113.7'],
    ['is the remote address for IPv4 in brackets', 1, ['[203.0.113.7]'], '10.0.0.1'],
    ['is the remote address for IPv4 with leading zeros', 1, ['203.0.113.007'], '10.0.0.1'],
  ] as const)('%s', (_, trusted, forwarded, expected) => {
    expect(clientAddress(from(forwarded), trusted)).toBe(expected)
  })

  it('is IPv4 on a dual-stack listener', () => {
    expect(clientAddress(from([], '::ffff:10.0.0.1'), 0)).toBe('10.0.0.1')
  })

  it('is read from several header lines in order', async () => {
    const server = createServer((request, response) => response.end(clientAddress(request, 2)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const socket = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1')
    socket.write('GET / HTTP/1.0\r\nX-Forwarded-For: 198.51.100.1\r\nx-forwarded-for: 203.0.113.7:1, 10.0.0.2\r\n\r\n')
    expect(await text(socket)).toMatch(/\r\n\r\n203\.0\.113\.7$/)
    server.close()
  })
})

describe('the network by which limits count an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2::7', '2001:db8:1:2::/64'],
    ['2001:0db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8::7', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('%s: %s', (address, network) => expect(networkOf(address)).toBe(network))
})

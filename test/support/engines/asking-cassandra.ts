import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

const version = 4
const headerBytes = 9
const opcodes = { error: 0x00, startup: 0x01, authenticate: 0x03, options: 0x05, supported: 0x06 } as const
const badCredentials = 0x0100

/**
 * A Cassandra that requires a password and rejects every one: implements the protocol up to authentication.
 * @see Apache Cassandra, "CQL Binary Protocol v4", sections 2 and 4
 */
export async function openAskingCassandra(): Promise<AsyncDisposable & { readonly host: string }> {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    sockets.add(client.on('error', () => undefined))
    let unread = Buffer.alloc(0)
    client.on('data', (bytes) => {
      unread = Buffer.concat([unread, bytes])
      while (unread.length >= headerBytes && unread.length >= headerBytes + unread.readUInt32BE(5)) {
        client.write(answerTo(unread))
        unread = unread.subarray(headerBytes + unread.readUInt32BE(5))
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function answerTo(request: Buffer): Buffer {
  const stream = request.readInt16BE(2)
  // declines a newer protocol version, like an older server
  if (request.readUInt8(0) !== version)
    return frame(stream, opcodes.error, Buffer.concat([int(0x000a), text('Invalid or unsupported protocol version')]))
  switch (request.readUInt8(4)) {
    case opcodes.options:
      return frame(stream, opcodes.supported, Buffer.from([0, 0]))
    case opcodes.startup:
      return frame(stream, opcodes.authenticate, text('org.apache.cassandra.auth.PasswordAuthenticator'))
    default:
      return frame(stream, opcodes.error, Buffer.concat([int(badCredentials), text('Provided username and/or password are incorrect')]))
  }
}

function frame(stream: number, opcode: number, body: Buffer): Buffer {
  const header = Buffer.alloc(headerBytes)
  header.writeUInt8(0x80 | version, 0)
  header.writeInt16BE(stream, 2)
  header.writeUInt8(opcode, 4)
  header.writeUInt32BE(body.length, 5)
  return Buffer.concat([header, body])
}

function text(value: string): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(value.length)
  return Buffer.concat([length, Buffer.from(value)])
}

function int(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

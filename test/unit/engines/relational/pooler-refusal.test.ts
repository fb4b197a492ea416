import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { openDatabase } from '../../../../engines/relational/database.ts'
import { causedByUnavailability } from '../../../../engines/relational/query-errors.ts'
import { silentLog } from '../../../../foundation/log.ts'

/** Returns the refusal of a connection by PgBouncer: an ErrorResponse to its first message (PostgreSQL manual, "Message Formats"). */
function errorResponse(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${message}\0\0`)
  const head = Buffer.from('E0000')
  head.writeUInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

it.each([
  ['unsupported startup parameter: statement_timeout', false, ': add it to ignore_startup_parameters of PgBouncer'],
  ['server_login_retry: server connect failed', true, ''],
])('distinguishes a pooler without the database from one whose server is unavailable: %s', async (message, isAbsence, advice) => {
  const server = createServer((socket) => socket.on('error', () => undefined).once('data', () => socket.end(errorResponse(message))))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const database = openDatabase({ name: 'test', url: () => `postgres://u:p@127.0.0.1:${port}/d`, poolSize: 1, log: silentLog })
  const failure: unknown = await database.start(AbortSignal.timeout(10_000)).catch((error: unknown) => error)
  expect(String(failure)).toBe(`Error: The database cannot be used: ${message}${advice}`)
  expect(causedByUnavailability(failure)).toBe(isAbsence)
  await database.stop()
  server.close()
})

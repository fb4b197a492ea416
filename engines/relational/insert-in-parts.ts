import pg from 'pg'
import { translatedError } from './query-errors.ts'
import { clientOf, type Transaction } from './session.ts'

/** A value in PostgreSQL's binary format, in consecutive parts. */
export type Parts = readonly Uint8Array[]

/** @see PostgreSQL documentation, "Frontend/Backend Protocol", Bind: all parameters binary, unnamed statement and portal */
function bindMessage(values: readonly Parts[]): readonly Uint8Array[] {
  const head = Buffer.alloc(13)
  const sizes = values.map((parts) => parts.reduce((sum, { length }) => sum + length, 0))
  head.write('B')
  head.writeInt32BE(14 + sizes.reduce((sum, size) => sum + 4 + size, 0), 1)
  head.writeInt16BE(1, 7)
  head.writeInt16BE(1, 9)
  head.writeInt16BE(values.length, 11)
  const lengths = sizes.map((size) => {
    const length = Buffer.alloc(4)
    length.writeInt32BE(size)
    return length
  })
  return [head, ...values.flatMap((parts, index) => [lengths[index] ?? head, ...parts]), Buffer.alloc(2)]
}

/** The driver copies a parameter four times, which took longer than the server for images. */
class Insert extends pg.Query {
  readonly #text: string
  readonly #rows: readonly (readonly Parts[])[]

  constructor(text: string, rows: readonly (readonly Parts[])[], callback: (error: Error | undefined) => void) {
    // the driver's type lacks the mode that makes it call `prepare`
    super({ text, values: [], queryMode: 'extended' } as pg.QueryConfig, callback)
    this.#text = text
    this.#rows = rows
  }

  /** Called by the driver between cork and uncork. */
  prepare(connection: pg.Connection): void {
    connection.parse({ name: '', text: this.#text, types: [] }, true)
    for (const values of this.#rows) {
      for (const part of bindMessage(values)) if (part.length > 0) connection.stream.write(part)
      connection.execute({ portal: '', rows: '0' }, true)
    }
    connection.sync()
  }
}

/**
 * Runs a statement without a result once per row of parameters, in one round trip. One statement for many rows would make the server copy them again.
 * @param rows - text as UTF-8, bytea as bytes; may be modified or released once the promise has settled, except after a time-out
 * @throws {QueryRefused} {EngineUnavailable}
 */
export function insertInParts(tx: Transaction, text: string, rows: readonly (readonly Parts[])[]): Promise<void> {
  const client = clientOf(tx)
  return new Promise<void>((resolve, reject) => {
    client.query(new Insert(text, rows, (error) => (error ? reject(translatedError(error)) : resolve())))
  })
}

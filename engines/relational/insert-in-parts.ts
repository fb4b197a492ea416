import pg from 'pg'
import { translated } from './query-errors.ts'
import { clientOf, type Transaction } from './session.ts'

/** A value in PostgreSQL's binary format, in parts that are sent one behind the other. */
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

/** The driver copies a parameter four times on its way; of images that took longer than the server. */
class Insert extends pg.Query {
  readonly #text: string
  readonly #rows: readonly (readonly Parts[])[]

  constructor(text: string, rows: readonly (readonly Parts[])[], callback: (error: Error | undefined) => void) {
    // the driver's type lacks the mode that makes it call `prepare`
    super({ text, values: [], queryMode: 'extended' } as pg.QueryConfig, callback)
    this.#text = text
    this.#rows = rows
  }

  /** The driver calls it between cork and uncork. */
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
 * Runs a statement that returns nothing once for each row of parameters, all in one exchange. In one statement of many rows the server
 * would copy them all once more.
 * @param rows - text is UTF-8, bytea the bytes; they may be changed or released once the promise is settled, but for a time-out
 * @throws {QueryRefused}  @throws {EngineUnavailable}
 */
export function insertInParts(tx: Transaction, text: string, rows: readonly (readonly Parts[])[]): Promise<void> {
  const client = clientOf(tx)
  return new Promise<void>((resolve, reject) => {
    client.query(new Insert(text, rows, (error) => (error ? reject(translated(error)) : resolve())))
  })
}

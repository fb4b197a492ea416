import pg from 'pg'
import { clientName } from '../../../foundation/process/build-info.ts'

const connectLimitMs = 10_000

/** application_name of command connections. */
export const commandClient = clientName('command')

/** Opens one connection for `work`: pooled connections cancel statements that take as long as a table copy may. */
export async function withDedicatedClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({
    connectionString: url,
    application_name: commandClient,
    connectionTimeoutMillis: connectLimitMs,
    keepAlive: true,
  })
  // errors also reject the pending query
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(
      `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set timezone = 'UTC'; set datestyle = 'ISO'`,
    )
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

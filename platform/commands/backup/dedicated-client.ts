import pg from 'pg'
import { clientName } from '../../../engines/relational/client-name.ts'

const connectLimitMs = 10_000

/** How the server knows the connections of commands. */
export const commandClient = clientName('command')

/** One connection for as long as `work` takes: those of a pool give up statements that take as long as a table may. */
export async function withDedicatedClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({
    connectionString: url,
    application_name: commandClient,
    connectionTimeoutMillis: connectLimitMs,
    keepAlive: true,
  })
  // whoever uses it hears of it, too
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

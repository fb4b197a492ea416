import pg from 'pg'
import type { SearchIndex } from '../../engines/search-index/search-index.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import { clientName } from '../../foundation/process/build-info.ts'
import { type Examination, type Finding, fine, timed, wrong } from './examination.ts'

/** Expressions that writes in progress explain. */
const tolerated = 100

/**
 * Compares the number of expressions in the search index that this process would read with that of the database.
 * @param url - of the database
 * @throws {Error} of the driver, or EngineUnavailable
 */
export async function examineSearchIndex(index: SearchIndex & Part, url: string, limitMs: number): Promise<Examination> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: limitMs,
    query_timeout: limitMs,
    application_name: clientName('doctor'),
  })
  client.on('error', () => undefined)
  try {
    await index.start(AbortSignal.timeout(limitMs))
    await client.connect()
    const { answer: indexed, tookMs } = await timed(() => index.count())
    // the first start creates the tables
    const { rows: tables } = await client.query<{ exists: boolean }>("select to_regclass('expression') is not null as exists")
    const { rows } = tables[0]?.exists
      ? await client.query<{ stored: number }>('select count(*)::int as stored from expression where withdrawn_at is null')
      : { rows: [] }
    return { engine: index.engine, answeredInMs: tookMs, findings: [expressionsFinding(indexed, rows[0]?.stored ?? 0)] }
  } finally {
    await client.end().catch(() => undefined)
    await index.stop()
  }
}

export function expressionsFinding(indexed: number, stored: number): Finding {
  if (stored - indexed <= tolerated) return fine('expressions', `${indexed} in the index, ${stored} in the database`)
  return wrong(
    'expressions',
    `${indexed} in the index that this process reads, ${stored} in the database: searches miss ${stored - indexed}`,
    'Check that worker:classification runs and uses the same DATA_DIR or ELASTICSEARCH_URL; then "civigraph search check", and "search rebuild" if the difference stays.',
  )
}

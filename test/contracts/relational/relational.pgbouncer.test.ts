import { expect, it } from 'vitest'
import { examinePooler } from '../../../platform/doctor/postgres-servers.ts'
import { embeddedEngine, skippedWithout } from '../../support/engines/engines.ts'
import { hasPgBouncer, openPgBouncer } from '../../support/engines/pgbouncer.ts'
import { relationalContract } from './relational.contract.ts'

const open = async () => {
  const opened = new AsyncDisposableStack()
  const { url } = opened.use(await embeddedEngine.open())
  const pooler = opened.use(await openPgBouncer(url))
  return { url: pooler.url, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

if (!hasPgBouncer()) skippedWithout('PgBouncer on this machine', 'relational: behind a PgBouncer that pools transactions')
else {
  relationalContract('behind a PgBouncer that pools transactions', open)

  it('doctor reports a pooler that omits the statement limits', async () => {
    await using pooler = await open()
    const { findings } = await examinePooler(pooler.url, 10_000)
    expect(findings.map(({ about, verdict, next }) => [about, verdict, next])).toEqual([
      ['statement_timeout', 'doubtful', "ALTER ROLE … SET statement_timeout = '15s';"],
      ['idle_in_transaction_session_timeout', 'doubtful', "ALTER ROLE … SET idle_in_transaction_session_timeout = '30s';"],
    ])
  })
}

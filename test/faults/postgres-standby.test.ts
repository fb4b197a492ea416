import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { PostgresEngine, query } from '../fault-matrix/engines/postgres.ts'
import { AcknowledgedWork } from '../support/clients/acknowledged-work.ts'
import { createDatabase, removeDataDir, temporaryDataDir } from '../support/engines/databases.ts'
import { skippedWithout } from '../support/engines/engines.ts'
import { hasPgBouncer, openPgBouncer } from '../support/engines/pgbouncer.ts'
import { freePortBase } from '../support/processes/free-ports.ts'
import { openGate } from '../support/processes/gate.ts'
import { startSystem } from '../support/processes/start-system.ts'
import { closedAfterEach } from '../support/run/closed-after-each.ts'

const open = closedAfterEach()
const key = (): string => randomBytes(32).toString('base64')
const inDatabase = (server: string, database: string): string =>
  Object.assign(new URL(server), { pathname: new URL(database).pathname }).href

if (!hasPgBouncer()) skippedWithout('PgBouncer on this machine', 'the whole platform behind a PgBouncer, on a PostgreSQL with a standby')
else
  it('the whole platform behind a PgBouncer, on a PostgreSQL with a standby, has each acknowledged request exactly once after the standby is promoted', {
    timeout: 400_000,
  }, async () => {
    const folder = await temporaryDataDir()
    open.push({ [Symbol.asyncDispose]: () => removeDataDir(folder) })
    const port = await freePortBase()
    const server = await PostgresEngine.make(folder, undefined, [port, port + 1])
    await server.start()
    open.push({ [Symbol.asyncDispose]: () => server.stop() })
    const { url } = await createDatabase(server.url)
    const standby = await server.openReplica()
    const standbyUrl = inDatabase(standby.url, url)
    // leads the pooler to the primary, as an operator's script or a floating address does
    const address = await openGate(url)
    open.push(address)
    const pooler = await openPgBouncer(address.url)
    open.push(pooler)

    const servers = url.replace(new URL(url).host, `${new URL(url).host},${new URL(standbyUrl).host}`)
    const system = await startSystem({
      layout: 'split',
      env: {
        DATABASE_URL: pooler.url,
        DATABASE_DIRECT_URL: `${servers}?target_session_attrs=read-write`,
        DATABASE_REPLICA_URLS: standbyUrl,
        DATABASE_POOL: '5',
        VAULT_KEY: key(),
        PRINCIPAL_SIGNING_KEY: key(),
        PSEUDONYM_KEY: key(),
        EXPRESSION_KEY: key(),
        ADMIN_AUTH: 'token-or-key',
      },
    })
    open.push(system)
    const work = new AcknowledgedWork(system)
    open.push(work)
    await work.begin()
    await work.round('before')
    const readers = async (): Promise<readonly string[]> => {
      await fetch(`${system.rest.exploration}/api/v1/map?zoom=${Math.ceil(Math.random() * 9)}`)
      const clients = await query<{ name: string }>(standby.url, 'select application_name as name from pg_stat_activity')
      return clients.map(({ name }) => name)
    }
    await expect.poll(readers).toContainEqual(expect.stringMatching(/^civigraph .+ replica$/))

    const promoted = sleep(200)
      .then(() => standby.promote())
      .then(() => address.leadTo(standby.url))
    for (const name of ['during-1', 'during-2', 'during-3']) await work.round(name)
    await promoted
    await work.round('after')
    await work.expectStored()
  })

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDatabase } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { parseConfig } from '../../../foundation/config/config.ts'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import { Stalled } from '../../../foundation/health/stalled.ts'
import { silentLog } from '../../../foundation/log.ts'
import { doctor } from '../../../platform/commands/doctor.ts'
import { PostgresEngine } from '../../fault-matrix/engines/postgres.ts'
import { mountSmallDisk } from '../../fault-matrix/engines/small-disk.ts'
import { skippedWithout } from '../../support/engines/engines.ts'
import { freePortBase } from '../../support/processes/free-ports.ts'

const folder = await mkdtemp(join(tmpdir(), 'full-disk-'))
const disk = await mountSmallDisk(folder, 160)

if (disk === undefined) {
  await rm(folder, { recursive: true })
  skippedWithout('a mount (root)', 'a PostgreSQL whose disk is full')
} else
  it('a PostgreSQL with a full disk is reported in health, is distinguished from an unavailable one, and writes again after space is freed', async () => {
    await using mounted = disk
    const port = await freePortBase()
    const server = await PostgresEngine.make(join(mounted.folder, 'postgres'), mounted, [port, port + 1])
    await server.start()
    const database = openDatabase({ name: 'test', url: () => server.url, poolSize: 2, log: silentLog })
    try {
      await database.start(AbortSignal.timeout(60_000))
      await database.orm.execute(sql`create table note (word text not null)`)
      await database.health(AbortSignal.timeout(60_000))
      await mounted.fill()

      const write = () => database.orm.execute(sql`insert into note select repeat('x', 1000) from generate_series(1, 1000)`)
      await expect.poll(() => write().catch((error: unknown) => error)).toBeInstanceOf(EngineUnavailable)
      await expect.poll(() => database.health(AbortSignal.timeout(60_000)).catch((error: unknown) => error)).toBeInstanceOf(Stalled)
      await expect(database.health(AbortSignal.timeout(60_000))).rejects.toThrow(/^Its disk is full: .*free disk space/)

      const lines: string[] = []
      const config = parseConfig({ NODE_ENV: 'test', DATABASE_URL: server.url }, '/')
      await doctor([], config, (line) => lines.push(line))
      expect(lines.join('\n')).not.toMatch(/Check that it runs/)

      await mounted.free()
      await expect.poll(() => write().then(() => 'written')).toBe('written')
    } finally {
      await database.stop()
      await server.stop()
    }
  })

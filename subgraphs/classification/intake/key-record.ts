import { keyIdOf } from '../../../engines/image-vault/sealing.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { retryUntilDone } from '../../../foundation/engine-start/retry-until-done.ts'
import type { Part } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'

/** Records the id of EXPRESSION_KEY in the database at first use, and logs an error when this process has another key. */
export function keyRecord({ database, log }: { readonly database: Database; readonly log: Log }, key: Uint8Array): Part {
  return retryUntilDone({
    name: 'key record',
    async work() {
      if (!(await isRecorded(database, keyIdOf(key))))
        log.error('EXPRESSION_KEY differs from the key of earlier ids: expressions that are sent again will be stored twice')
    },
    // waits for the database like other parts
    isTransient: () => true,
    onWaiting: (error) => log.debug({ err: error }, 'the id of EXPRESSION_KEY could not be recorded yet'),
  })
}

/** @returns false when the id of another key is recorded */
async function isRecorded(database: Database, keyId: string): Promise<boolean> {
  await database.orm.execute(sql`
    insert into platform_key (name, key_id) values ('EXPRESSION_KEY', ${keyId}) on conflict (name) do nothing`)
  const { rows } = await database.orm.execute<{ keyId: string }>(sql`
    select key_id as "keyId" from platform_key where name = 'EXPRESSION_KEY'`)
  return rows.every((row) => row.keyId === keyId)
}

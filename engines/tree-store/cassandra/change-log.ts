import { z } from 'zod'
import type { Cassandra, Statement } from './cassandra-connection.ts'

const NodeKey = z.tuple([z.literal('n'), z.int(), z.string()])
const ChildKey = z.tuple([z.literal('c'), z.int(), z.int(), z.string(), z.string()])
const NameKey = z.tuple([z.enum(['i', 'x']), z.int(), z.string()])
const Keys = z.array(z.union([NodeKey, ChildKey, NameKey]))

/** Keys of versioned rows: a node by bucket and order key; a child by part, bucket, parent and order key; an id or an external id by part. */
export type VersionedKey = z.infer<typeof Keys>[number]

/** keys per row of the log */
const keysAtOnce = 500

/** Records keys before rows are written under them, so that a purge also finds rows of a dead writer. */
export function changeLog(tenant: string, version: number): (keys: readonly VersionedKey[]) => readonly Statement[] {
  let number = 0
  return (keys) => {
    const statements: Statement[] = []
    for (let at = 0; at < keys.length; at += keysAtOnce) {
      const query = 'insert into $.content_change (tenant, version, number, keys) values (?, ?, ?, ?)'
      statements.push({ query, params: [tenant, version, number++, JSON.stringify(keys.slice(at, at + keysAtOnce))] })
    }
    return statements
  }
}

/** @returns undefined for a version written by an older release, which recorded nothing */
export async function changedKeys(
  db: Cassandra,
  tenant: string,
  version: number,
  signal: AbortSignal,
): Promise<readonly VersionedKey[] | undefined> {
  const rows: VersionedKey[] = []
  let isNoted = false
  for await (const page of db.pages('select keys from $.content_change where tenant = ? and version = ?', [tenant, version], 20, signal))
    for (const row of page) {
      isNoted = true
      for (const key of Keys.parse(JSON.parse(row.get('keys')))) rows.push(key)
    }
  return isNoted ? rows : undefined
}

/** Deletes the change log of a version. */
export async function forgetChanges(db: Cassandra, tenant: string, version: number, signal: AbortSignal): Promise<void> {
  await db.rows('delete from $.content_change where tenant = ? and version = ?', [tenant, version], signal)
}

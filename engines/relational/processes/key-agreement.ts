import { EngineRefusal } from '../../../foundation/engine-start/engine-opening.ts'
import type { Queryable } from '../database.ts'
import { sql } from '../drizzle.ts'
import { canRead, type HeldKey, isRotatable, type PlatformKeyName } from './held-key.ts'
import { type LiveProcess, placeOf } from './live-processes.ts'

/** Where the ids of a key that seals records are stored beside them. */
const sealedTables: Partial<Record<PlatformKeyName, readonly string[]>> = {
  VAULT_KEY: ['vault_record', 'service_callback_secret'],
  DEDUPLICATION_KEY: ['verification_face_template'],
}

/** A key id in the database. */
export interface RecordedKey {
  readonly name: PlatformKeyName
  readonly keyId: string
  /** ids before rotations */
  readonly formerIds: readonly string[]
}

export async function recordedKeys(db: Queryable): Promise<readonly RecordedKey[]> {
  const { rows } = await db.execute<{ name: PlatformKeyName; keyId: string; formerIds: string[] }>(
    sql`select name, key_id as "keyId", former_ids as "formerIds" from platform_key`,
  )
  return rows
}

/** Returns the number of stored records by the id of the key that sealed them. */
export async function sealedRecords(db: Queryable, name: PlatformKeyName): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (const table of sealedTables[name] ?? []) {
    const { rows } = await db.execute<{ keyId: string; records: number }>(
      sql`select key_id as "keyId", count(*)::int as records from ${sql.identifier(table)} group by key_id`,
    )
    for (const { keyId, records } of rows) counts.set(keyId, (counts.get(keyId) ?? 0) + records)
  }
  return counts
}

/**
 * Compares the keys of a process with those of the stored data and of the processes that run now.
 * @returns one sentence per key that must not be used
 */
export async function keyProblems(db: Queryable, held: readonly HeldKey[], others: readonly LiveProcess[]): Promise<readonly string[]> {
  const recorded = new Map((await recordedKeys(db)).map((key) => [key.name, key.keyId]))
  const problems: string[] = []
  for (const key of held) {
    // the signing key of principals protects no stored data
    const ofData = key.name === 'PRINCIPAL_SIGNING_KEY' ? undefined : (recorded.get(key.name) ?? (await unreadableId(db, key)))
    const problem = (ofData === undefined ? undefined : problemWithData(key, ofData)) ?? problemWithProcesses(key, others)
    if (problem !== undefined) problems.push(problem)
  }
  return problems
}

/** Returns the id of a key that sealed records and is not held; undefined if every record can be read. Databases of earlier releases have no record. */
async function unreadableId(db: Queryable, key: HeldKey): Promise<string | undefined> {
  const ids = [key.currentId, ...key.previousIds]
  for (const table of sealedTables[key.name] ?? []) {
    const { rows } = await db.execute<{ keyId: string }>(
      sql`select key_id as "keyId" from ${sql.identifier(table)} where key_id <> all (${sql.param(ids)}::text[]) limit 1`,
    )
    if (rows[0] !== undefined) return rows[0].keyId
  }
  return undefined
}

function problemWithData(key: HeldKey, recordedId: string): string | undefined {
  const { name, currentId } = key
  if (isRotatable(name) ? canRead(key, recordedId) : currentId === recordedId) return undefined
  const where = isRotatable(name) ? `${name}, or as ${name}_PREVIOUS during a rotation` : `${name}, which never changes`
  return `${name} has the id ${currentId}, but the data of this database was written with the key ${recordedId}: set that key as ${where}`
}

function problemWithProcesses(key: HeldKey, others: readonly LiveProcess[]): string | undefined {
  const { name, currentId } = key
  if (!isRotatable(name)) return undefined
  for (const other of others) {
    const theirs = other.keys[name]
    if (theirs === undefined) continue
    if (!canRead(key, theirs.currentId))
      return `${name} has the id ${currentId}, but ${placeOf(other)} uses the key ${theirs.currentId}: set that key as ${name} or ${name}_PREVIOUS`
    if (!canRead(theirs, currentId))
      return `${name} has the id ${currentId}, which ${placeOf(other)} cannot read (it has ${theirs.currentId}): first set it as ${name}_PREVIOUS on every process ("civigraph keys rotate ${name}")`
  }
  return undefined
}

/** Records the ids of the keys, with earlier ones as former. @throws {EngineRefusal} with one sentence per problem */
export async function agreeOnKeys(db: Queryable, held: readonly HeldKey[], others: readonly LiveProcess[]): Promise<void> {
  const problems = await keyProblems(db, held, others)
  if (problems.length > 0) throw new EngineRefusal(problems.join('\n'))
  for (const { name, currentId } of held)
    await db.execute(sql`
      insert into platform_key (name, key_id) values (${name}, ${currentId})
      on conflict (name) do update set key_id = excluded.key_id, recorded_at = now(),
        former_ids = array_append(array_remove(platform_key.former_ids, platform_key.key_id), platform_key.key_id)
      where platform_key.key_id <> excluded.key_id`)
}

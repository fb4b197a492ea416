import type { Queryable } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { canRead, type HeldKey, type PlatformKeyName } from '../../../engines/relational/processes/held-key.ts'

/** Keys without which a backup is unreadable; the signing key of principals protects nothing stored. */
const isNeeded = (name: PlatformKeyName): boolean => name !== 'PRINCIPAL_SIGNING_KEY'

/**
 * Returns the ids of the keys that wrote the data, by name: as recorded in the database, else of the settings of this command.
 * @throws {Error} if a key of the settings is not the one that wrote the data
 */
export async function keysOfData(db: Queryable, held: readonly HeldKey[]): Promise<Readonly<Record<string, string>>> {
  const recorded = await recordedIds(db)
  for (const key of held) {
    const id = recorded.get(key.name)
    if (isNeeded(key.name) && id !== undefined && !canRead(key, id))
      throw new Error(
        `${key.name} has the id ${key.currentId}, but this database was written with the key ${id}: set that key, then back up again`,
      )
  }
  const ids = [...new Map([...held.map(({ name, currentId }) => [name, currentId] as const), ...recorded])]
  return Object.fromEntries(ids.filter(([name]) => isNeeded(name)))
}

/** The database may have the schema of an earlier release, without the table. */
async function recordedIds(db: Queryable): Promise<ReadonlyMap<PlatformKeyName, string>> {
  const { rows: there } = await db.execute<{ there: boolean }>(sql`select to_regclass('platform_key') is not null as there`)
  if (there[0]?.there !== true) return new Map()
  const { rows } = await db.execute<{ name: PlatformKeyName; keyId: string }>(sql`select name, key_id as "keyId" from platform_key`)
  return new Map(rows.map(({ name, keyId }) => [name, keyId]))
}

/** Returns the keys of a backup that are not held, neither as the current nor as a previous key. */
export function missingKeysOf(
  needed: Readonly<Record<string, string>>,
  held: readonly HeldKey[],
): readonly (readonly [name: string, id: string])[] {
  return Object.entries(needed).filter(([name, id]) => !held.some((key) => key.name === name && canRead(key, id)))
}

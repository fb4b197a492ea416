import { z } from 'zod'
import type { Queryable } from '../database.ts'
import { sql } from '../drizzle.ts'
import type { HeldKey, PlatformKeyName } from './held-key.ts'

/** A process of the platform that holds its lease. */
export interface LiveProcess {
  readonly id: string
  readonly roles: readonly string[]
  readonly host: string
  readonly release: string
  readonly commit: string
  readonly schemaLevel: number
  readonly poolSize: number
  /** the search index that it uses; null if its roles use none */
  readonly searchIndex: string | null
  readonly keys: Readonly<Partial<Record<PlatformKeyName, Pick<HeldKey, 'currentId' | 'previousIds'>>>>
}

const Held = z.object({ currentId: z.string(), previousIds: z.array(z.string()) }).optional()
const Row = z.object({
  id: z.string(),
  roles: z.array(z.string()),
  host: z.string(),
  release: z.string(),
  commit: z.string(),
  schemaLevel: z.number(),
  poolSize: z.number(),
  searchIndex: z.string().nullable(),
  keys: z.object({
    VAULT_KEY: Held,
    DEDUPLICATION_KEY: Held,
    PRINCIPAL_SIGNING_KEY: Held,
    PSEUDONYM_KEY: Held,
    EXPRESSION_KEY: Held,
  }),
})

/** The columns of a live process, for drivers and Drizzle alike. */
export const liveProcessesStatement = `
  select id::text, roles, host, release, build_commit as commit, schema_level as "schemaLevel", pool_size as "poolSize", search_index as "searchIndex", keys
  from platform_process where expires_at > clock_timestamp() order by roles, started_at`

export const parseLiveProcesses = (rows: readonly unknown[]): readonly LiveProcess[] =>
  // zod types an absent key as undefined
  rows.map((row) => {
    const { keys, ...process } = Row.parse(row)
    return { ...process, keys: Object.fromEntries(Object.entries(keys).filter(([, key]) => key !== undefined)) }
  })

export const liveProcesses = async (db: Queryable): Promise<readonly LiveProcess[]> =>
  parseLiveProcesses((await db.execute(sql.raw(liveProcessesStatement))).rows)

/** Names a process in a sentence. */
export const placeOf = ({ roles, host, release }: Pick<LiveProcess, 'roles' | 'host' | 'release'>): string =>
  `the process ${roles.join(' ')} on ${host} (release ${release})`

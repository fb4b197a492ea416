import type { Database } from '../../../engines/relational/database.ts'
import { count, eq, inArray, sql } from '../../../engines/relational/drizzle.ts'
import type { GivenForSteps } from '../expression/expression-document.ts'
import { expressionRetry } from '../tables.ts'

/** An expression whose missing findings are to be looked for again. */
export interface StepRetry {
  readonly id: string
  readonly given: GivenForSteps
  /** this one counted */
  readonly attempts: number
}

const firstDelayMs = 5000
const longestDelayMs = 6 * 3_600_000
/** a worker that dies with it leaves it to another one after so long */
const leaseMs = 60_000

/** 5 s, then four times as long each time, 6 h at most; half of it by chance, so that what failed together does not come together. */
export function retryDelayMs(attempts: number, random: number = Math.random()): number {
  return Math.min(longestDelayMs, firstDelayMs * 4 ** attempts) * (0.5 + random / 2)
}

/** Which expressions wait for another try of a failed step. All methods fail with EngineUnavailable while the database is away. */
export class StepRetries {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** One that waits already goes on waiting as it does, and hears what its sender has said if nobody knew that. */
  async keep(retries: readonly Pick<StepRetry, 'id' | 'given'>[]): Promise<void> {
    if (retries.length === 0) return
    // one statement may touch a row once; in the order of ids two writers wait, none is refused
    const byId = new Map(retries.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((retry) => [retry.id, retry]))
    const nextAt = sql`now() + ${retryDelayMs(0)} * interval '1 millisecond'`
    await this.#database.orm
      .insert(expressionRetry)
      .values([...byId.values()].map(({ id, given }) => ({ id, given, nextAt })))
      .onConflictDoUpdate({
        target: expressionRetry.id,
        set: { given: sql`excluded.given` },
        // what was adopted knows nothing of its sender
        setWhere: sql`${expressionRetry.given} ->> 'lang' is null and ${expressionRetry.given} ->> 'domainHint' is null
          and jsonb_typeof(${expressionRetry.given} -> 'address') is distinct from 'object'`,
      })
  }

  /** Those whose turn it is; nobody else gets them for a minute. */
  async take(limit: number): Promise<readonly StepRetry[]> {
    const { rows } = await this.#database.orm.execute<{ id: string; given: GivenForSteps; attempts: number }>(sql`
      update ${expressionRetry} r set attempts = r.attempts + 1, next_at = now() + ${leaseMs} * interval '1 millisecond'
      where r.id in (
        select id from ${expressionRetry} where next_at <= now() order by next_at limit ${limit} for update skip locked
      ) returning r.id, r.given, r.attempts`)
    return rows
  }

  /** Its turn comes again later, with what it is given then. */
  async putOff({ id, attempts, given }: StepRetry): Promise<void> {
    const nextAt = sql`now() + ${retryDelayMs(attempts)} * interval '1 millisecond'`
    await this.#database.orm.update(expressionRetry).set({ nextAt, given }).where(eq(expressionRetry.id, id))
  }

  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#database.orm.delete(expressionRetry).where(inArray(expressionRetry.id, [...ids]))
  }

  /** How long the one whose turn came first has been waiting for it, in ms; 0 when it is nobody's turn. */
  async overdueMs(): Promise<number> {
    const { rows } = await this.#database.orm.execute<{ age: string | null }>(
      sql`select extract(epoch from now() - min(next_at)) * 1000 as age from ${expressionRetry}`,
    )
    return Math.max(0, Number(rows[0]?.age ?? 0))
  }

  async waiting(): Promise<number> {
    const [row] = await this.#database.orm.select({ count: count() }).from(expressionRetry)
    return row?.count ?? 0
  }
}

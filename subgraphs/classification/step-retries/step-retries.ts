import type { Database } from '../../../engines/relational/database.ts'
import { count, eq, inArray, integer, jsonb, millisecondMoment, pgTable, sql, uuid } from '../../../engines/relational/drizzle.ts'
import type { StepInput } from '../expression/expression-input.ts'

export const expressionRetry = pgTable('expression_retry', {
  id: uuid('id').primaryKey(),
  given: jsonb('given').$type<StepInput>().notNull(),
  attempts: integer('attempts').notNull().default(0),
  nextAt: millisecondMoment('next_at').notNull(),
  at: millisecondMoment('at').notNull().defaultNow(),
})

/** An expression with results that are missing because a step failed. */
export interface StepRetry {
  readonly id: string
  readonly given: StepInput
  /** including this attempt */
  readonly attempts: number
}

const firstDelayMs = 5000
const maxDelayMs = 6 * 3_600_000
/** after this time another worker takes over from one that ended */
const leaseMs = 60_000

/** Returns 5 s, then four times as long each time, at most 6 h; half of it is random to spread simultaneous failures. */
export function retryDelayMs(attempts: number, random: number = Math.random()): number {
  return Math.min(maxDelayMs, firstDelayMs * 4 ** attempts) * (0.5 + random / 2)
}

/** Pending retries of failed steps. All methods throw EngineUnavailable while the database is unavailable. */
export class StepRetries {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Schedules retries. An existing one keeps its schedule and receives the sender's data if it had none. */
  async schedule(retries: readonly Pick<StepRetry, 'id' | 'given'>[]): Promise<void> {
    if (retries.length === 0) return
    // a statement may update a row once; ordering by id avoids deadlocks between writers
    const byId = new Map(retries.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((retry) => [retry.id, retry]))
    const nextAt = sql`now() + ${retryDelayMs(0)} * interval '1 millisecond'`
    await this.#database.orm
      .insert(expressionRetry)
      .values([...byId.values()].map(({ id, given }) => ({ id, given, nextAt })))
      .onConflictDoUpdate({
        target: expressionRetry.id,
        set: { given: sql`excluded.given` },
        // an adopted expression has no data of its sender
        setWhere: sql`${expressionRetry.given} ->> 'lang' is null and ${expressionRetry.given} ->> 'domainHint' is null
          and jsonb_typeof(${expressionRetry.given} -> 'address') is distinct from 'object'`,
      })
  }

  /** Takes due retries and leases them for one minute. */
  async take(limit: number): Promise<readonly StepRetry[]> {
    const { rows } = await this.#database.orm.execute<{ id: string; given: StepInput; attempts: number }>(sql`
      update ${expressionRetry} r set attempts = r.attempts + 1, next_at = now() + ${leaseMs} * interval '1 millisecond'
      where r.id in (
        select id from ${expressionRetry} where next_at <= now() order by next_at limit ${limit} for update skip locked
      ) returning r.id, r.given, r.attempts`)
    return rows
  }

  /** Reschedules a retry with new data. */
  async putOff({ id, attempts, given }: StepRetry): Promise<void> {
    const nextAt = sql`now() + ${retryDelayMs(attempts)} * interval '1 millisecond'`
    await this.#database.orm.update(expressionRetry).set({ nextAt, given }).where(eq(expressionRetry.id, id))
  }

  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#database.orm.delete(expressionRetry).where(inArray(expressionRetry.id, [...ids]))
  }

  /** Returns how long the oldest due retry has been due, in ms; 0 when none is due. */
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

import type { Transaction } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { participant, participantCount } from '../tables.ts'

/** pseudo-domain that counts all participants */
export const anyDomain = ''

interface ChangedCount extends Record<string, unknown> {
  readonly domain: string
  readonly count: string
}

/** Collects changes of participation per domain and writes them together. */
export class ParticipantChanges {
  readonly #uses = new Map<string, { readonly domain: string; readonly hmac: string; uses: number }>()

  /** @param hmac - in hex */
  add(domains: readonly string[], hmac: string, times: 1 | -1): void {
    for (const domain of domains) {
      const name = `${domain} ${hmac}`
      const use = this.#uses.get(name) ?? { domain, hmac, uses: 0 }
      use.uses += times
      this.#uses.set(name, use)
    }
  }

  async write(tx: Transaction): Promise<void> {
    const changes = [...this.#uses.values()].filter(({ uses }) => uses !== 0)
    for (let from = 0; from < changes.length; from += 5000) await writeUses(tx, changes.slice(from, from + 5000))
  }
}

async function writeUses(tx: Transaction, changes: readonly { readonly domain: string; readonly hmac: string; readonly uses: number }[]) {
  const rows = sql`select domain, decode(hmac, 'hex') as hmac, uses from unnest(${sql.param(changes.map(({ domain }) => domain))}::text[],
    ${sql.param(changes.map(({ hmac }) => hmac))}::text[], ${sql.param(changes.map(({ uses }) => uses))}::int[]) as r(domain, hmac, uses)`
  const joined = await tx.execute<ChangedCount>(sql`
    with written as (
      insert into ${participant} as p (domain, hmac, uses) ${rows}
      on conflict (domain, hmac) do update set uses = p.uses + excluded.uses
      returning domain, (xmax = 0) as isnew
    )
    select domain, count(*) filter (where isnew) as count from written group by domain`)
  const removed = await tx.execute<ChangedCount>(sql`
    with gone as (
      delete from ${participant} p using (${rows}) r where p.domain = r.domain and p.hmac = r.hmac and p.uses <= 0 returning p.domain
    )
    select domain, count(*) as count from gone group by domain`)
  const sums = new Map<string, number>()
  for (const { domain, count } of joined.rows) sums.set(domain, Number(count))
  for (const { domain, count } of removed.rows) sums.set(domain, (sums.get(domain) ?? 0) - Number(count))
  const changed = [...sums].filter(([, count]) => count !== 0)
  if (changed.length === 0) return
  await tx.execute(sql`
    insert into ${participantCount} as c (domain, count)
    select * from unnest(${sql.param(changed.map(([domain]) => domain))}::text[], ${sql.param(changed.map(([, count]) => count))}::bigint[])
    on conflict (domain) do update set count = c.count + excluded.count`)
}

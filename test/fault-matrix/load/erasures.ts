import { z } from 'zod'
import { query } from '../engines/postgres.ts'
import type { Access } from '../platform.ts'
import type { Answer, Discrepancies, Kind, TrackedRequest } from './kind.ts'
import type { Logins } from './logins.ts'
import { send } from './send.ts'

const text = 'mutation ($code: String!) { eraseCitizen(input: { code: $code }) { erasure { id completedAt } } }'
const Erased = z.object({ data: z.object({ eraseCitizen: z.object({ erasure: z.object({ id: z.string(), completedAt: z.string() }) }) }) })

/** Erasures of citizens with a delegation each, repeated until one is reported as complete. */
export class Erasures implements Kind {
  readonly name = 'erasure'
  readonly everyMs = 2300
  readonly atOnce = 4
  readonly #access: Access
  readonly #database: () => string
  readonly #logins: Logins
  /** keys whose delegation exists: a repeated request finds it erased */
  readonly #prepared = new Set<string>()

  constructor(access: Access, database: () => string, logins: Logins) {
    this.#access = access
    this.#database = database
    this.#logins = logins
  }

  prepare = async (): Promise<void> => undefined

  async attempt(key: string): Promise<Answer> {
    try {
      if (!this.#prepared.has(key))
        await query(
          this.#database(),
          `insert into delegation (id, delegator_code, delegate_code, group_id, scope, status, starts_at, created_at, updated_at, revised_at)
           values ($1, $1, 'other', 'erasures', 'all', 'active', now(), now(), now(), now()) on conflict do nothing`,
          [key],
        )
      this.#prepared.add(key)
      const headers = { authorization: `Bearer ${await this.#logins.token()}` }
      const answer = await send(this.#access.graphql, { headers, json: { query: text, variables: { code: key } } })
      const { success, data } = Erased.safeParse(answer.body)
      return success
        ? { status: 200, id: data.data.eraseCitizen.erasure.id }
        : { ...answer, status: answer.status === 200 ? 503 : answer.status }
    } catch (error) {
      return { status: 0, detail: String(error) }
    }
  }

  async find(acknowledged: readonly TrackedRequest[]): Promise<Discrepancies> {
    const codes = acknowledged.map(({ key }) => key)
    const rows = await query<{ code: string }>(
      this.#database(),
      `select delegator_code as code from delegation where delegator_code = any($1::text[])
       union all select id::text from citizen_erasure where id = any($2::uuid[]) and (completed_at is null or sealed is not null)`,
      [codes, acknowledged.map(({ id }) => id)],
    )
    const twice = await query<{ pseudonym: string }>(
      this.#database(),
      `select pseudonym from citizen_erasure_part join citizen_erasure on id = erasure_id
       where (erased -> 'counts' ->> 'delegations')::int > 0 group by pseudonym having sum((erased -> 'counts' ->> 'delegations')::int) > 1`,
    )
    return { lost: rows.map(({ code }) => `erasure ${code}`), doubled: twice.map(({ pseudonym }) => `erasure of ${pseudonym}`) }
  }

  [Symbol.asyncDispose] = async (): Promise<void> => undefined
}

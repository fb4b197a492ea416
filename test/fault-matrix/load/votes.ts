import { z } from 'zod'
import { query } from '../engines/postgres.ts'
import type { Access } from '../platform.ts'
import type { Answer, Discrepancies, Kind, TrackedRequest } from './kind.ts'
import { send, sendGraphql, textOf } from './send.ts'

const voteMutation = `mutation Vote($input: CastVoteInput!) { castVote(input: $input) { value } }`
const totalQuery = `query Total($id: ID!) { expression(id: $id) { votes { total } } }`

const Total = z.object({ expression: z.object({ votes: z.object({ total: z.number() }) }) })
const Statistics = z.object({ expressions: z.object({ total: z.number() }), votes: z.object({ total: z.number() }) })

/** Votes of one voter each on one expression, over GraphQL, and the figures that count votes and expressions. */
export class Votes implements Kind {
  readonly name = 'vote'
  readonly everyMs = 1300
  readonly atOnce = 6
  readonly #access: Access
  readonly #database: () => string
  readonly #cell: string
  #expression = ''

  constructor(access: Access, database: () => string, cell: string) {
    this.#access = access
    this.#database = database
    this.#cell = cell
  }

  async prepare(): Promise<void> {
    const json = { external_id: `${this.#cell}-voted-on`, text: `Le pont est fermé depuis un mois (${this.#cell})` }
    const { status, body } = await send(`${this.#access.rest.classification}/api/v1/expressions`, { json })
    this.#expression = textOf(body, 'id') ?? ''
    if (status >= 300 || this.#expression === '') throw new Error(`no expression to vote on: ${status}`)
  }

  async attempt(key: string): Promise<Answer> {
    const input = { expressionId: this.#expression, value: 'AGREE', voterRef: key }
    return { ...(await sendGraphql(this.#access, voteMutation, { input })), id: key }
  }

  async find(acknowledged: readonly TrackedRequest[], tried: readonly TrackedRequest[]): Promise<Discrepancies> {
    const { data } = await sendGraphql(this.#access, totalQuery, { id: this.#expression })
    const votes = Total.safeParse(data).data?.expression.votes.total
    const { body } = await send(`${this.#access.rest.exploration}/api/v1/stats`)
    const statistics = Statistics.safeParse(body).data
    const [rows] = await query<{ expressions: number; votes: number; cast: number }>(
      this.#database(),
      `select (select count(*)::int from expression where withdrawn_at is null) as expressions, (select count(*)::int from vote) as votes,
              (select count(*)::int from vote where expression_id = $1) as cast`,
      [this.#expression],
    )
    const counted: readonly (readonly [name: string, count: number | undefined, min: number, max: number])[] = [
      ['votes on the expression', votes, acknowledged.length, tried.length],
      ['rows of these votes', rows?.cast, acknowledged.length, tried.length],
      ['expressions in the figures', statistics?.expressions.total, rows?.expressions ?? 0, rows?.expressions ?? 0],
      ['votes in the figures', statistics?.votes.total, rows?.votes ?? 0, rows?.votes ?? 0],
    ]
    const lineOf = ([name, count, min, max]: (typeof counted)[number]): string => `${name}: ${count ?? 'no answer'} of ${min} to ${max}`
    return {
      lost: counted.filter(([, count, min]) => count === undefined || count < min).map(lineOf),
      doubled: counted.filter(([, count, , max]) => count !== undefined && count > max).map(lineOf),
    }
  }

  [Symbol.asyncDispose] = async (): Promise<void> => undefined
}

import { z } from 'zod'
import { query } from '../engines/postgres.ts'
import type { Access } from '../platform.ts'
import { ask, askGraphql, textOf } from './ask.ts'
import type { Answer, Found, Kind, Wish } from './kind.ts'

const voteMutation = `mutation Vote($input: CastVoteInput!) { castVote(input: $input) { value } }`
const totalQuery = `query Total($id: ID!) { expression(id: $id) { votes { total } } }`

const Total = z.object({ expression: z.object({ votes: z.object({ total: z.number() }) }) })
const Statistics = z.object({ expressions: z.object({ total: z.number() }), votes: z.object({ total: z.number() }) })

/** Votes of one voter each on one expression, over GraphQL; and the figures that count votes and expressions. */
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
    const { status, body } = await ask(`${this.#access.rest.classification}/api/v1/expressions`, { json })
    this.#expression = textOf(body, 'id') ?? ''
    if (status >= 300 || this.#expression === '') throw new Error(`no expression to vote on: ${status}`)
  }

  async attempt(key: string): Promise<Answer> {
    const input = { expressionId: this.#expression, value: 'AGREE', voterRef: key }
    return { ...(await askGraphql(this.#access, voteMutation, { input })), id: key }
  }

  async find(acknowledged: readonly Wish[], tried: readonly Wish[]): Promise<Found> {
    const { data } = await askGraphql(this.#access, totalQuery, { id: this.#expression })
    const votes = Total.safeParse(data).data?.expression.votes.total
    const { body } = await ask(`${this.#access.rest.exploration}/api/v1/stats`)
    const told = Statistics.safeParse(body).data
    const [rows] = await query<{ expressions: number; votes: number; cast: number }>(
      this.#database(),
      `select (select count(*)::int from expression where withdrawn_at is null) as expressions, (select count(*)::int from vote) as votes,
              (select count(*)::int from vote where expression_id = $1) as cast`,
      [this.#expression],
    )
    const counted: readonly (readonly [what: string, found: number | undefined, least: number, most: number])[] = [
      ['votes on the expression', votes, acknowledged.length, tried.length],
      ['rows of these votes', rows?.cast, acknowledged.length, tried.length],
      ['expressions in the figures', told?.expressions.total, rows?.expressions ?? 0, rows?.expressions ?? 0],
      ['votes in the figures', told?.votes.total, rows?.votes ?? 0, rows?.votes ?? 0],
    ]
    const say = ([what, found, least, most]: (typeof counted)[number]): string => `${what}: ${found ?? 'no answer'} of ${least} to ${most}`
    return {
      lost: counted.filter(([, found, least]) => found === undefined || found < least).map(say),
      doubled: counted.filter(([, found, , most]) => found !== undefined && found > most).map(say),
    }
  }

  [Symbol.asyncDispose] = async (): Promise<void> => undefined
}

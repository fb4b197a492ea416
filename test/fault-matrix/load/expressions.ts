import { query } from '../engines/postgres.ts'
import type { Access } from '../platform.ts'
import type { Answer, Discrepancies, Kind, TrackedRequest } from './kind.ts'
import { memberOf, send, sendGraphql, textOf } from './send.ts'

const subjects = ['le marché', 'la gare', 'l’école', 'la mairie', 'le stade']

/** Expressions, each with an external_id. */
export class Expressions implements Kind {
  readonly name = 'expression'
  readonly everyMs = 900
  readonly atOnce = 6
  readonly #access: Access
  readonly #database: () => string

  constructor(access: Access, database: () => string) {
    this.#access = access
    this.#database = database
  }

  prepare = async (): Promise<void> => undefined

  async attempt(key: string): Promise<Answer> {
    const text = `Le robinet près de ${subjects[key.length % subjects.length]} est cassé depuis trois jours (${key})`
    const answer = await send(`${this.#access.rest.classification}/api/v1/expressions`, { json: { external_id: key, text } })
    return { ...answer, id: textOf(answer.body, 'id') ?? '' }
  }

  async find(acknowledged: readonly TrackedRequest[], tried: readonly TrackedRequest[]): Promise<Discrepancies> {
    const lost: string[] = []
    for (const { key, id } of acknowledged) {
      const { data } = await sendGraphql(this.#access, 'query Find($id: ID!) { expression(id: $id) { id } }', { id })
      if (textOf(memberOf(data, 'expression'), 'id') !== id) lost.push(`expression ${key}`)
    }
    const rows = await query<{ key: string; count: number }>(
      this.#database(),
      'select external_id as key, count(*)::int as count from expression where external_id = any($1) group by 1',
      [tried.map(({ key }) => key)],
    )
    const stored = new Set(rows.map(({ key }) => key))
    lost.push(...acknowledged.filter(({ key }) => !stored.has(key)).map(({ key }) => `row of expression ${key}`))
    const doubled = rows.filter(({ count }) => count > 1).map(({ key, count }) => `expression ${key} (${count})`)
    return { lost, doubled }
  }

  [Symbol.asyncDispose] = async (): Promise<void> => undefined
}

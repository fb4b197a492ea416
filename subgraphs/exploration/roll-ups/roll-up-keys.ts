import type { Transaction } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import type { Sentiment } from '../../../foundation/filter/expression-filter.ts'
import { rollUpKey } from '../tables.ts'

/** The properties by which expressions are counted, besides place and time. */
export interface KeyMembers {
  readonly domain: string | null
  readonly subDomain: string | null
  readonly sentiment: Sentiment | null
  readonly lang: string
}

export interface RollUpKey extends KeyMembers {
  readonly id: number
}

export interface NumberedKeys {
  numberOf(members: KeyMembers): number
  /** undefined for a key without a number */
  findNumber(members: KeyMembers): number | undefined
  membersOf(number: number): KeyMembers
}

const textOf = ({ domain, subDomain, sentiment, lang }: KeyMembers): string => JSON.stringify([domain, subDomain, sentiment, lang])

/** Returns all keys and assigns numbers to new ones. */
export async function numberKeys(tx: Transaction, wanted: readonly KeyMembers[]): Promise<NumberedKeys> {
  const keys = await tx.select().from(rollUpKey)
  const numbers = new Map(keys.map((key) => [textOf(key), key.id]))
  const members = new Map<number, KeyMembers>(keys.map((key) => [key.id, key]))
  let last = keys.reduce((max, { id }) => Math.max(max, id), 0)
  const added: RollUpKey[] = []
  for (const { domain, subDomain, sentiment, lang } of wanted) {
    const key = { domain, subDomain, sentiment, lang }
    if (numbers.has(textOf(key))) continue
    added.push({ id: ++last, ...key })
    numbers.set(textOf(key), last)
    members.set(last, key)
  }
  if (added.length > 0)
    await tx.execute(sql`
      insert into ${rollUpKey} (id, domain, sub_domain, sentiment, lang)
      select id, domain, "subDomain", sentiment, lang from jsonb_to_recordset(${JSON.stringify(added)}::jsonb)
        as r(id int, domain text, "subDomain" text, sentiment text, lang text)`)
  const must = <Value>(value: Value | undefined): Value => {
    if (value === undefined) throw new Error('unknown key of the roll-ups')
    return value
  }
  const findNumber = (key: KeyMembers): number | undefined => numbers.get(textOf(key))
  return { findNumber, numberOf: (key) => must(findNumber(key)), membersOf: (number) => must(members.get(number)) }
}

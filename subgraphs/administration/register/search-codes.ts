import type { Database } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'

/** Maximum length of a code in the register and of a text that is searched in it; an index entry of PostgreSQL has at most 2,704 bytes. */
export const maxCodeLength = 200
const maxFound = 20
/** codes that contain a text and are ranked; a text that more codes contain is not specific */
const candidateLimit = 500
/** lengths between which codes with one other character are found: a shorter text resembles every code */
const nearLengths = { from: 4, to: 64 } as const

/**
 * Returns registered codes like a text, the closest first, at most 20: equal ones, then those that differ by case (ASCII), by one character, and
 * those that contain it. Reads indices only.
 * @throws {EngineUnavailable}
 */
export async function searchCodes({ orm }: Database, text: string): Promise<readonly string[]> {
  const characters = [...text]
  const pieces = characters.length < nearLengths.from || characters.length > nearLengths.to ? [] : characters
  // a code with one other, missing or additional character at a place has the same characters before and after it
  const before = pieces.map((_, place) => characters.slice(0, place).join(''))
  const after = pieces.map((_, place) => characters.slice(place + 1).join(''))
  const { rows: close } = await orm.execute<{ code: string }>(sql`
    (select code from registered_citizen where lower(code) = lower(${text} collate "C") limit ${maxFound})
    union
    (select code from registered_citizen
      where lower(code) >= lower(${text} collate "C") and lower(code) < lower(${text} collate "C") || U&'\\+10FFFF'
      order by lower(code) limit ${maxFound})
    union
    (select near.code
      from unnest(${sql.param(before)}::text[], ${sql.param(after)}::text[]) as piece (before, after), lateral (
        select code from registered_citizen
        where code_grams(code) @> (code_grams(piece.before) || code_grams(piece.after))
          and length(code) between ${characters.length - 1} and ${characters.length + 1}
          and starts_with(lower(code), lower(piece.before collate "C")) and right(lower(code), length(piece.after)) = lower(piece.after collate "C")
        limit ${maxFound}
      ) as near)`)
  const codes = new Set(close.map(({ code }) => code))
  if (codes.size < maxFound) {
    const { rows } = await orm.execute<{ code: string }>(sql`
      select code from registered_citizen
      where code_grams(code) @> code_grams(${text}) and strpos(lower(code), lower(${text} collate "C")) > 0 limit ${candidateLimit}`)
    for (const { code } of rows) codes.add(code)
  }
  return [...codes]
    .map((code) => ({ code, rank: rankOf(code, text) }))
    .filter(({ rank }) => rank < notAlike)
    .toSorted((one, other) => one.rank - other.rank || (one.code < other.code ? -1 : 1))
    .slice(0, maxFound)
    .map(({ code }) => code)
}

const notAlike = 4

function rankOf(code: string, text: string): number {
  if (code === text) return 0
  const [folded, wanted] = [code.toLowerCase(), text.toLowerCase()]
  if (folded === wanted) return 1
  if (isOneApart([...folded], [...wanted])) return 2
  return folded.includes(wanted) ? 3 : notAlike
}

/** Returns whether one character replaced, removed or added makes the texts equal. */
function isOneApart(one: readonly string[], other: readonly string[]): boolean {
  const [longest, shortest] = [Math.max(one.length, other.length), Math.min(one.length, other.length)]
  let [begin, end] = [0, 0]
  while (begin < shortest && one[begin] === other[begin]) begin++
  while (end < shortest - begin && one.at(-1 - end) === other.at(-1 - end)) end++
  return longest - begin - end <= 1
}

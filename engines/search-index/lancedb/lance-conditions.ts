import type { IdRange, SearchFilter } from '../search-index.ts'

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
export const among = (column: string, values: readonly string[]): string => `${column} in (${values.map(quoted).join(', ')})`

/** Converts a filter to LanceDB's SQL. */
export function conditionOf(filter: SearchFilter): string | undefined {
  const { domains, exceptSubDomains = [], sentiment, lang, box, text, from, before, isLocated } = filter
  const conditions: string[] = []
  if (domains !== undefined)
    conditions.push(domains.length === 0 ? 'false' : `(${among('domain', domains)} or ${among('sub_domain', domains)})`)
  if (exceptSubDomains.length > 0) conditions.push(`(sub_domain is null or not ${among('sub_domain', exceptSubDomains)})`)
  if (sentiment !== undefined) conditions.push(`sentiment = ${quoted(sentiment)}`)
  if (lang !== undefined) conditions.push(`lang = ${quoted(lang)}`)
  if (box !== undefined) {
    const { west, south, east, north } = box
    conditions.push(`lat >= ${south} and lat <= ${north}`)
    conditions.push(west <= east ? `lon >= ${west} and lon <= ${east}` : `(lon >= ${west} or lon <= ${east})`)
  }
  // words consist of letters and digits only
  for (const words of [...(text?.words ?? []), ...(text?.phrases ?? []).map((phrase) => phrase.join(' '))])
    conditions.push(`concat(' ', words, ' ') like '% ${words} %'`)
  if (from !== undefined) conditions.push(`created_at >= ${from.getTime()}`)
  if (before !== undefined) conditions.push(`created_at < ${before.getTime()}`)
  if (isLocated !== undefined) conditions.push(`lat is ${isLocated ? 'not null' : 'null'}`)
  return conditions.length === 0 ? undefined : conditions.join(' and ')
}

export function rangeCondition({ after, upTo }: IdRange): string {
  const ends = [...(after === undefined ? [] : [`id > ${quoted(after)}`]), ...(upTo === undefined ? [] : [`id <= ${quoted(upTo)}`])]
  return ends.length === 0 ? 'true' : ends.join(' and ')
}

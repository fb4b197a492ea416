import { wordsOf } from '../models/text-classifier-features.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { IdRange, IndexedExpression, IndexedPhrase, SearchFilter } from './search-index.ts'

export type Row = Record<string, unknown>

export function rowOf(expression: IndexedExpression): Row {
  const { id, version, text, lang, domain, subDomain, sentiment, position, createdAt, document, embedding } = expression
  return {
    id,
    version,
    fingerprint: fingerprintOf(id, version),
    words: wordsOf(text).join(' '),
    lang,
    domain,
    sub_domain: subDomain,
    sentiment,
    lat: position?.lat ?? null,
    lon: position?.lon ?? null,
    created_at: createdAt.getTime(),
    document,
    vector: [...embedding],
  }
}

export const phraseRow = ({ embedding, ...members }: IndexedPhrase): Row => ({ ...members, vector: [...embedding] })

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
export const among = (column: string, values: readonly string[]): string => `${column} in (${values.map(quoted).join(', ')})`

/** The filter in LanceDB's SQL. */
export function conditionOf({ domains, sentiment, lang, box }: SearchFilter): string | undefined {
  const conditions: string[] = []
  if (domains !== undefined)
    conditions.push(domains.length === 0 ? 'false' : `(${among('domain', domains)} or ${among('sub_domain', domains)})`)
  if (sentiment !== undefined) conditions.push(`sentiment = ${quoted(sentiment)}`)
  if (lang !== undefined) conditions.push(`lang = ${quoted(lang)}`)
  if (box !== undefined) {
    const { west, south, east, north } = box
    conditions.push(`lat >= ${south} and lat <= ${north}`)
    conditions.push(west <= east ? `lon >= ${west} and lon <= ${east}` : `(lon >= ${west} or lon <= ${east})`)
  }
  return conditions.length === 0 ? undefined : conditions.join(' and ')
}

export function rangeCondition({ after, upTo }: IdRange): string {
  const ends = [...(after === undefined ? [] : [`id > ${quoted(after)}`]), ...(upTo === undefined ? [] : [`id <= ${quoted(upTo)}`])]
  return ends.length === 0 ? 'true' : ends.join(' and ')
}

import type { estypes } from '@elastic/elasticsearch'
import { wordsOf } from '../../../foundation/text/words.ts'
import { fingerprintOf, type Hit, type IdRange, type IndexedExpression, type SearchFilter } from '../search-index.ts'
import { analysedLanguages } from './elastic-mapping.ts'

/** Elasticsearch limits the clauses of a query, and more words add little */
const maxWords = 64

/** Elasticsearch rounds positions down to steps of less than this, degrees, but the lower edges of a box up. */
const positionStep = 1e-7

const decimals = 1_000_000
/** Rounds to six decimals: only eight bits are stored of each, and the text is half as long. Undefined for a zero vector, which has no direction. */
export const vectorOf = (embedding: Float32Array): readonly number[] | undefined =>
  embedding.some((value) => value !== 0) ? Array.from(embedding, (value) => Math.round(value * decimals) / decimals) : undefined

export function documentOf(expression: IndexedExpression): object {
  const { id, text, lang, domain, subDomain, sentiment, position, createdAt, document, embedding, version } = expression
  return {
    id,
    version,
    fingerprint: fingerprintOf(id, version),
    words: wordsOf(text).join(' '),
    ...(analysedLanguages[lang] === undefined ? {} : { text: { [lang]: text } }),
    lang,
    domain,
    sub_domain: subDomain,
    sentiment,
    position,
    created_at: createdAt.getTime(),
    document,
    vector: vectorOf(embedding),
  }
}

/** Returns undefined for a text without words. */
export function wordsQuery(text: string): estypes.QueryDslQueryContainer | undefined {
  const words = wordsOf(text).slice(0, maxWords).join(' ')
  if (words === '') return undefined
  const inLanguages = { query: words.length < text.length ? text.slice(0, 2 * words.length) : text, fields: ['text.*'] }
  return { bool: { should: [{ match: { words } }, { multi_match: inLanguages }], minimum_should_match: 1 } }
}

/** Returns the conditions of a filter, all of which must hold. */
export function conditionsOf({
  domains,
  exceptSubDomains = [],
  sentiment,
  lang,
  box,
  text,
  from,
  before,
  isLocated,
}: SearchFilter): estypes.QueryDslQueryContainer[] {
  const conditions: estypes.QueryDslQueryContainer[] = []
  if (domains !== undefined)
    conditions.push({
      bool: { should: ['domain', 'sub_domain'].map((field) => ({ terms: { [field]: [...domains] } })), minimum_should_match: 1 },
    })
  if (exceptSubDomains.length > 0) conditions.push({ bool: { must_not: { terms: { sub_domain: [...exceptSubDomains] } } } })
  if (sentiment !== undefined) conditions.push({ term: { sentiment } })
  if (lang !== undefined) conditions.push({ term: { lang } })
  if (box !== undefined)
    conditions.push({
      geo_bounding_box: {
        position: {
          top: box.north,
          left: Math.max(-180, box.west - positionStep),
          bottom: Math.max(-90, box.south - positionStep),
          right: box.east,
        },
      },
    })
  for (const word of text?.words ?? []) conditions.push({ term: { words: word } })
  for (const phrase of text?.phrases ?? []) conditions.push({ match_phrase: { words: phrase.join(' ') } })
  if (from !== undefined) conditions.push({ range: { created_at: { gte: from.getTime() } } })
  if (before !== undefined) conditions.push({ range: { created_at: { lt: before.getTime() } } })
  if (isLocated !== undefined) conditions.push({ bool: { [isLocated ? 'filter' : 'must_not']: { exists: { field: 'position' } } } })
  return conditions
}

export function rangeQuery({ after, upTo }: IdRange) {
  return { range: { id: { ...(after === undefined ? {} : { gt: after }), ...(upTo === undefined ? {} : { lte: upTo }) } } }
}

/** @param scale - converts Elasticsearch's score to ours */
export function hitsOf(response: estypes.SearchResponse, scale: (score: number) => number): readonly Hit[] {
  return response.hits.hits.map(({ _id, _score }) => ({
    id: _id ?? '',
    score: scale(_score ?? 0),
  }))
}

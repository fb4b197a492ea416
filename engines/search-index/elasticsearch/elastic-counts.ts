import type { estypes } from '@elastic/elasticsearch'
import { z } from 'zod'
import type { ExpressionGroup, Grouping, SearchIndex } from '../search-index.ts'
import { conditionsOf } from './elastic-documents.ts'
import { maxHits } from './elastic-expressions.ts'

/** groups of one response; Elasticsearch allows 65,536 */
const groupsAtOnce = 20_000

const fields = { domain: 'domain', subDomain: 'sub_domain', sentiment: 'sentiment', lang: 'lang' } as const

const text = z.string().nullable()
const Key = z.object({
  domain: text.default(null),
  subDomain: text.default(null),
  sentiment: text.default(null),
  lang: text.default(null),
  day: z.coerce.number().nullable().default(null),
  tile: text.default(null),
})
const Bucket = z.object({
  key: Key,
  doc_count: z.int(),
  middle: z.object({ location: z.object({ lat: z.number(), lon: z.number() }) }).optional(),
  mark: z.object({ value: z.number() }).optional(),
})
type Bucket = z.output<typeof Bucket>
const Groups = z.object({ groups: z.object({ buckets: z.array(Bucket), after_key: z.record(z.string(), z.unknown()).optional() }) })
const values = <Value extends z.ZodType>(value: Value) => z.tuple([value]).transform(([first]) => first)
const optionalText = values(text).default(null)
const DocValues = z.object({
  fingerprint: values(z.number()),
  id: values(z.string()),
  lang: values(z.string()),
  domain: optionalText,
  sub_domain: optionalText,
  sentiment: optionalText,
  created_at: values(z.coerce.number()),
})
type DocValues = z.output<typeof DocValues>
const Sorted = z.object({ hits: z.object({ hits: z.array(z.object({ sort: z.tuple([z.number(), z.string()]) })) }).optional() })

/** Counts and lists expressions by the index. @param search - searches the expressions, with a time limit */
export function elasticCounts(
  search: (request: estypes.SearchRequest) => Promise<estypes.SearchResponse>,
): Pick<SearchIndex, 'tally' | 'newest'> {
  return {
    async tally(filter, grouping) {
      const query = { bool: { filter: conditionsOf(filter) } }
      const sources = sourcesOf(grouping)
      if (sources.length === 0) {
        const { hits } = await search({ size: 0, query, track_total_hits: true })
        const total = typeof hits.total === 'number' ? hits.total : (hits.total?.value ?? 0)
        return total === 0 ? [] : [{ ...Key.parse({}), count: total, tile: null }]
      }
      const buckets: Bucket[] = []
      for (let after: estypes.AggregationsCompositeAggregateKey | undefined, isComplete = false; !isComplete; ) {
        const composite = { size: groupsAtOnce, sources, ...(after !== undefined && { after }) }
        const { aggregations } = await search({
          size: 0,
          track_total_hits: false,
          query,
          aggs: { groups: { composite, ...(grouping.tilesOf !== undefined && { aggs: inTile }) } },
        })
        const { buckets: pageBuckets, after_key } = Groups.parse(aggregations).groups
        buckets.push(...pageBuckets)
        after = after_key as estypes.AggregationsCompositeAggregateKey | undefined
        isComplete = after === undefined || pageBuckets.length < groupsAtOnce
      }
      if (grouping.tilesOf === undefined) return buckets.map(({ key, doc_count: count }) => ({ ...key, count, tile: null }))
      return tilesOf(buckets, async (marks) => {
        const { hits } = await search({
          size: maxHits,
          track_total_hits: false,
          query: { bool: { filter: [...conditionsOf(filter), { terms: { fingerprint: [...marks] } }] } },
          docvalue_fields: Object.keys(DocValues.shape).map((field) => ({
            field,
            ...(field === 'created_at' && { format: 'epoch_millis' }),
          })),
          stored_fields: '_none_',
        })
        return hits.hits.map(({ fields }) => DocValues.parse(fields))
      })
    },
    async newest(filter, { limit, isBackward = false, beyond }) {
      const order = isBackward ? 'asc' : 'desc'
      const answer = await search({
        size: limit,
        track_total_hits: false,
        query: { bool: { filter: conditionsOf(filter) } },
        sort: [{ created_at: order }, { id: order }],
        ...(beyond && { search_after: [beyond.createdAt.getTime(), beyond.id] }),
        // ids and times are in the sort values: stored fields would be decompressed for each hit
        stored_fields: '_none_',
        filter_path: ['hits.hits.sort'],
      })
      return (Sorted.parse(answer).hits?.hits ?? []).map(({ sort: [at, id] }) => ({ id, createdAt: new Date(at) }))
    },
  }
}

/** The fingerprint of a single expression finds it: an aggregation of ids would take longer than all others. */
const inTile = {
  middle: { geo_centroid: { field: 'position' } },
  mark: { max: { field: 'fingerprint' } },
} as const satisfies Record<string, estypes.AggregationsAggregationContainer>

function sourcesOf({ by, daysOf, tilesOf }: Grouping): Record<string, estypes.AggregationsCompositeAggregationSource>[] {
  return [
    ...(tilesOf === undefined ? [] : [{ tile: { geotile_grid: { field: 'position', precision: tilesOf } } }]),
    ...(daysOf === undefined
      ? []
      : [{ day: { date_histogram: { field: 'created_at', calendar_interval: '1d', time_zone: daysOf, format: 'uuuuMMdd' } } }]),
    ...by.map((name) => ({ [name]: { terms: { field: fields[name], missing_bucket: true } } })),
  ]
}

/** @param find - returns expressions by fingerprint, possibly others with the same one */
async function tilesOf(
  buckets: readonly Bucket[],
  find: (marks: readonly number[]) => Promise<readonly DocValues[]>,
): Promise<readonly ExpressionGroup[]> {
  const counts = new Map<string | null, number>()
  for (const { key, doc_count: count } of buckets) counts.set(key.tile, (counts.get(key.tile) ?? 0) + count)
  const isLone = ({ key: { tile } }: Bucket): boolean => counts.get(tile) === 1
  const marks = buckets.filter(isLone).flatMap(({ mark }) => mark?.value ?? [])
  const found = Map.groupBy(marks.length === 0 ? [] : await find(marks), ({ fingerprint }) => fingerprint)
  return buckets.flatMap((bucket): readonly ExpressionGroup[] => {
    const { key, doc_count: count, middle, mark } = bucket
    if (key.tile === null || middle === undefined) return []
    const { tile: name, ...members } = key
    const [, column = 0, row = 0] = name.split('/').map(Number)
    const { lat, lon } = middle.location
    const tile = { column, row, lat, lon, only: null }
    if (!isLone(bucket)) return [{ ...members, count, tile }]
    const isInBucket = (each: DocValues): boolean =>
      each.domain === (members.domain ?? each.domain) && each.sentiment === (members.sentiment ?? each.sentiment)
    const only = found.get(mark?.value ?? -1)?.find(isInBucket)
    // removed meanwhile
    if (only === undefined) return []
    const { id, sub_domain: subDomain, lang, created_at: at } = only
    return [{ ...members, count, tile: { ...tile, only: { id, subDomain, lang, createdAt: new Date(at) } } }]
  })
}

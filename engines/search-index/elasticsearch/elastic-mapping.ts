import type { estypes } from '@elastic/elasticsearch'
import { embeddingSize } from '../../sentence-encoder/sentence-encoder.ts'

/** Languages with an analyzer of their own (stemming, stop words, elision); texts in other languages are matched by exact words. */
export const analysedLanguages: Readonly<Record<string, string>> = { ar: 'arabic', en: 'english', es: 'spanish', fr: 'french' }

const vector = {
  type: 'dense_vector',
  dims: embeddingSize,
  index: true,
  similarity: 'cosine',
  index_options: { type: 'int8_hnsw', m: 16, ef_construction: 100 },
} as const satisfies estypes.MappingProperty

/** One shard: it holds a country's expressions of years, and word scores are comparable. One replica if there is a second node. */
const settings = { number_of_shards: 1, auto_expand_replicas: '0-1', refresh_interval: '1s' } as const

/** Shards and replicas of an index; defaults as in `settings`. */
export interface IndexCopies {
  readonly shards?: number | undefined
  /** replicas of each shard */
  readonly replicas?: number | undefined
}

/** Returns the definition of a new index. */
export const indexOf = (
  kind: { readonly settings: typeof settings; readonly mappings: estypes.MappingTypeMapping },
  { shards, replicas }: IndexCopies,
): Pick<estypes.IndicesCreateRequest, 'settings' | 'mappings'> => ({
  ...kind,
  settings: {
    ...kind.settings,
    ...(shards !== undefined && { number_of_shards: shards }),
    ...(replicas !== undefined && { auto_expand_replicas: 'false', number_of_replicas: replicas }),
  },
})

export const expressionIndex = {
  settings,
  mappings: {
    dynamic: 'strict',
    properties: {
      id: { type: 'keyword' },
      version: { type: 'long' },
      fingerprint: { type: 'integer' },
      // folded before indexing, as for LanceDB
      words: { type: 'text', analyzer: 'whitespace' },
      text: {
        properties: Object.fromEntries(
          Object.entries(analysedLanguages).map(([lang, analyzer]) => [lang, { type: 'text', analyzer } as const]),
        ),
      },
      lang: { type: 'keyword' },
      domain: { type: 'keyword' },
      sub_domain: { type: 'keyword' },
      sentiment: { type: 'keyword' },
      position: { type: 'geo_point' },
      created_at: { type: 'date', format: 'epoch_millis' },
      document: { type: 'object', enabled: false },
      vector,
    },
  },
} as const satisfies Partial<estypes.IndicesCreateRequest>

export const phraseIndex = {
  settings,
  mappings: {
    dynamic: 'strict',
    properties: { domain: { type: 'keyword' }, revision: { type: 'keyword' }, text: { type: 'object', enabled: false }, vector },
  },
} as const satisfies Partial<estypes.IndicesCreateRequest>

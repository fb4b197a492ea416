import type { ExpressionRecord } from '../../../engines/analytics-store/analytics-store.ts'
import type { IndexedExpression } from '../../../engines/search-index/search-index.ts'
import { embeddingSize } from '../../../engines/sentence-encoder/sentence-encoder.ts'
import { rfc3339 } from '../../../foundation/clock.ts'
import type { ExpressionDocument, QueuedExpression } from './expression-document.ts'

export const vectorText = (vector: Float32Array): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')

function vectorOf(text: string): Float32Array {
  // a copy, because a pooled buffer may start at an unaligned address
  return new Float32Array(Uint8Array.from(Buffer.from(text, 'base64')).buffer)
}

/** Converts a queued expression to a record of the analytics store. */
export function recordOf({
  document,
  source,
  externalId,
  author,
  unverifiedAuthor,
  receivedAt,
  vector,
}: QueuedExpression): ExpressionRecord<ExpressionDocument> {
  return {
    id: document.id,
    source,
    externalId,
    author,
    unverifiedAuthor,
    text: document.text,
    lang: document.lang?.code ?? 'und',
    domain: document.classification?.domain?.id ?? null,
    subDomain: document.classification?.subDomain?.id ?? null,
    sentiment: document.sentiment?.label ?? null,
    sentimentScore: document.sentiment?.score ?? null,
    position: document.location && { lat: document.location.lat, lon: document.location.lon },
    createdAt: new Date(document.createdAt),
    receivedAt: new Date(receivedAt),
    enrichment: document,
    embedding: vector === null ? null : vectorOf(vector),
    embeddingModel: document.embedding?.model ?? null,
  }
}

/** Converts a stored expression to its queued form, with another document. */
export function queuedOf(
  { source, externalId, author, unverifiedAuthor, receivedAt }: ExpressionRecord,
  document: ExpressionDocument,
  vector: Float32Array | null,
): QueuedExpression {
  const sent = { source, externalId, author, unverifiedAuthor, receivedAt: rfc3339(receivedAt) }
  return { document, ...sent, vector: vector && vectorText(vector) }
}

/**
 * Converts a record to a document of the search index.
 * @param model - model of the vectors in the index; a vector of another model is omitted
 */
export function indexedOf(record: ExpressionRecord<ExpressionDocument>, at: string, model: string): IndexedExpression {
  const { id, text, lang, domain, subDomain, sentiment, position, createdAt, enrichment, embedding, embeddingModel } = record
  return {
    id,
    text,
    lang,
    domain,
    subDomain,
    sentiment,
    position,
    createdAt,
    embedding: embedding !== null && embeddingModel === model ? embedding : new Float32Array(embeddingSize),
    version: enrichment.revision,
    document: JSON.stringify({ ...enrichment, indexedAt: at } satisfies ExpressionDocument),
  }
}

import type { ExpressionDocument } from '../expression/expression-document.ts'
import type { Findings } from './pipeline.ts'

/** Blocks of an expression and the steps of which one failed when the block is missing. */
const blocks = {
  lang: ['language'],
  location: ['place'],
  embedding: ['embedding'],
  classification: ['taxonomy', 'neural', 'nearest_neighbours', 'language_model'],
  sentiment: ['sentiment'],
  toxicity: ['toxicity'],
} as const satisfies Partial<Record<keyof ExpressionDocument, readonly string[]>>

type Block = keyof typeof blocks

/** Returns the blocks that are empty because a step failed, not those without a result. */
export function missingBlocks(document: ExpressionDocument): readonly Block[] {
  const failed = new Set(document.pipeline.steps.filter(({ status }) => status === 'failed').map(({ name }) => name))
  const names: readonly Block[] = ['lang', 'location', 'embedding', 'classification', 'sentiment', 'toxicity']
  return names.filter((block) => document[block] === null && blocks[block].some((step) => failed.has(step)))
}

/** Fills missing blocks from another run; existing blocks do not change. */
export function completed(document: ExpressionDocument, rerunBlocks: Omit<Findings, 'vector' | 'failures'>): ExpressionDocument {
  const rerun = new Map(rerunBlocks.pipeline.steps.map((step) => [step.name, step]))
  const missing = new Set(missingBlocks(document))
  return {
    ...document,
    revision: document.revision + 1,
    lang: missing.has('lang') ? rerunBlocks.lang : document.lang,
    location: missing.has('location') ? rerunBlocks.location : document.location,
    embedding: missing.has('embedding') ? rerunBlocks.embedding : document.embedding,
    classification: missing.has('classification') ? rerunBlocks.classification : document.classification,
    sentiment: missing.has('sentiment') ? rerunBlocks.sentiment : document.sentiment,
    toxicity: missing.has('toxicity') ? rerunBlocks.toxicity : document.toxicity,
    pipeline: {
      version: rerunBlocks.pipeline.version,
      steps: document.pipeline.steps.map((step) => (step.status === 'failed' ? (rerun.get(step.name) ?? step) : step)),
    },
    indexedAt: null,
  }
}

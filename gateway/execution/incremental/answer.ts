import type { ExecutionResult } from 'graphql'
import type { PartPlace } from '../steps/execution.ts'

/** Whether a caller accepts incremental results or needs the whole response at once. */
export type Delivery = 'whole' | 'in parts'

/** A deferred result. */
export interface DeferredPart extends ExecutionResult, PartPlace {}

/** Deferred results that are delivered together. */
export interface DeferredParts {
  readonly parts: readonly DeferredPart[]
  /** nested deferred results that follow later */
  readonly pending: readonly PartPlace[]
  /** whether more results follow */
  readonly hasNext: boolean
}

/** The results after the first one. */
export interface DeferredResults {
  readonly pending: readonly PartPlace[]
  /** never throws; ends soon after the context is aborted, with errors in the missing results */
  readonly parts: AsyncGenerator<DeferredParts, void>
}

/** The masked response to an operation: all of it, or its initial result. */
export interface Answer extends ExecutionResult {
  readonly later?: DeferredResults
}

/** Maps deferred results. @param ended - called after the last result or when the consumer stops */
export async function* mappedParts(
  { parts }: DeferredResults,
  change: (part: DeferredPart) => DeferredPart,
  ended: () => void = () => undefined,
): AsyncGenerator<DeferredParts, void> {
  try {
    for await (const batch of parts) yield { ...batch, parts: batch.parts.map(change) }
  } finally {
    ended()
  }
}

import type { ExecutionResult } from 'graphql'
import type { PartPlace } from '../planning/steps/execution.ts'

/** Whether a caller takes parts of an answer later, or waits for all of it. */
export type Delivery = 'whole' | 'in parts'

/** A part of an answer that was left out of the first result. */
export interface DeferredPart extends ExecutionResult, PartPlace {}

/** Parts that have come together. */
export interface DeferredParts {
  readonly parts: readonly DeferredPart[]
  /** those within them that come later still */
  readonly pending: readonly PartPlace[]
  /** whether more follow */
  readonly hasNext: boolean
}

/** What comes after the first result. */
export interface LaterParts {
  readonly pending: readonly PartPlace[]
  /** never throws; ends soon after the context of the operation is aborted, with errors in the parts that are missing */
  readonly parts: AsyncGenerator<DeferredParts, void>
}

/** The answer to an operation, masked: all of it, or what its client gets first. */
export interface Answer extends ExecutionResult {
  readonly later?: LaterParts
}

/** The same parts, each of them changed. @param ended - called when the last has come, or nobody wants more */
export async function* mappedParts(
  { parts }: LaterParts,
  change: (part: DeferredPart) => DeferredPart,
  ended: () => void = () => undefined,
): AsyncGenerator<DeferredParts, void> {
  try {
    for await (const batch of parts) yield { ...batch, parts: batch.parts.map(change) }
  } finally {
    ended()
  }
}

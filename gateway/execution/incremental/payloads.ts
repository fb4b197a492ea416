import type { ExecutionResult } from 'graphql'
import type { PartPlace } from '../steps/execution.ts'
import type { Answer, DeferredPart, DeferredParts } from './answer.ts'

/** A result of an operation; with deferred fragments the first one has `data`. */
export interface Payload extends ExecutionResult {
  /** absent: this is the whole response */
  readonly hasNext?: boolean
  readonly pending?: readonly object[]
  readonly incremental?: readonly object[]
  readonly completed?: readonly object[]
}

/** A response format of deferred results. */
export interface IncrementalFormat {
  first(pending: readonly PartPlace[]): Payload
  next(parts: DeferredParts): Payload
}

/** Results carry path and label. @see https://github.com/graphql/graphql-spec/tree/48cf7263a71a683fab03d45d309fd42d8d9a6659 */
export const deferSpec20220824: IncrementalFormat = {
  first: () => ({ hasNext: true }),
  next: ({ parts, hasNext }) => ({ incremental: parts.map(({ id: _, ...part }) => part), hasNext }),
}

/**
 * Results are announced with ids and delivered by id; one that is null as a whole has only errors. @see https://specs.apollo.dev/incremental/v0.2/
 */
export const incrementalSpecV02: IncrementalFormat = {
  first: (pending) => ({ pending, hasNext: true }),
  next: ({ parts, pending, hasNext }) => {
    const incremental = parts.filter(({ data }) => data !== null).map(({ path: _, label: __, ...part }) => part)
    return {
      ...(pending.length === 0 ? {} : { pending }),
      ...(incremental.length === 0 ? {} : { incremental }),
      completed: parts.map(completed),
      hasNext,
    }
  },
}

const completed = ({ id, data, errors = [], extensions }: DeferredPart): object =>
  data === null ? { id, errors, ...(extensions && { extensions }) } : { id }

/** Yields the results of an operation in delivery order. */
export async function* payloadsOf({ later, ...result }: Answer, format: IncrementalFormat): AsyncGenerator<Payload, void> {
  if (later === undefined) return void (yield result)
  try {
    yield { ...result, ...format.first(later.pending) }
    for await (const parts of later.parts) yield format.next(parts)
  } finally {
    await later.parts.return()
  }
}

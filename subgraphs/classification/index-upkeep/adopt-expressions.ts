import type { AnalyticsStore } from '../../engines/analytics-store/analytics-store.ts'
import { ExpressionDocument, type QueuedExpression } from '../expression-document.ts'
import { recordOf } from '../records.ts'
import type { StepRetries } from '../retries/step-retries.ts'

/** where it came from nobody knows any more */
const source = 'search-index'
const given = { lang: null, address: null, domainHint: null }

/**
 * Takes expressions into the store that the search index alone holds: the store was put back to a time before them. What an index does not
 * keep is gone (who said it, under which external id); the vector is made anew by the step that makes it.
 * @param texts - documents as the index keeps them, by id   @returns ids of those that are in the store now; others cannot be read
 * @throws {EngineUnavailable}
 */
export async function adoptExpressions(
  { store, retries }: { readonly store: AnalyticsStore<ExpressionDocument>; readonly retries: Pick<StepRetries, 'keep'> },
  texts: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const adopted = [...texts].flatMap(([id, text]) => {
    const document = readDocument(text)
    return document?.id === id ? [queuedWithoutVector(document)] : []
  })
  // first, as the writer does: a retry of what is not there yet harms nobody
  await retries.keep(adopted.map(({ document }) => ({ id: document.id, given })))
  if (adopted.length > 0) await store.saveExpressions(adopted.map(recordOf))
  return adopted.map(({ document }) => document.id)
}

function readDocument(text: string): ExpressionDocument | undefined {
  try {
    return ExpressionDocument.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

function queuedWithoutVector(document: ExpressionDocument): QueuedExpression {
  const steps = document.pipeline.steps.map((step) => (step.name === 'embedding' ? { ...step, status: 'failed' as const } : step))
  return {
    document: { ...document, embedding: null, pipeline: { ...document.pipeline, steps } },
    source,
    externalId: null,
    author: null,
    receivedAt: document.createdAt,
    vector: null,
    given,
  }
}

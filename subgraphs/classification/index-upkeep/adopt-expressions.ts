import { type AnalyticsStore, adoptedSource } from '../../../engines/analytics-store/analytics-store.ts'
import { ExpressionDocument, type QueuedExpression } from '../expression/expression-document.ts'
import { recordOf } from '../expression/expression-mapping.ts'
import type { StepRetries } from '../step-retries/step-retries.ts'

const given = { lang: null, address: null, domainHint: null }

/**
 * Adds expressions to the store that only the search index has, for example after a restore of the store. Author and external id are lost,
 * because the index does not contain them, unless the expression itself arrives later; a retry computes the vector. Dead letters remain.
 * @param texts - documents of the index by id  @returns ids of unreadable documents
 * @throws {EngineUnavailable}
 */
export async function adoptExpressions(
  { store, retries }: { readonly store: AnalyticsStore<ExpressionDocument>; readonly retries: Pick<StepRetries, 'schedule'> },
  texts: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const unreadable: string[] = []
  const readable: QueuedExpression[] = []
  for (const [id, text] of texts) {
    const document = readDocument(text)
    if (document?.id !== id) unreadable.push(id)
    else if (!(await store.hasDeadLetter(id))) readable.push(queuedWithoutVector(document))
  }
  const adopted = await store.adoptExpressions(readable.map(recordOf))
  await retries.schedule(adopted.map((id) => ({ id, given })))
  return unreadable
}

function readDocument(text: string): ExpressionDocument | undefined {
  try {
    const { data } = ExpressionDocument.safeParse(JSON.parse(text))
    return data === undefined || Number.isNaN(Date.parse(data.createdAt)) ? undefined : data
  } catch {
    return undefined
  }
}

function queuedWithoutVector(document: ExpressionDocument): QueuedExpression {
  const steps = document.pipeline.steps.map((step) => (step.name === 'embedding' ? { ...step, status: 'failed' as const } : step))
  return {
    document: { ...document, embedding: null, pipeline: { ...document.pipeline, steps } },
    source: adoptedSource,
    externalId: null,
    author: null,
    unverifiedAuthor: null,
    receivedAt: document.createdAt,
    vector: null,
    given,
  }
}

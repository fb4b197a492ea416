import { type AnalyticsStore, type ExpressionRecord, RetiredDomains } from '../../../engines/analytics-store/analytics-store.ts'
import { DomainTree } from '../../../engines/analytics-store/domain-tree.ts'
import type { CommitWindow } from '../../../foundation/concurrency/deadline.ts'
import type { ExpressionDocument } from './expression-document.ts'

type Classification = NonNullable<ExpressionDocument['classification']>

/** Returns the label in the language of the expression, otherwise in French, the first language of the shipped taxonomy, otherwise in English, otherwise the first one. */
export function labelOf(id: string, tree: Pick<DomainTree, 'domains'>, lang: string): string {
  const labels = tree.domains.get(id)?.labels ?? {}
  return labels[lang] ?? labels.fr ?? labels.en ?? Object.values(labels)[0] ?? id
}

/**
 * Returns a document whose domains are current: a retired domain becomes its successor, a moved sub-domain takes its new domain along. Without a
 * successor the expression has no domain, except that a correction by a person stays.
 */
export function withCurrentDomains(document: ExpressionDocument, tree: DomainTree): ExpressionDocument {
  const { classification, lang } = document
  const current = classification && currentClassification(classification, tree, lang?.code ?? 'und')
  return current === classification ? document : { ...document, revision: document.revision + 1, classification: current, indexedAt: null }
}

function currentClassification(classification: Classification, tree: DomainTree, lang: string): Classification {
  const { domain, subDomain, candidates } = classification
  const decided = subDomain ?? domain
  if (decided === null) return classification
  if (!tree.knows(decided.id)) return classification
  const successor = tree.currentOf(decided.id)
  if (successor == null && classification.correctedAt !== undefined) return classification
  // of a sub-domain without a successor its domain remains
  const id = successor ?? (domain && tree.currentOf(domain.id))
  if (id == null)
    return { ...classification, domain: null, subDomain: null, method: 'abstained', candidates: currentCandidates(candidates, tree) }
  const top = tree.domainOf(id)
  if (domain?.id === top && (subDomain?.id ?? top) === id) return classification
  const scored = (each: string, score: number) => ({ id: each, label: labelOf(each, tree, lang), score })
  return {
    ...classification,
    domain: scored(top, domain?.score ?? decided.score),
    subDomain: top === id ? null : scored(id, decided.score),
    candidates: currentCandidates(candidates, tree),
  }
}

/** Returns the candidates as current domains; the best score of those that became one. */
function currentCandidates(candidates: Classification['candidates'], tree: DomainTree): Classification['candidates'] {
  const scores = new Map<string, number>()
  for (const { id, score } of candidates) {
    const current = tree.currentOf(id)
    if (current != null) scores.set(tree.domainOf(current), Math.max(score, scores.get(tree.domainOf(current)) ?? 0))
  }
  return [...scores].map(([id, score]) => ({ id, score }))
}

type Store = Pick<AnalyticsStore<ExpressionDocument>, 'saveExpressions' | 'readTaxonomy'>

/** after as many publications during one write, the follow-up of the last publication moves the expressions */
const maxAttempts = 3

/** Saves expressions so that none refers to a domain that is retired at that moment. */
export async function saveWithCurrentDomains(
  store: Store,
  records: readonly ExpressionRecord<ExpressionDocument>[],
  window?: CommitWindow,
  options: { readonly onlyNewer?: boolean } = {},
): Promise<{ readonly added: number; readonly updated: number }> {
  let current = records
  for (let attempt = 1; ; attempt++) {
    try {
      return await store.saveExpressions(current, window, { ...options, onlyCurrentDomains: attempt <= maxAttempts })
    } catch (error) {
      if (!(error instanceof RetiredDomains)) throw error
      const tree = new DomainTree(await store.readTaxonomy())
      current = current.map((record) => withDocument(record, withCurrentDomains(record.enrichment, tree)))
    }
  }
}

/** Returns a record with another document and the columns that repeat it. */
export const withDocument = (
  record: ExpressionRecord<ExpressionDocument>,
  document: ExpressionDocument,
): ExpressionRecord<ExpressionDocument> => ({
  ...record,
  enrichment: document,
  domain: document.classification?.domain?.id ?? null,
  subDomain: document.classification?.subDomain?.id ?? null,
})

import type { ExpressionDocument } from '../expression/expression-document.ts'
import type { DecidedDomain, DomainCandidate, Expression, ExpressionClassification } from './expression.type.ts'

export function typeOfExpression({ revision: _, classification, ...document }: ExpressionDocument): Expression {
  return {
    ...document,
    status: document.indexedAt === null ? 'pending' : 'indexed',
    classification: classification && typeOfClassification(classification),
    createdAt: new Date(document.createdAt),
    indexedAt: document.indexedAt === null ? null : new Date(document.indexedAt),
  }
}

function typeOfClassification({
  domain,
  subDomain,
  candidates,
  ...rest
}: NonNullable<ExpressionDocument['classification']>): ExpressionClassification {
  return { ...rest, domain: domain && decided(domain), subDomain: subDomain && decided(subDomain), candidates: candidates.map(candidate) }
}

const candidate = ({ id, score }: { readonly id: string; readonly score: number }): DomainCandidate => ({ domain: { id }, score })

const decided = ({ label, ...scored }: { readonly id: string; readonly label: string; readonly score: number }): DecidedDomain => ({
  ...candidate(scored),
  label,
})

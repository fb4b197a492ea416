import type { ExpressionDocument } from '../../../subgraphs/classification/expression/expression-document.ts'
import type { NewExpression } from '../../../subgraphs/classification/expression/expression-input.ts'

/** A French expression without findings except the language. */
export const expressionDocument = (members: Pick<ExpressionDocument, 'id'> & Partial<ExpressionDocument>): ExpressionDocument => ({
  revision: 1,
  text: 'x',
  lang: { code: 'fr', confidence: 1, detected: true },
  location: null,
  classification: null,
  sentiment: null,
  toxicity: null,
  personalData: { redacted: false, types: [] },
  embedding: null,
  pipeline: { version: '1', steps: [] },
  createdAt: '2026-01-01T00:00:00.000Z',
  indexedAt: null,
  ...members,
})

/** A new expression with an external id and no other optional values. */
export const newExpression = (externalId: string, text: string): NewExpression => ({
  text,
  lang: null,
  position: null,
  address: null,
  domainHint: null,
  externalId,
  authorRef: null,
  source: 'test',
  createdAt: null,
})

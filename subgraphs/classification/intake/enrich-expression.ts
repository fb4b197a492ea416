import { rfc3339 } from '../../../foundation/clock.ts'
import { missingBlocks } from '../analysis/missing-findings.ts'
import type { Pipeline, RawExpression } from '../analysis/pipeline.ts'
import { cleanText } from '../analysis/redaction/clean-text.ts'
import { redactPersonalData } from '../analysis/redaction/redact-personal-data.ts'
import type { PersonalDataType } from '../analysis/redaction/rule.ts'
import type { ExpressionDocument, QueuedExpression } from '../expression/expression-document.ts'
import { vectorText } from '../expression/expression-mapping.ts'
import { authorOf, type ExpressionKey, expressionKey, type IdentityKeys, type Sender, vouchesForAuthors } from './expression-key.ts'

/** An expression that follows the rules, before its personal data is removed. */
export interface NewExpression extends RawExpression {
  readonly externalId: string | null
  readonly authorRef: string | null
  readonly source: string
  readonly createdAt: Date | null
  /** distinguishes repeated lines without external id and author; absent: each expression is distinct */
  readonly occurrence?: string
}

/** A redacted expression with its id. */
export interface IdentifiedExpression extends ExpressionKey {
  readonly text: string
  readonly types: readonly PersonalDataType[]
  readonly redactionMs: number
  /** HMAC in hex, when the sender vouches for the author */
  readonly author: string | null
  /** HMAC in hex, when it does not */
  readonly unverifiedAuthor: string | null
}

/** Removes personal data first, then identifies the expression. */
export function identify(
  expression: NewExpression,
  sender: Sender,
  receivedAt: Date,
  { pseudonymKey, expressionKey: key }: IdentityKeys,
): IdentifiedExpression {
  const from = performance.now()
  const { text, types } = redactPersonalData(cleanText(expression.text))
  const redactionMs = performance.now() - from
  const author = expression.authorRef === null ? null : authorOf(expression.authorRef, pseudonymKey)
  const isVerified = vouchesForAuthors(sender)
  return {
    ...expressionKey({ ...expression, sender, author, text }, receivedAt, key),
    text,
    types,
    redactionMs,
    author: isVerified ? author : null,
    unverifiedAuthor: isVerified ? null : author,
  }
}

/** Runs the pipeline and returns the expression ready to be queued. */
export async function enrich(
  pipeline: Pick<Pipeline, 'run'>,
  expression: NewExpression,
  { id, text, types, redactionMs, author, unverifiedAuthor }: IdentifiedExpression,
  receivedAt: Date,
  signal: AbortSignal,
): Promise<QueuedExpression> {
  const { vector, failures, ...findings } = await pipeline.run({ ...expression, text }, redactionMs, signal)
  const document: ExpressionDocument = {
    id,
    revision: receivedAt.getTime(),
    text,
    ...findings,
    personalData: { redacted: types.length > 0, types: [...types] },
    createdAt: rfc3339(expression.createdAt ?? receivedAt),
    indexedAt: null,
  }
  const { lang, address, domainHint } = expression
  return {
    document,
    source: expression.source,
    externalId: expression.externalId,
    author,
    unverifiedAuthor,
    receivedAt: rfc3339(receivedAt),
    vector: vector && vectorText(vector),
    ...(missingBlocks(document).length > 0 && { given: { lang, address, domainHint, failures } }),
  }
}

import { rfc3339 } from '../../../foundation/clock.ts'
import { missingBlocks } from '../analysis/missing-findings.ts'
import type { Pipeline } from '../analysis/pipeline.ts'
import { redactPersonalData } from '../analysis/redaction/redact-personal-data.ts'
import type { PersonalDataType } from '../analysis/redaction/rule.ts'
import type { ExpressionDocument, QueuedExpression } from '../expression/expression-document.ts'
import type { NewExpression } from '../expression/expression-input.ts'
import { vectorText } from '../expression/expression-mapping.ts'
import {
  authorOf,
  digestOfText,
  type ExpressionKey,
  expressionKey,
  type IdentityKeys,
  type Sender,
  vouchesForAuthors,
} from './expression-key.ts'
import { cleanText } from './expression-rules.ts'

/** A redacted expression with its id: all that the pipeline and the queue need, and nothing that names the author. */
export interface IdentifiedExpression extends Omit<NewExpression, 'authorRef' | 'occurrence'>, ExpressionKey {
  readonly types: readonly PersonalDataType[]
  readonly redactionMs: number
  /** distinguishes texts of an external id; null without one */
  readonly digest: string | null
  /** HMAC in hex, when the sender vouches for the author */
  readonly author: string | null
  /** HMAC in hex, when it does not */
  readonly unverifiedAuthor: string | null
}

/** Removes personal data first, then identifies the expression. */
export function identify(
  { authorRef, occurrence, ...expression }: NewExpression,
  sender: Sender,
  receivedAt: Date,
  { pseudonymKey, expressionKey: key }: IdentityKeys,
): IdentifiedExpression {
  const from = performance.now()
  const unredacted = cleanText(expression.text)
  const { text, types } = redactPersonalData(unredacted)
  const redactionMs = performance.now() - from
  const author = authorRef === null ? null : authorOf(authorRef, pseudonymKey)
  const isVerified = vouchesForAuthors(sender)
  return {
    ...expression,
    ...expressionKey({ ...expression, ...(occurrence !== undefined && { occurrence }), sender, author, text }, receivedAt, key),
    text,
    types,
    redactionMs,
    digest: expression.externalId === null ? null : digestOfText(unredacted, key),
    author: isVerified ? author : null,
    unverifiedAuthor: isVerified ? null : author,
  }
}

/** Runs the pipeline and returns the expression ready to be queued. */
export async function enrich(
  pipeline: Pick<Pipeline, 'run'>,
  expression: IdentifiedExpression,
  receivedAt: Date,
  signal: AbortSignal,
): Promise<QueuedExpression> {
  const { id, text, types, redactionMs, source, externalId, author, unverifiedAuthor, lang, address, domainHint } = expression
  const { vector, failures, ...findings } = await pipeline.run(expression, redactionMs, signal)
  const document: ExpressionDocument = {
    id,
    revision: receivedAt.getTime(),
    text,
    ...findings,
    personalData: { redacted: types.length > 0, types: [...types] },
    createdAt: rfc3339(expression.createdAt ?? receivedAt),
    indexedAt: null,
  }
  return {
    document,
    source,
    externalId,
    author,
    unverifiedAuthor,
    receivedAt: rfc3339(receivedAt),
    vector: vector && vectorText(vector),
    ...(missingBlocks(document).length > 0 && { given: { lang, address, domainHint, failures } }),
  }
}

import type { ModerationCases } from '../../../engines/analytics-store/moderation-cases.ts'
import type { AuditTrail } from '../../../engines/audit/audit-trail.ts'
import type { Transaction } from '../../../engines/relational/database.ts'
import type { CommitWindow } from '../../../foundation/concurrency/deadline.ts'
import { type ExpressionDocument, type QueuedExpression, readQueued } from '../expression/expression-document.ts'

export interface ScreeningPolicy {
  /** whether expressions above the threshold are held until a person releases them; otherwise they are only listed for moderation */
  readonly isHolding: boolean
  /** toxicity from 0 to 1 */
  readonly threshold: number
}

/** request of an audit record that no request caused */
const byPlatform = { principal: {}, requestId: 'moderation' } as const

/** Lists expressions above the toxicity threshold for moderation, or holds them. */
export class ExpressionScreening {
  readonly #cases: ModerationCases
  readonly #audit: Pick<AuditTrail, 'record'>
  readonly #policy: ScreeningPolicy

  constructor(cases: ModerationCases, audit: Pick<AuditTrail, 'record'>, policy: ScreeningPolicy) {
    this.#cases = cases
    this.#audit = audit
    this.#policy = policy
  }

  /** Returns whether an expression must be held. */
  mustHold(document: ExpressionDocument): boolean {
    return this.#policy.isHolding && this.#isAbove(document)
  }

  /**
   * Stores an expression that must be held.
   * @param options - `mayHold`: called first in the transaction, which does nothing if it returns false
   * @returns false also if an expression is stored under its id
   */
  async hold(
    queued: QueuedExpression,
    {
      window,
      mayHold = async () => true,
    }: { readonly window?: CommitWindow; readonly mayHold?: (tx: Transaction) => Promise<boolean> } = {},
  ): Promise<boolean> {
    const { author, unverifiedAuthor, document } = queued
    const held = { id: document.id, content: queued, author, unverifiedAuthor, toxicity: document.toxicity?.score ?? 0 }
    return this.#cases.hold(held, { window, mayHold, within: (tx) => this.#recordHold(document, tx) })
  }

  /** Lists those above the threshold for moderation. */
  async flag(documents: readonly ExpressionDocument[], tx?: Transaction): Promise<void> {
    const flagged = documents.filter((document) => this.#isAbove(document))
    await this.#cases.flag(
      flagged.map(({ id, toxicity }) => ({ id, toxicity: toxicity?.score ?? 0 })),
      tx,
    )
  }

  /** Holds or lists a published expression whose toxicity was found later. */
  async reconsider(document: ExpressionDocument): Promise<void> {
    if (!this.mustHold(document)) return this.flag([document])
    await this.#cases.holdPublished(document.id, document.toxicity?.score ?? 0, { within: (tx) => this.#recordHold(document, tx) })
  }

  /** Returns the expressions among these ids that are held. */
  async held(ids: readonly string[]): Promise<ReadonlyMap<string, ExpressionDocument>> {
    const contents = await this.#cases.heldContents(ids)
    return new Map([...contents].map(([id, content]) => [id, readQueued(content).document]))
  }

  #isAbove({ toxicity }: ExpressionDocument): boolean {
    return toxicity !== null && toxicity.score >= this.#policy.threshold
  }

  #recordHold({ id, toxicity }: ExpressionDocument, tx: Transaction): Promise<void> {
    const details = { toxicity: toxicity?.score }
    return this.#audit.record(byPlatform, [{ action: 'expression.hold', outcome: 'done', target: id, details }], tx)
  }
}

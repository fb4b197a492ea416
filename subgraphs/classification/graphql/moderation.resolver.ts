import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql'
import type { DeadLetterCount, MessageQueue } from '../../../engines/message-queue/message-queue.ts'
import type { Deadline } from '../../../foundation/concurrency/deadline.ts'
import { InvalidInput, NotFound, refuseViolations } from '../../../foundation/fault.ts'
import { Authorise, userWith } from '../../../foundation/graphql/authorisation.ts'
import { nodeIdOf } from '../../../foundation/graphql/node-id.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { renamed } from '../../../foundation/validation/renamed.ts'
import { required, tooFew, tooMany } from '../../../foundation/validation/violation.ts'
import { pipelineVersion } from '../analysis/pipeline.ts'
import { type Sender, senderOf } from '../intake/expression-key.ts'
import { newExpression } from '../intake/expression-rules.ts'
import type { IngestExpression } from '../intake/ingest-expression.ts'
import { refusalOf } from '../intake/refusal-codes.ts'
import { correctClassification, type ModerationDependencies, withdrawExpression } from '../moderation/correct-expression.ts'
import { type CaseDependencies, withdrawRestorable } from '../moderation/decide-case.ts'
import type { IngestExpressionInput } from './expression.input.ts'
import { typeOfExpression } from './expression.type.ts'
import {
  CorrectClassificationInput,
  CorrectClassificationPayload,
  IngestExpressionsInput,
  IngestExpressionsPayload,
  type IngestedExpression,
  PipelineMetrics,
  WithdrawExpressionInput,
  WithdrawExpressionPayload,
} from './moderation.type.ts'

const maxTogether = 200
/** expressions of one request that are processed concurrently */
const atOnce = 8

/** Moderation of expressions by administrators. */
@Resolver()
export class ModerationResolver {
  readonly #ingest: IngestExpression
  readonly #queue: MessageQueue & DeadLetterCount
  readonly #parts: ModerationDependencies & CaseDependencies

  constructor(ingest: IngestExpression, queue: MessageQueue & DeadLetterCount, parts: ModerationDependencies & CaseDependencies) {
    this.#ingest = ingest
    this.#queue = queue
    this.#parts = parts
  }

  @Mutation(() => IngestExpressionsPayload, {
    description:
      'Accepts several expressions. A refused expression does not affect the others; expressions not reached within the time limit of the request are refused.',
  })
  @Authorise(userWith('super_admin'))
  async ingestExpressions(
    @Arg('input', () => IngestExpressionsInput) { expressions }: IngestExpressionsInput,
    @Ctx() context: RequestContext,
  ): Promise<IngestExpressionsPayload> {
    if (expressions.length === 0 || expressions.length > maxTogether)
      throw new InvalidInput(`\`expressions\` must have 1 to ${maxTogether} items`, [
        expressions.length === 0 ? tooFew(['expressions'], 1) : tooMany(['expressions'], maxTogether),
      ])
    const { deadline, principal } = context
    const details = { received: expressions.length }
    await this.#parts.audit.record(context, [{ action: 'expressions.ingest', outcome: 'done', details }])
    const results: IngestedExpression[] = []
    const sender = senderOf(principal)
    const groups = [...Map.groupBy(expressions.entries(), ([index, input]) => orderedBy(index, input)).values()]
    const work = async (): Promise<void> => {
      for (let group = groups.shift(); group !== undefined; group = groups.shift())
        for (const [index, input] of group) results[index] = await this.#ingestOne(input, sender, deadline)
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    const created = results.filter((result) => result.created).length
    const refused = results.filter(({ refusal }) => refusal !== null).length
    return { results, created, refused, known: results.length - created - refused }
  }

  async #ingestOne(input: IngestExpressionInput, sender: Sender, deadline: Deadline): Promise<IngestedExpression> {
    try {
      const { document, created, isHeld } = await this.#ingest.ingest(newExpression(input, undefined, 'refused'), sender, deadline)
      return { expression: typeOfExpression(document), created, moderation: isHeld ? 'held' : null, refusal: null }
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal === undefined) throw error
      const entries = refusal.entries.map(({ path, ...rule }) => ({ ...rule, path: path.map(String) }))
      return { expression: null, created: false, moderation: null, refusal: { ...refusal, entries } }
    }
  }

  @Mutation(() => WithdrawExpressionPayload, {
    description: 'Erases an expression and its votes, which cannot be undone, or withdraws it so that it can be restored (`isRestorable`).',
  })
  @Authorise(userWith('super_admin'))
  async withdrawExpression(
    @Arg('input', () => WithdrawExpressionInput) { id, isRestorable = false, reason, note }: WithdrawExpressionInput,
    @Ctx() context: RequestContext,
  ): Promise<WithdrawExpressionPayload> {
    // an erasure keeps neither, and cannot be undone
    const lost = isRestorable ? [] : Object.entries({ reason, note }).flatMap(([member, value]) => (value == null ? [] : [member]))
    refuseViolations(lost.map((member) => ({ code: 'mismatch', path: [member], message: 'needs `isRestorable`: true' }) as const))
    if (isRestorable) await withdrawRestorable(this.#parts, id, { reason, note }, context)
    else if (!(await withdrawExpression(this.#parts, id, context))) throw new NotFound('Expression not found')
    return { id, deletedNodeId: nodeIdOf('Expression', id) }
  }

  @Mutation(() => CorrectClassificationPayload, { description: 'Sets the domain or the sentiment of an expression manually.' })
  @Authorise(userWith('super_admin'))
  async correctClassification(
    @Arg('input', () => CorrectClassificationInput) input: CorrectClassificationInput,
    @Ctx() context: RequestContext,
  ): Promise<CorrectClassificationPayload> {
    const { id, sentiment } = input
    const { value: domain, name: domainMember } = renamed(input, 'domainId', 'domain')
    if (domain === undefined && sentiment == null)
      throw new InvalidInput('`domainId` or `sentiment` is missing', [required(['domainId']), required(['sentiment'])])
    return { expression: typeOfExpression(await correctClassification(this.#parts, id, { domain, domainMember, sentiment }, context)) }
  }

  @Query(() => PipelineMetrics, { description: 'Current figures of the pipeline and its queue.' })
  @Authorise(userWith('super_admin'))
  async pipelineMetrics(@Ctx() { signal }: RequestContext): Promise<PipelineMetrics> {
    const { store, retries } = this.#parts
    const [queueMessages, oldestMs, retriesWaiting, deadLetters, deadMessages, expressions] = await Promise.all([
      this.#queue.depth(signal),
      this.#queue.oldestAgeMs(signal),
      retries.waiting(),
      store.countDeadLetters(),
      this.#queue.dead(signal),
      store.countExpressions(),
    ])
    const queueOldestSeconds = oldestMs / 1000
    return { version: pipelineVersion, queueMessages, queueOldestSeconds, retriesWaiting, deadLetters, deadMessages, expressions }
  }
}

/** Possible duplicates are processed in order. */
const orderedBy = (index: number, { source, externalId }: IngestExpressionInput): string | number =>
  externalId == null ? index : JSON.stringify([source, externalId])

import { Arg, Args, ArgsType, Ctx, Mutation, Query, Resolver } from 'type-graphql'
import type { AnalyticsStore } from '../../../engines/analytics-store/analytics-store.ts'
import type { AuditTrail } from '../../../engines/audit/audit-trail.ts'
import type { DeadLetters } from '../../../engines/message-queue/message-queue.ts'
import { InvalidInput } from '../../../foundation/fault.ts'
import { Authorise, userWith } from '../../../foundation/graphql/authorisation.ts'
import { maxReportedIds, pageOf } from '../../../foundation/graphql/connection.ts'
import { type CursorArgument, Cursors, foreignCursor } from '../../../foundation/graphql/cursors.ts'
import { deprecated } from '../../../foundation/graphql/deprecated.ts'
import { nodeIdOf } from '../../../foundation/graphql/node-id.ts'
import { type PageRequest, pageArguments, pageWindow } from '../../../foundation/graphql/page-window.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { isStorableText, isUuid } from '../../../foundation/validation/values.ts'
import { tooFew, tooMany } from '../../../foundation/validation/violation.ts'
import type { ExpressionDocument } from '../expression/expression-document.ts'
import { type RedriveResult, redriveDeadLetters, redriveSome } from '../intake/redrive.ts'
import type { StepRetries } from '../step-retries/step-retries.ts'
import {
  type DeadLetter,
  DeadLetterConnection,
  DeadLetterFilterInput,
  DeadLetterKind,
  RedriveDeadLettersInput,
  RedriveDeadLettersPayload,
} from './dead-letter.type.ts'

const lettersOfPage = { defaultSize: 20, maxSize: 100 } as const
const maxTogether = 100
const operators = userWith('super_admin')
/** reserve of a request for its response */
const marginMs = 2000

@ArgsType()
class DeadLettersArgs extends pageArguments(lettersOfPage) {}

export interface DeadLetterDependencies {
  readonly store: AnalyticsStore<ExpressionDocument>
  readonly retries: StepRetries
  readonly queue: DeadLetters
  readonly audit: AuditTrail
}

/** Dead letters and their redrive. */
@Resolver()
export class DeadLettersResolver {
  readonly #parts: DeadLetterDependencies

  constructor(parts: DeadLetterDependencies) {
    this.#parts = parts
  }

  @Query(() => DeadLetterConnection, { description: 'Dead letters, oldest first.' })
  @Authorise(operators)
  async deadLetters(
    @Arg('filter', () => DeadLetterFilterInput, { nullable: true, description: 'Restricts the list; without it, the kind is EXPRESSION.' })
    filter: DeadLetterFilterInput | null | undefined,
    @Arg('kind', () => DeadLetterKind, {
      defaultValue: DeadLetterKind.EXPRESSION,
      description: 'Kind of the dead letters; ignored beside `filter`.',
      ...deprecated('filter'),
    })
    formerKind: `${DeadLetterKind}`,
    @Args(() => DeadLettersArgs) args: DeadLettersArgs,
    @Ctx() { signal }: RequestContext,
  ): Promise<DeadLetterConnection> {
    const kind = filter?.kind ?? formerKind
    const page = kind === 'message' ? await this.#messages(args) : await this.#expressions(args)
    return { ...page, count: () => this.#count(kind, signal) }
  }

  async #expressions(args: PageRequest) {
    const cursors = new Cursors(['deadLetters', 'expression'])
    const window = pageWindow(args, lettersOfPage, (cursor, argument) => {
      const { moment: at, id } = cursors.momentOf(cursor, argument, isUuid)
      return { at, id }
    })
    const letters = await this.#parts.store.pageOfDeadLetters(window)
    const deadLetters = letters.map((letter): DeadLetter => ({ ...letter, kind: 'expression' }))
    return pageOf(deadLetters, window, ({ at, id }) => cursors.ofMoment(at, id))
  }

  async #messages(args: PageRequest) {
    const cursors = new Cursors(['deadLetters', 'message'])
    const placeOf = (cursor: string, argument: CursorArgument): number => {
      const [place] = cursors.placeOf(cursor, 1, argument)
      if (Number.isSafeInteger(place)) return Number(place)
      throw foreignCursor(argument)
    }
    const window = pageWindow(args, lettersOfPage, placeOf)
    const messages = await this.#parts.queue.deadMessages(window)
    const deadLetters = messages.map(({ id, reason, at }): DeadLetter => ({ id: String(id), kind: 'message', reason, at }))
    return pageOf(deadLetters, window, ({ id }) => cursors.of(Number(id)))
  }

  @Mutation(() => RedriveDeadLettersPayload, {
    description:
      'Processes dead letters again. Expressions that can be written are written; those that fail again remain with the new reason.',
  })
  @Authorise(operators)
  async redriveDeadLetters(
    @Arg('input', () => RedriveDeadLettersInput) { kind, ids }: RedriveDeadLettersInput,
    @Ctx() context: RequestContext,
  ): Promise<RedriveDeadLettersPayload> {
    if (ids?.length === 0) throw new InvalidInput(`\`ids\` must have 1 to ${maxTogether} items`, [tooFew(['ids'], 1)])
    if (ids != null && ids.length > maxTogether)
      throw new InvalidInput(`\`ids\` must have 1 to ${maxTogether} items`, [tooMany(['ids'], maxTogether)])
    const requested = new Set(ids)
    // an id that no table can store is unknown
    const wanted = ids == null ? undefined : [...requested].filter(isStorableText)
    const entry = { action: 'dead-letters.redrive', outcome: 'done' } as const
    await this.#parts.audit.record(
      context,
      wanted === undefined ? [{ ...entry, details: { kind } }] : wanted.map((target) => ({ ...entry, target, details: { kind } })),
    )
    const {
      written,
      waiting,
      failed,
      ids: redriven,
    } = kind === 'message' ? await this.#redriveMessages(wanted) : await this.#redriveExpressions(wanted, context)
    const foundCount = written + waiting + failed
    return {
      written,
      waiting,
      failed,
      redrivenIds: redriven.slice(0, maxReportedIds),
      deletedNodeIds: redriven.slice(0, maxReportedIds).map((id) => nodeIdOf('DeadLetter', id)),
      unknown: (ids == null ? foundCount : requested.size) - foundCount,
      remaining: await this.#count(kind, context.signal),
    }
  }

  /** Returns a dead letter by id; null when it does not exist or the caller may not read dead letters. */
  async find(id: string, { principal }: RequestContext): Promise<DeadLetter | null> {
    if (!operators.allows(principal, undefined)) return null
    if (isUuid(id)) {
      const [letter] = await this.#parts.store.findDeadLetters([id])
      return letter === undefined ? null : { id, kind: 'expression', reason: letter.reason, at: letter.at }
    }
    const [place] = placesOf([id])
    if (place === undefined) return null
    const [message] = await this.#parts.queue.deadMessages({ beyond: place - 1, limit: 1 })
    return message?.id === place ? { id, kind: 'message', reason: message.reason, at: message.at } : null
  }

  async #redriveMessages(ids: readonly string[] | undefined): Promise<RedriveResult> {
    const sent = await this.#parts.queue.redrive(ids && placesOf(ids))
    return { written: 0, waiting: sent.length, failed: 0, ids: sent.map(String) }
  }

  #redriveExpressions(ids: readonly string[] | undefined, { deadline }: RequestContext): Promise<RedriveResult> {
    if (ids !== undefined) return redriveSome(this.#parts, ids)
    return redriveDeadLetters(this.#parts, () => deadline.remainingMs > marginMs)
  }

  #count(kind: `${DeadLetterKind}`, signal: AbortSignal): Promise<number> {
    return kind === 'message' ? this.#parts.queue.dead(signal) : this.#parts.store.countDeadLetters()
  }
}

/** Returns the ids that are message numbers. */
const placesOf = (ids: readonly string[]): readonly number[] => ids.filter((id) => /^\d{1,15}$/.test(id)).map(Number)

import { Arg, Args, Ctx, Query, Resolver, Root, Subscription } from 'type-graphql'
import { analyticsTopic } from '../../../engines/analytics-store/analytics-store.ts'
import type { EventFeed } from '../../../engines/event-feed/event-feed.ts'
import { PositionArguments, type PositionedEvent, startOf } from '../../../foundation/graphql/event-position.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { servedFromStream } from '../../../foundation/subgraph/subgraph.ts'
import type { TopicTrainer } from '../analysis/topic/topic-trainer.ts'
import type { ExpressionStream } from '../stream/expression-stream.ts'
import { ExpressionStreamFilterInput } from './expression.input.ts'
import { typeOfExpression } from './expression.type.ts'
import { ExpressionAdded, ExpressionStreamState } from './expression-stream.type.ts'
import { readFilter } from './read-filter.ts'

export interface ExpressionStreamDependencies {
  readonly stream: ExpressionStream
  readonly feed: EventFeed
  readonly topics: Pick<TopicTrainer, 'tree'>
}

@Resolver()
export class ExpressionStreamResolver {
  readonly #parts: ExpressionStreamDependencies

  constructor(parts: ExpressionStreamDependencies) {
    this.#parts = parts
  }

  @Query(() => ExpressionStreamState, { description: 'Current position of the expression stream and the domains that its filter accepts.' })
  async expressionStream(@Ctx() { signal }: RequestContext): Promise<PositionedEvent<ExpressionStreamState>> {
    const { feed, topics } = this.#parts
    const position = await feed.position(analyticsTopic, signal)
    return { position, domains: (await topics.tree()).ids.map((id) => ({ id })) }
  }

  @Subscription(() => ExpressionAdded, {
    description: 'Emits an event for each expression that is written, at least once.',
    subscribe: servedFromStream,
  })
  expressionAdded(
    @Root() event: PositionedEvent<ExpressionAdded>,
    @Arg('filter', () => ExpressionStreamFilterInput, {
      nullable: true,
      description: 'Restricts the expressions; without it, all are emitted.',
    })
    _filter?: ExpressionStreamFilterInput | null,
    @Arg('updates', () => Boolean, { defaultValue: false, description: 'Whether to emit changed expressions as well.' }) _updates?: boolean,
    @Arg('withdrawals', () => Boolean, {
      defaultValue: false,
      description: 'Whether to emit withdrawals as well; the filter does not apply to them, because the content is erased.',
    })
    _withdrawals?: boolean,
    @Args(() => PositionArguments) _start?: PositionArguments,
  ): PositionedEvent<ExpressionAdded> {
    return event
  }

  /** Yields the events of `expressionAdded`. @throws {InvalidInput} for an invalid filter */
  async *events(
    args: Readonly<Record<string, unknown>>,
    { signal, address }: RequestContext,
  ): AsyncGenerator<PositionedEvent<ExpressionAdded>> {
    // validated against the printed schema
    const {
      filter: input,
      updates,
      withdrawals,
    } = args as { filter?: ExpressionStreamFilterInput | null; updates: boolean; withdrawals: boolean }
    const filter = await readFilter(input, this.#parts.topics)
    for await (const event of this.#parts.stream.follow({ filter, updates, withdrawals, after: startOf(args), address }, signal))
      yield {
        position: event.position,
        kind: event.kind,
        dropped: event.dropped,
        expression: event.document && typeOfExpression(event.document),
        formerDomains: event.document === null ? [] : event.formerDomains.map((id) => ({ id })),
        withdrawnId: event.kind === 'withdrawn' ? event.withdrawnId : null,
      }
  }
}

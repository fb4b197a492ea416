import { Args, ArgsType, Ctx, Field, FieldResolver, Query, Resolver, Root } from 'type-graphql'
import type { AnalyticsStore, ExpressionPlace } from '../../../engines/analytics-store/analytics-store.ts'
import type { MessageBacklog } from '../../../engines/message-queue/message-queue.ts'
import { type PageWindow, pageOf } from '../../../foundation/graphql/connection.ts'
import { Cursors, foreignCursor } from '../../../foundation/graphql/cursors.ts'
import { loader } from '../../../foundation/graphql/loader.ts'
import { pageArguments, pageWindow } from '../../../foundation/graphql/page-window.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { both } from '../../../foundation/validation/both.ts'
import { isUuid } from '../../../foundation/validation/values.ts'
import type { TopicTrainer } from '../analysis/topic/topic-trainer.ts'
import { untilWritten } from '../intake/batch-writer.ts'
import { Domain } from './domain.type.ts'
import { ExpressionFilterInput } from './expression.input.ts'
import { type Expression, ExpressionListConnection } from './expression.type.ts'
import { readFilter } from './read-filter.ts'

const expressionsOfPage = { defaultSize: 20, maxSize: 100 } as const

@ArgsType()
class RecentExpressionsArgs extends pageArguments(expressionsOfPage) {
  @Field(() => ExpressionFilterInput, { nullable: true, description: 'Restricts the list; without it, all expressions are returned.' })
  filter?: ExpressionFilterInput | null
}

export interface RecentExpressionsDependencies {
  readonly store: Pick<AnalyticsStore, 'newestExpressions' | 'newestOfDomains' | 'countNewest' | 'countNewestOfDomains'>
  readonly topics: Pick<TopicTrainer, 'tree'>
  /** the queue of accepted expressions that are not stored yet */
  readonly queue: Pick<MessageBacklog, 'oldestAgeMs'>
  /** returns an expression by id, batched per request */
  readonly find: (id: string, context: RequestContext) => Promise<Expression | null>
}

/** Expressions by time: the order comes from the analytics store, the content from the search index. */
@Resolver()
export class RecentExpressionsResolver {
  readonly #parts: RecentExpressionsDependencies

  constructor(parts: RecentExpressionsDependencies) {
    this.#parts = parts
  }

  @Query(() => ExpressionListConnection, {
    description: 'Expressions, newest first.',
  })
  async expressions(
    @Args(() => RecentExpressionsArgs) args: RecentExpressionsArgs,
    @Ctx() context: RequestContext,
  ): Promise<ExpressionListConnection> {
    const page = await this.#pageFor(args, ['expressions'])
    await this.#untilWritten(page, context)
    const { store } = this.#parts
    return this.#connection(await store.newestExpressions(page), page, () => store.countNewest(page.filter), context)
  }

  /** Returns the expressions of a domain and its sub-domains, batched per request. */
  async ofDomain(domain: string, args: RecentExpressionsArgs, context: RequestContext): Promise<ExpressionListConnection> {
    const page = await this.#pageFor(args, ['Domain.expressions', domain])
    const places = await loader<string, readonly ExpressionPlace[]>(
      context,
      `expressions of domains ${JSON.stringify(args)}`,
      async (ids) => {
        await this.#untilWritten(page, context)
        const byDomain = await this.#parts.store.newestOfDomains(ids, page)
        return ids.map((each) => byDomain.get(each) ?? [])
      },
    ).load(domain)
    const counts = loader<string, number>(context, `expressions of domains, how many ${JSON.stringify(args.filter)}`, async (ids) => {
      const byDomain = await this.#parts.store.countNewestOfDomains(ids, page.filter)
      return ids.map((each) => byDomain.get(each) ?? 0)
    })
    return this.#connection(places, page, () => counts.load(domain), context)
  }

  /** @throws {InvalidInput} */
  async #pageFor({ filter, ...request }: RecentExpressionsArgs, list: readonly string[]) {
    const cursors = new Cursors(list, filter)
    const windowOf = () =>
      pageWindow(request, expressionsOfPage, (cursor, argument) => {
        const { moment: createdAt, id } = cursors.momentOf(cursor, argument)
        if (isUuid(id)) return { createdAt, id }
        throw foreignCursor(argument)
      })
    const [window, conditions] = await both(windowOf, () => readFilter(filter, this.#parts.topics))
    return { ...window, cursors, filter: conditions }
  }

  /** Waits for pending writes, on the page that contains the newest expressions only. */
  async #untilWritten({ beyond, isBackward }: PageWindow<ExpressionPlace>, { signal }: RequestContext): Promise<void> {
    if (beyond === undefined && !isBackward) await untilWritten(this.#parts.queue, signal)
  }

  async #connection(
    places: readonly ExpressionPlace[],
    window: PageWindow<ExpressionPlace> & { readonly cursors: Cursors },
    count: () => Promise<number>,
    context: RequestContext,
  ): Promise<ExpressionListConnection> {
    const { edges, pageInfo } = pageOf(places, window, ({ createdAt, id }) => window.cursors.ofMoment(createdAt, id))
    const loaded = await Promise.all(edges.map(async ({ node: { id }, cursor }) => ({ node: await this.#parts.find(id, context), cursor })))
    // expressions that were withdrawn meanwhile are omitted
    const shown = loaded.flatMap(({ node, cursor }) => (node === null ? [] : [{ node, cursor }]))
    return { edges: shown, nodes: shown.map(({ node }) => node), pageInfo, count }
  }
}

@Resolver(() => Domain)
export class DomainExpressionsResolver {
  readonly #recent: RecentExpressionsResolver

  constructor(recent: RecentExpressionsResolver) {
    this.#recent = recent
  }

  @FieldResolver(() => ExpressionListConnection, {
    nullable: true,
    description: 'Expressions in this domain and its sub-domains, newest first; null while the search index is unavailable.',
  })
  expressions(
    @Root() { id }: Domain,
    @Args(() => RecentExpressionsArgs) args: RecentExpressionsArgs,
    @Ctx() context: RequestContext,
  ): Promise<ExpressionListConnection> {
    return this.#recent.ofDomain(id, args, context)
  }
}

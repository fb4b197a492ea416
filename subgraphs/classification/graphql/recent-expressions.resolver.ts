import { Args, ArgsType, Ctx, Field, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql'
import type { AnalyticsStore, ExpressionPlace, PublicExpression } from '../../../engines/analytics-store/analytics-store.ts'
import type { MessageBacklog } from '../../../engines/message-queue/message-queue.ts'
import type { SearchFilter, SearchIndex } from '../../../engines/search-index/search-index.ts'
import { refuseViolations } from '../../../foundation/fault.ts'
import { type PageWindow, pageOf } from '../../../foundation/graphql/connection.ts'
import { Cursors, foreignCursor } from '../../../foundation/graphql/cursors.ts'
import { loader } from '../../../foundation/graphql/loader.ts'
import { type PageLimits, type PageRequest, pageArguments, pageWindow } from '../../../foundation/graphql/page-window.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { inSearchTurn } from '../../../foundation/graphql/search-turn.ts'
import { both } from '../../../foundation/validation/both.ts'
import { isUuid } from '../../../foundation/validation/values.ts'
import { outOfRange } from '../../../foundation/validation/violation.ts'
import type { TopicTrainer } from '../analysis/topic/topic-trainer.ts'
import { untilWritten } from '../intake/batch-writer.ts'
import { Domain } from './domain.type.ts'
import { ExpressionFilterInput } from './expression.input.ts'
import { type Expression, ExpressionExport, ExpressionListConnection, type ExpressionRow } from './expression.type.ts'
import { type ListFilter, readListFilter } from './read-filter.ts'

const expressionsOfPage = { defaultSize: 20, maxSize: 100 } as const

@ArgsType()
class RecentExpressionsArgs extends pageArguments(expressionsOfPage) {
  @Field(() => ExpressionFilterInput, { nullable: true, description: 'Restricts the list; without it, all expressions are returned.' })
  filter?: ExpressionFilterInput | null
}

const rowsOfPage = { defaultSize: 100, maxSize: 1000 } as const

@ArgsType()
class ExpressionExportArgs {
  @Field(() => Int, { nullable: true, defaultValue: rowsOfPage.defaultSize, description: 'Maximum number of rows, 1 to 1,000.' })
  size?: number | null
  @Field(() => String, { nullable: true, description: 'Returns the rows after this cursor.' })
  after?: string | null
  @Field(() => ExpressionFilterInput, { nullable: true, description: 'Restricts the rows; without it, all expressions are returned.' })
  filter?: ExpressionFilterInput | null
}

const domainOf = (id: string | null): Domain | null => (id === null ? null : { id })
const typeOfRow = ({ id: expressionId, domain, subDomain, position, ...members }: PublicExpression): ExpressionRow => ({
  ...members,
  expressionId,
  domain: domainOf(domain),
  subDomain: domainOf(subDomain),
  lat: position?.lat ?? null,
  lon: position?.lon ?? null,
})

export interface RecentExpressionsDependencies {
  readonly store: Pick<
    AnalyticsStore,
    'newestExpressions' | 'newestOfDomains' | 'countNewest' | 'countNewestOfDomains' | 'publicExpressions'
  >
  /** lists expressions whose text contains words */
  readonly index: Pick<SearchIndex, 'newest' | 'tally'>
  readonly topics: Pick<TopicTrainer, 'tree'>
  /** IANA name of the time zone that defines days */
  readonly timezone: string
  /** the queue of accepted expressions that are not stored yet */
  readonly queue: Pick<MessageBacklog, 'oldestAgeMs'>
  /** returns an expression by id, batched per request */
  readonly find: (id: string, context: RequestContext) => Promise<Expression | null>
}

type ListPage = PageWindow<ExpressionPlace> & { readonly filter: ListFilter }

/** Converts the filter of a list to one of the index. @param within - restricts it to a domain or sub-domain */
function searchFilterOf({ taxonomy, ...conditions }: ListFilter, within?: string): SearchFilter {
  const isIn = (id: string, ancestor: string): boolean => id === ancestor || id.startsWith(`${ancestor}/`)
  const narrowed = within === undefined ? taxonomy : taxonomy?.flatMap((id) => (isIn(id, within) ? [id] : isIn(within, id) ? [within] : []))
  const domains = narrowed ?? (within === undefined ? undefined : [within])
  return { ...conditions, ...(domains && { domains }) }
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
    return this.#connection(await this.#places(page, context), page, () => this.#count(page.filter, context), context)
  }

  @Query(() => ExpressionExport, {
    description: 'The public members of expressions, newest first, in large pages: for exports.',
  })
  async expressionExport(
    @Args(() => ExpressionExportArgs) { size, after, filter }: ExpressionExportArgs,
    @Ctx() context: RequestContext,
  ): Promise<ExpressionExport> {
    refuseViolations(size == null || (size >= 1 && size <= rowsOfPage.maxSize) ? [] : [outOfRange(['size'], 1, rowsOfPage.maxSize)])
    const page = await this.#pageFor({ first: size, after, filter: filter ?? null }, ['expressionExport'], rowsOfPage)
    await this.#untilWritten(page, context)
    const { nodes, pageInfo } = pageOf(await this.#places(page, context), page, ({ createdAt, id }) => page.cursors.ofMoment(createdAt, id))
    const rows = await this.#parts.store.publicExpressions(nodes.map(({ id }) => id))
    return { rows: rows.map(typeOfRow), nextCursor: pageInfo.hasNextPage ? pageInfo.endCursor : null }
  }

  #places(page: ListPage, context: RequestContext, domain?: string): Promise<readonly ExpressionPlace[]> {
    const { store, index } = this.#parts
    const { text } = page.filter
    return text === undefined
      ? store.newestExpressions(page)
      : inSearchTurn(context, () => index.newest(searchFilterOf(page.filter, domain), page))
  }

  async #count(filter: ListFilter, context: RequestContext, domain?: string): Promise<number> {
    const { store, index } = this.#parts
    if (filter.text === undefined) return store.countNewest(filter)
    const [all] = await inSearchTurn(context, () => index.tally(searchFilterOf(filter, domain), { by: [] }))
    return all?.count ?? 0
  }

  /** Returns the expressions of a domain and its sub-domains, batched per request. */
  async ofDomain(domain: string, args: RecentExpressionsArgs, context: RequestContext): Promise<ExpressionListConnection> {
    const page = await this.#pageFor(args, ['Domain.expressions', domain])
    const places = await loader<string, readonly ExpressionPlace[]>(
      context,
      `expressions of domains ${JSON.stringify(args)}`,
      async (ids) => {
        await this.#untilWritten(page, context)
        if (page.filter.text !== undefined) return Promise.all(ids.map((each) => this.#places(page, context, each)))
        const byDomain = await this.#parts.store.newestOfDomains(ids, page)
        return ids.map((each) => byDomain.get(each) ?? [])
      },
    ).load(domain)
    const counts = loader<string, number>(context, `expressions of domains, how many ${JSON.stringify(args.filter)}`, async (ids) => {
      if (page.filter.text !== undefined) return Promise.all(ids.map((each) => this.#count(page.filter, context, each)))
      const byDomain = await this.#parts.store.countNewestOfDomains(ids, page.filter)
      return ids.map((each) => byDomain.get(each) ?? 0)
    })
    return this.#connection(places, page, () => counts.load(domain), context)
  }

  /** @throws {InvalidInput} */
  async #pageFor(
    { filter, ...request }: PageRequest & Pick<RecentExpressionsArgs, 'filter'>,
    list: readonly string[],
    limits: PageLimits = expressionsOfPage,
  ) {
    const cursors = new Cursors(list, filter)
    const windowOf = () =>
      pageWindow(request, limits, (cursor, argument) => {
        const { moment: createdAt, id } = cursors.momentOf(cursor, argument)
        if (isUuid(id)) return { createdAt, id }
        throw foreignCursor(argument)
      })
    const [window, conditions] = await both(windowOf, () => readListFilter(filter, this.#parts.topics, this.#parts.timezone))
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

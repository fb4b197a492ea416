import { Args, ArgsType, Ctx, Directive, Field, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql'
import type { AnalyticsStore, ExpressionPlace, PublicExpression } from '../../../engines/analytics-store/analytics-store.ts'
import type { DomainTree } from '../../../engines/analytics-store/domain-tree.ts'
import type { MessageBacklog } from '../../../engines/message-queue/message-queue.ts'
import type { SearchFilter, SearchIndex } from '../../../engines/search-index/search-index.ts'
import { refuseViolations } from '../../../foundation/fault.ts'
import { type PageWindow, pageOf } from '../../../foundation/graphql/connection.ts'
import { Cursors } from '../../../foundation/graphql/cursors.ts'
import { loader } from '../../../foundation/graphql/loader.ts'
import { type PageLimits, type PageRequest, pageArguments, pageWindow } from '../../../foundation/graphql/page-window.ts'
import { inListTurn, inSearchTurn, readTurns } from '../../../foundation/graphql/read-turns.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { both } from '../../../foundation/validation/both.ts'
import { isUuid } from '../../../foundation/validation/values.ts'
import { outOfRange } from '../../../foundation/validation/violation.ts'
import type { TopicTrainer } from '../analysis/topic/topic-trainer.ts'
import { sharedOldestAge, untilWritten } from '../intake/batch-writer.ts'
import { ExpressionFilterInput } from './expression.input.ts'
import { Domain, type Expression, ExpressionExport, ExpressionListConnection, type ExpressionRow } from './expression.type.ts'
import { type ListFilter, readListFilter } from './read-filter.ts'

const expressionsOfPage = { defaultSize: 20, maxSize: 100 } as const

@ArgsType()
class RecentExpressionsArgs extends pageArguments(expressionsOfPage) {
  @Field(() => ExpressionFilterInput, { nullable: true, description: 'Restricts the list; without it, all expressions are returned.' })
  filter?: ExpressionFilterInput | null
}

const rowsOfPage = { defaultSize: 100, maxSize: 1000 } as const
/** A page of an export has up to 10 Mi characters, which an operation holds: with the default cost limit of 100,000 it contains at most two. */
const exportCost = '@cost(weight: 45000)'
/** Reads pages of exports: they leave database connections to other requests. */
const inExportTurn = readTurns({ maxAtOnce: 2, maxAtOncePerOwner: 1, maxPerOwner: 48, maxWaiting: 512, maxWaitMs: 8000 })

@ArgsType()
class ExpressionExportArgs {
  @Field(() => Int, { nullable: true, defaultValue: rowsOfPage.defaultSize, description: 'Maximum number of rows, 1 to 1,000.' })
  first?: number | null
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

/** Converts the filter of a list to one of the index. */
const searchFilterOf = ({ taxonomy, ...conditions }: ListFilter): SearchFilter => ({
  ...conditions,
  ...(taxonomy && { domains: taxonomy }),
})

/** Restricts a filter to a domain or sub-domain, and to the retired ones that it replaces. */
function narrowed({ taxonomy, ...conditions }: ListFilter, domain: string, tree: DomainTree): ListFilter {
  const own = tree.storedIds([domain])
  const currentOf = (id: string): string => tree.currentOf(id) ?? id
  const isIn = (id: string, ancestor: string): boolean =>
    currentOf(id) === currentOf(ancestor) || tree.domainOf(currentOf(id)) === currentOf(ancestor)
  const both = taxonomy?.flatMap((id) => (isIn(id, domain) ? [id] : isIn(domain, id) ? own : []))
  return { ...conditions, taxonomy: both === undefined ? own : [...new Set(both)] }
}

/** Whether a sub-domain was moved: its id still begins with its first domain, under which expressions may be stored. */
function isMoved(id: string, tree: DomainTree): boolean {
  const domain = tree.domainOf(id)
  return domain !== id && !id.startsWith(`${domain}/`)
}

/** Expressions by time: the order comes from the analytics store, the content from the search index. */
@Resolver()
export class RecentExpressionsResolver {
  readonly #parts: RecentExpressionsDependencies
  readonly #oldestAgeMs: () => Promise<number>

  constructor(parts: RecentExpressionsDependencies) {
    this.#parts = parts
    this.#oldestAgeMs = sharedOldestAge(parts.queue)
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

  @Directive(exportCost)
  @Query(() => ExpressionExport, {
    description: 'The public members of expressions, newest first, in large pages: for exports.',
  })
  async expressionExport(
    @Args(() => ExpressionExportArgs) { first, after, filter }: ExpressionExportArgs,
    @Ctx() context: RequestContext,
  ): Promise<ExpressionExport> {
    refuseViolations(first == null || (first >= 1 && first <= rowsOfPage.maxSize) ? [] : [outOfRange(['first'], 1, rowsOfPage.maxSize)])
    const page = await this.#pageFor({ first, after, filter: filter ?? null }, ['expressionExport'], rowsOfPage)
    await this.#untilWritten(page, context)
    const read = async () => {
      const places = await this.#places(page, context)
      const { nodes, pageInfo } = pageOf(places, page, ({ createdAt, id }) => page.cursors.ofMoment(createdAt, id))
      return { rows: await this.#parts.store.publicExpressions(nodes.map(({ id }) => id)), pageInfo }
    }
    const { rows, pageInfo } = await inExportTurn(context, read)
    return { rows: rows.map(typeOfRow), nextCursor: pageInfo.hasNextPage ? pageInfo.endCursor : null }
  }

  #places(page: ListPage, context: RequestContext): Promise<readonly ExpressionPlace[]> {
    const { store, index } = this.#parts
    const { filter } = page
    return filter.text === undefined
      ? inListTurn(context, () => store.newestExpressions(page))
      : inSearchTurn(context, () => index.newest(searchFilterOf(filter), page))
  }

  async #count(filter: ListFilter, context: RequestContext): Promise<number> {
    const { store, index } = this.#parts
    if (filter.text === undefined) return inListTurn(context, () => store.countNewest(filter))
    const [all] = await inSearchTurn(context, () => index.tally(searchFilterOf(filter), { by: [] }))
    return all?.count ?? 0
  }

  /** Returns the expressions of a domain and its sub-domains, batched per request. */
  async ofDomain(domain: string, args: RecentExpressionsArgs, context: RequestContext): Promise<ExpressionListConnection> {
    const page = await this.#pageFor(args, ['Domain.expressions', domain])
    const tree = await this.#parts.topics.tree()
    // until a publication's follow-up has moved them, expressions are stored in the retired domains that one replaces
    const isAlone = (id: string): boolean =>
      page.filter.text === undefined && !isMoved(id, tree) && tree.storedIds([id]).every((stored) => stored === id)
    const places = await loader<string, readonly ExpressionPlace[]>(
      context,
      `expressions of domains ${JSON.stringify(args)}`,
      async (ids) => {
        await this.#untilWritten(page, context)
        const alone = ids.filter(isAlone)
        const byDomain = alone.length === 0 ? undefined : await inListTurn(context, () => this.#parts.store.newestOfDomains(alone, page))
        const placesOf = (id: string) => this.#places({ ...page, filter: narrowed(page.filter, id, tree) }, context)
        return Promise.all(ids.map((id) => (isAlone(id) ? (byDomain?.get(id) ?? []) : placesOf(id))))
      },
    ).load(domain)
    const counts = loader<string, number>(context, `expressions of domains, how many ${JSON.stringify(args.filter)}`, async (ids) => {
      const alone = ids.filter(isAlone)
      const byDomain =
        alone.length === 0 ? undefined : await inListTurn(context, () => this.#parts.store.countNewestOfDomains(alone, page.filter))
      const countOf = (id: string) => this.#count(narrowed(page.filter, id, tree), context)
      return Promise.all(ids.map((id) => (isAlone(id) ? (byDomain?.get(id) ?? 0) : countOf(id))))
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
        const { moment: createdAt, id } = cursors.momentOf(cursor, argument, isUuid)
        return { createdAt, id }
      })
    const [window, conditions] = await both(windowOf, () => readListFilter(filter, this.#parts.topics, this.#parts.timezone))
    return { ...window, cursors, filter: conditions }
  }

  /** Waits for pending writes, on the page that contains the newest expressions only. */
  async #untilWritten({ beyond, isBackward }: PageWindow<ExpressionPlace>, { signal }: RequestContext): Promise<void> {
    if (beyond === undefined && !isBackward) await untilWritten(this.#oldestAgeMs, signal)
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

import type { GraphQLResolveInfo } from 'graphql'
import { Arg, Args, Ctx, Directive, FieldResolver, ID, Info, Int, Mutation, Query, Resolver, Root, Subscription } from 'type-graphql'
import type { AnalyticsStore, VoteValue as StoredVote } from '../../../engines/analytics-store/analytics-store.ts'
import { dayText } from '../../../foundation/calendar-day.ts'
import { refuseViolations } from '../../../foundation/fault.ts'
import { Authorise } from '../../../foundation/graphql/authorisation.ts'
import { PositionArguments, type PositionedEvent } from '../../../foundation/graphql/event-position.ts'
import { loader } from '../../../foundation/graphql/loader.ts'
import { inListTurn, inSearchTurn } from '../../../foundation/graphql/read-turns.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { servedFromStream } from '../../../foundation/subgraph/subgraph.ts'
import { renamed } from '../../../foundation/validation/renamed.ts'
import { outOfRange, tooMany } from '../../../foundation/validation/violation.ts'
import type { VoteEvent } from '../events/vote-events.ts'
import { deepestZoom } from '../geometry/world-grid.ts'
import { mapView } from '../queries/map-view.ts'
import { ResponsesByVersion } from '../queries/responses-by-version.ts'
import type { RollUps, Snapshot } from '../queries/roll-up-reader.ts'
import type { SearchedFigures } from '../queries/searched-figures.ts'
import { checkedSelection, isSearched, type SearchedSelection, type Selection, selectionKey, selectionOf } from '../queries/selection.ts'
import { type StatisticsAnswer, statisticsOf } from '../queries/statistics.ts'
import { selectsVersionOnly } from '../queries/version-watch.ts'
import { voteCounts } from '../queries/vote-tally.ts'
import { castVote, type VoteEngines, voterOf, voters } from '../votes/cast-vote.ts'
import { type PublicVoting, publicVoter } from '../votes/public-voting.ts'
import { CastPublicVoteInput, CastVoteInput, MapFilterInput, StatisticsFilterInput, searchedText } from './exploration.input.ts'
import { CastPublicVotePayload, CastVotePayload, Statistics, VoteCounts, VotedExpression, VoteValue } from './exploration.type.ts'
import { changeKindOf, MapInvalidated, MapView, StatisticsChanged, tileOf, VotesChanged } from './map.type.ts'

export interface ExplorationDependencies {
  readonly store: Pick<AnalyticsStore, 'castVote' | 'castPublicVote' | 'countVotes' | 'votesOf'>
  readonly intake: VoteEngines['intake']
  readonly rollUps: RollUps
  /** figures of a selection with words */
  readonly searched: Pick<SearchedFigures, 'map' | 'statistics' | 'version'>
  /** the version of an answer now, if it is known without a query */
  readonly currentVersion: () => string | undefined
  readonly pseudonymKey: Uint8Array
  /** votes of browsers without a signed-in user */
  readonly publicVoting: PublicVoting
}

const statisticsIn = async (snapshot: Snapshot, selection: Selection): Promise<Statistics> =>
  typeOfStatistics(await statisticsOf(snapshot, selection))

const maxFollowed = 1000

/** Returns the ids of `votesChanged`; undefined for all. @throws {InvalidInput} for too many */
export function followedIds(ids: unknown): ReadonlySet<string> | undefined {
  if (!Array.isArray(ids)) return undefined
  if (ids.length > maxFollowed) refuseViolations([tooMany(['expressionIds'], maxFollowed)])
  return new Set(ids.map((id) => String(id).toLowerCase()))
}

@Resolver(() => VotedExpression)
export class ExplorationResolver {
  readonly #parts: ExplorationDependencies
  readonly #answers: ResponsesByVersion<Statistics>

  constructor(parts: ExplorationDependencies) {
    this.#parts = parts
    this.#answers = new ResponsesByVersion(parts.currentVersion)
  }

  @Query(() => MapView, { description: 'Expressions by location, with nearby expressions grouped into clusters.' })
  async map(
    @Arg('filter', () => MapFilterInput, { nullable: true, description: 'Restricts the expressions on the map.' })
    filter: MapFilterInput | null,
    @Arg('zoom', () => Int, { nullable: true, description: 'Zoom, 0 to 22; by default the highest zoom that the area allows.' }) zoom:
      | number
      | null,
    @Info() info: GraphQLResolveInfo,
    @Ctx() context: RequestContext,
  ): Promise<MapView> {
    const isOutOfRange = zoom != null && (zoom < 0 || zoom > deepestZoom)
    const selection = await checkedSelection(
      filter ?? {},
      this.#parts.rollUps,
      isOutOfRange ? [{ ...outOfRange(['zoom'], 0, deepestZoom), message: `the zoom should be 0 to ${deepestZoom}` }] : [],
    )
    if (isSearched(selection)) {
      const made = await inSearchTurn(context, () => this.#parts.searched.map(selection, zoom ?? null))
      return new MapView(made.answer.version, made)
    }
    const cached = this.#versionOnly(info, selection)
    if (cached !== undefined) return new MapView(cached.version)
    return inListTurn(context, () =>
      this.#parts.rollUps.read(async (snapshot) => {
        const answer = await mapView(snapshot, selection, zoom ?? null)
        return new MapView(answer.version, { answer, taxonomy: snapshot.taxonomy })
      }),
    )
  }

  @Query(() => Statistics, { description: 'Figures of the expressions that match the filter; without one, of all expressions.' })
  async statistics(
    @Arg('filter', () => StatisticsFilterInput, { nullable: true, description: 'Restricts the expressions that are counted.' })
    filter: StatisticsFilterInput | null,
    @Info() info: GraphQLResolveInfo,
    @Ctx() context: RequestContext,
  ): Promise<Statistics | { readonly version: string }> {
    const selection = await checkedSelection(filter ?? {}, this.#parts.rollUps)
    if (isSearched(selection)) return this.#searched(selection, context)
    const key = selectionKey(selection)
    return (
      this.#versionOnly(info, selection) ??
      this.#answers.cached(key) ??
      // an answer that others wait for too must not wait for the turn of one of them
      inListTurn(context, () => this.#answers.get(key, () => this.#parts.rollUps.read((snapshot) => statisticsIn(snapshot, selection))))
    )
  }

  @Mutation(() => CastVotePayload, {
    description: 'Casts a verified vote on an expression. Each voter has one vote, which a later call replaces.',
  })
  @Authorise(...voters)
  async castVote(
    @Arg('input', () => CastVoteInput) input: CastVoteInput,
    @Ctx() { principal, deadline }: RequestContext,
  ): Promise<CastVotePayload> {
    const { expressionId, value, voterRef } = input
    const voter = voterOf(principal, voterRef, this.#parts.pseudonymKey)
    await castVote(this.#parts, { expressionId, value, voter }, deadline)
    return { expression: { id: expressionId }, value }
  }

  @Mutation(() => CastPublicVotePayload, {
    description:
      'Casts an unverified vote on an expression without signing in. Fails with RATE_LIMITED when the network has created too many voters today, and with FORBIDDEN when PUBLIC_VOTING is off.',
  })
  async castPublicVote(
    @Arg('input', () => CastPublicVoteInput) input: CastPublicVoteInput,
    @Ctx() { address, deadline }: RequestContext,
  ): Promise<CastPublicVotePayload> {
    const { expressionId, value } = input
    const { name: passMember, value: submittedPass } = renamed(input, 'voterToken', 'pass')
    const { voter, pass, allowance } = await publicVoter(
      this.#parts.publicVoting,
      { expressionId, pass: submittedPass, passMember },
      address,
    )
    await castVote(this.#parts, { expressionId, value, voter, allowance }, deadline)
    const { text, expiresAt } = pass
    return {
      expression: { id: expressionId },
      value,
      voterToken: text,
      voterTokenExpiresAt: expiresAt,
      pass: text,
      passExpiresAt: expiresAt,
    }
  }

  @FieldResolver(() => VoteCounts, { description: 'Verified votes on the expression; `unverified` counts the unverified ones.' })
  votes(@Root() { id }: VotedExpression, @Ctx() context: RequestContext): Promise<VoteCounts> {
    return loader<string, VoteCounts>(context, 'votes', (ids) => voteCounts(this.#parts.store, ids)).load(id)
  }

  @Directive('@cacheControl(maxAge: 0)')
  @FieldResolver(() => VoteValue, {
    nullable: true,
    description: 'The vote of the signed-in user on the expression; null without a vote, and for other callers.',
  })
  myVote(@Root() { id }: VotedExpression, @Ctx() context: RequestContext): Promise<StoredVote | null> | null {
    const { user } = context.principal
    if (user === undefined) return null
    const { store, pseudonymKey } = this.#parts
    return loader<string, StoredVote | null>(context, 'own votes', async (ids) => {
      const expressionIds = ids.map((each) => each.toLowerCase())
      const votes = await store.votesOf(voterOf({ user }, null, pseudonymKey), expressionIds)
      return expressionIds.map((each) => votes.get(each) ?? null)
    }).load(id)
  }

  @Subscription(() => VotesChanged, {
    description: 'Emits expressions whose votes change, each at most once per second.',
    subscribe: servedFromStream,
  })
  votesChanged(
    @Root() { position, kind, expressionId }: VoteEvent,
    @Arg('expressionIds', () => [ID], {
      nullable: true,
      description: 'Restricts the events to these expressions, at most 1,000; by default all.',
    })
    _expressionIds?: string[] | null,
    @Args(() => PositionArguments) _start?: PositionArguments,
  ): PositionedEvent<VotesChanged> {
    return { position, kind: changeKindOf(kind), expression: expressionId === null ? null : { id: expressionId } }
  }

  @Subscription(() => StatisticsChanged, {
    description: 'Emits the statistics when they change, at most once per second.',
    subscribe: servedFromStream,
  })
  async statisticsChanged(
    @Root() event: { readonly position: number; readonly kind: string },
    @Ctx() context: RequestContext,
    @Args(() => PositionArguments) _start?: PositionArguments,
    @Arg('q', () => String, { nullable: true, description: searchedText }) q?: string | null,
  ): Promise<PositionedEvent<StatisticsChanged>> {
    const selection = selectionOf({ q: q ?? null })
    const statistics = isSearched(selection)
      ? await this.#searched(selection, context)
      : await this.#parts.rollUps.readNewest((snapshot) => statisticsIn(snapshot, selection))
    return { ...event, kind: changeKindOf(event.kind), statistics }
  }

  @Subscription(() => MapInvalidated, { description: 'Emits the tiles of the map that change.', subscribe: servedFromStream })
  async mapInvalidated(
    @Root() { position, kind, tiles }: { readonly position: number; readonly kind: string; readonly tiles: readonly string[] },
    @Args(() => PositionArguments) _start?: PositionArguments,
    @Arg('filter', () => MapFilterInput, {
      nullable: true,
      description:
        'The filter of the map. Tiles outside its box are omitted; its other conditions are not applied, so that a tile is emitted for every change in it. With `q`, the tile is emitted once the search index contains the change.',
    })
    filter?: MapFilterInput | null,
  ): Promise<PositionedEvent<MapInvalidated>> {
    const version = isSearched(selectionOf(filter ?? {}))
      ? await this.#parts.searched.version()
      : await this.#parts.rollUps.readNewest(async (snapshot) => snapshot.version)
    return { position, kind: changeKindOf(kind), version, tiles: tiles.map(tileOf) }
  }

  async #searched(selection: SearchedSelection, context: RequestContext): Promise<Statistics> {
    return typeOfStatistics(await inSearchTurn(context, () => this.#parts.searched.statistics(selection, context.signal)))
  }

  /** Returns the version alone when only it is selected and the query would succeed, without computing the answer. */
  #versionOnly(info: GraphQLResolveInfo, { domain }: Selection): { readonly version: string } | undefined {
    if (!selectsVersionOnly(info) || (domain !== null && !this.#parts.rollUps.knows(domain))) return undefined
    const version = this.#parts.currentVersion()
    return version === undefined ? undefined : { version }
  }
}

export function typeOfStatistics({ version, at, expressions, votes, sentiment, participants, domains }: StatisticsAnswer): Statistics {
  const { byLang, ...counts } = expressions
  return {
    version,
    generatedAt: at,
    expressions: { ...counts, byLang: byLang.map(([lang, count]) => ({ lang, count })) },
    votes,
    sentiment: { ...sentiment, history: sentiment.history.map((day) => ({ ...day, day: dayText(day.day) })) },
    participants,
    domains,
  }
}

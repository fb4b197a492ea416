import { Arg, Args, ArgsType, Ctx, Directive, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { AuditTrail } from '../../../engines/audit/audit-trail.ts'
import type { KeyValue } from '../../../engines/key-value/key-value.ts'
import type { Hit } from '../../../engines/search-index/search-index.ts'
import type { SentenceEncoder } from '../../../engines/sentence-encoder/sentence-encoder.ts'
import type { CommitWindow } from '../../../foundation/concurrency/deadline.ts'
import { refuseViolations } from '../../../foundation/fault.ts'
import { Authorise, userWith } from '../../../foundation/graphql/authorisation.ts'
import { type PageWindow, pageOf } from '../../../foundation/graphql/connection.ts'
import { Cursors, foreignCursor } from '../../../foundation/graphql/cursors.ts'
import { loader } from '../../../foundation/graphql/loader.ts'
import { forwardArguments, pageWindow } from '../../../foundation/graphql/page-window.ts'
import { inReadByIdTurn, inSearchTurn } from '../../../foundation/graphql/read-turns.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { callerOf } from '../../../foundation/principal.ts'
import { both } from '../../../foundation/validation/both.ts'
import { tooLong, tooShort } from '../../../foundation/validation/violation.ts'
import type { TopicTrainer } from '../analysis/topic/topic-trainer.ts'
import type { ExpressionDocument } from '../expression/expression-document.ts'
import { senderOf } from '../intake/expression-key.ts'
import { newExpression } from '../intake/expression-rules.ts'
import type { IngestExpression } from '../intake/ingest-expression.ts'
import { admit, type IngestLimits } from '../intake/ingest-limits.ts'
import { type ExpressionSources, findExpressions } from '../search/find-expressions.ts'
import type { PinnedRankings } from '../search/pinned-rankings.ts'
import { maxResults, rankExpressions, rankSimilar } from '../search/search-expressions.ts'
import type { SynchronisationResult } from '../taxonomy/synchronise-taxonomy.ts'
import { IngestExpressionInput, SearchExpressionsInput } from './expression.input.ts'
import {
  Expression,
  ExpressionConnection,
  IngestExpressionPayload,
  SynchroniseTaxonomiesPayload,
  typeOfExpression,
} from './expression.type.ts'
import { filterViolations, readListFilter } from './read-filter.ts'

export interface ExpressionDependencies extends ExpressionSources {
  readonly ingest: IngestExpression
  readonly encoder: SentenceEncoder
  readonly keyValue: KeyValue
  readonly limits: IngestLimits
  readonly rankings: PinnedRankings
  readonly topics: Pick<TopicTrainer, 'tree'>
  /** IANA name of the time zone that defines days */
  readonly timezone: string
  readonly audit: Pick<AuditTrail, 'record'>
  readonly synchronise: (signal: AbortSignal, window: CommitWindow) => Promise<SynchronisationResult>
}

const hitsOfPage = { defaultSize: 20, maxSize: 100 } as const
const similarOfPage = { defaultSize: 20, maxSize: 100 } as const

@ArgsType()
class HitsArgs extends forwardArguments(hitsOfPage) {}

@ArgsType()
class SimilarArgs extends forwardArguments(similarOfPage) {}

const maxQueryLength = 1000

/** A search by meaning reads the whole index: with the default cost limit of 100,000, one operation contains at most twelve. */
const searchCost = '@cost(weight: 8000)'

@Resolver(() => Expression)
export class ExpressionResolver {
  readonly #parts: ExpressionDependencies

  constructor(parts: ExpressionDependencies) {
    this.#parts = parts
  }

  @Mutation(() => IngestExpressionPayload, { description: 'Accepts an expression of a citizen and returns its analysis.' })
  async ingestExpression(
    @Arg('input', () => IngestExpressionInput) input: IngestExpressionInput,
    @Ctx() context: RequestContext,
  ): Promise<IngestExpressionPayload> {
    const { ingest, limits, keyValue } = this.#parts
    const rateLimit = await admit(context, limits, keyValue)
    // the documented REST operation detects the language then
    const expression = newExpression(input, undefined, context.interface === 'rest' ? 'detected' : 'refused')
    const { document, created, isHeld } = await ingest.ingest(expression, senderOf(context.principal), context.deadline)
    return { expression: typeOfExpression(document), created, moderation: isHeld ? 'held' : null, rateLimit }
  }

  @Directive('@cacheControl(maxAge: 0)')
  @Query(() => Expression, {
    nullable: true,
    description: 'Returns one expression; null when the id is unknown or the expression was withdrawn.',
  })
  async expression(
    @Arg('id', () => ID, { description: 'Id of the expression.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<Expression | null> {
    return this.find(id, context)
  }

  @Directive(searchCost)
  @Query(() => ExpressionConnection, {
    description:
      'Searches expressions by words, by meaning or both, best match first. The first page fixes the results, at most 1,000; their cursors are valid for 10 minutes. HYBRID ranks the 200 best matches by words and the 200 nearest by meaning.',
  })
  async searchExpressions(
    @Arg('input', () => SearchExpressionsInput) { text, mode, filter }: SearchExpressionsInput,
    @Args(() => HitsArgs) page: HitsArgs,
    @Ctx() context: RequestContext,
  ): Promise<ExpressionConnection> {
    const violations = [
      ...(text.trim() === '' ? [tooShort(['text'], 1)] : []),
      ...(text.length > maxQueryLength ? [tooLong(['text'], maxQueryLength)] : []),
      ...(await filterViolations(filter, this.#parts.topics)).map((each) => ({ ...each, path: ['filter', ...each.path] })),
    ]
    const cursors = new Cursors(['searchExpressions'], { text, mode, filter })
    const windowOf = () => pageWindow(page, hitsOfPage, (cursor) => placeOf(cursor, cursors))
    const [window] = await both(windowOf, () => refuseViolations(violations))
    const { taxonomy, ...conditions } = await readListFilter(filter, this.#parts.topics, this.#parts.timezone)
    const wanted = { ...conditions, ...(taxonomy && { domains: taxonomy }) }
    return this.#pageOf(window, cursors, context, () => rankExpressions(this.#parts, { text, mode, filter: wanted }, context.signal))
  }

  @Directive(searchCost)
  @Query(() => ExpressionConnection, {
    description:
      'The expressions most similar to an expression, nearest first, without the expression itself. The first page fixes the results, at most 1,000; their cursors are valid for 10 minutes.',
  })
  async similarExpressions(
    @Arg('id', () => ID, { description: 'Id of the expression to compare with.' }) id: string,
    @Args(() => SimilarArgs) page: SimilarArgs,
    @Ctx() context: RequestContext,
  ): Promise<ExpressionConnection> {
    const cursors = new Cursors(['similarExpressions', id])
    const window = pageWindow(page, similarOfPage, (cursor) => placeOf(cursor, cursors))
    return this.#pageOf(window, cursors, context, () => rankSimilar(this.#parts, id, context.signal))
  }

  /** Returns a page of a ranking, which is made for the first page and stored for the others. */
  async #pageOf(
    { size, limit, beyond, isBackward }: PageWindow<RankPlace>,
    cursors: Cursors,
    context: RequestContext,
    rank: () => Promise<readonly Hit[]>,
  ): Promise<ExpressionConnection> {
    const { rankings } = this.#parts
    const ranking = beyond === undefined ? await inSearchTurn(context, rank) : await rankings.read(beyond.token)
    const token = beyond?.token ?? (await rankings.pin(ranking, JSON.stringify(callerOf(context.principal, context.address))))
    const from = beyond?.rank ?? 0
    const hits = ranking.slice(from, from + limit).map((hit, index) => ({ ...hit, rank: from + index + 1 }))
    const { edges, pageInfo } = pageOf(hits, { size, beyond, isBackward }, (hit) => cursors.of(token, hit.rank))
    const ids = edges.map(({ node }) => node.id)
    const documents = await inReadByIdTurn(context, () => findExpressions(this.#parts, ids))
    // expressions that were withdrawn since are omitted
    const shown = edges.flatMap(({ node: { id, score }, cursor }) => {
      const document = documents.get(id)
      return document === undefined ? [] : [{ node: typeOfExpression(document), score, cursor }]
    })
    return { edges: shown, nodes: shown.map(({ node }) => node), pageInfo }
  }

  @Mutation(() => SynchroniseTaxonomiesPayload, {
    description: 'Copies the taxonomy from the analytics database to the search index.',
  })
  @Authorise(userWith('super_admin'))
  async synchroniseTaxonomies(@Ctx() context: RequestContext): Promise<SynchroniseTaxonomiesPayload> {
    const { audit, synchronise } = this.#parts
    await audit.record(context, [{ action: 'taxonomy.synchronise', outcome: 'done' }])
    return synchronise(context.signal, context.deadline)
  }

  @Directive('@cacheControl(maxAge: 0)')
  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Pseudonym of the author (HMAC-SHA256 in hex), the same for all of the author’s expressions; null when no service has named the author, and while the status is PENDING.',
  })
  @Authorise(userWith('super_admin'))
  authorRef(@Root() { id }: Expression, @Ctx() context: RequestContext): Promise<string | null> {
    const authors = loader<string, string | null>(context, 'authors of expressions', async (ids) => {
      const records = await this.#parts.store.findExpressions(ids)
      const authors = new Map(records.map((record) => [record.id, record.author]))
      return ids.map((each) => authors.get(each) ?? null)
    })
    return authors.load(id)
  }

  /** Returns an expression by id, batched per request. */
  async find(id: string, context: RequestContext): Promise<Expression | null> {
    const document = await loader<string, ExpressionDocument | undefined>(context, 'expressions', async (ids) => {
      const documents = await inReadByIdTurn(context, () => findExpressions(this.#parts, ids))
      return ids.map((each) => documents.get(each))
    }).load(id)
    return document === undefined ? null : typeOfExpression(document)
  }
}

/** A position in the ranking of a search. */
interface RankPlace {
  /** of the stored ranking */
  readonly token: string
  readonly rank: number
}

/** Returns the position that a cursor encodes. @throws {Fault} MALFORMED */
function placeOf(cursor: string, cursors: Cursors): RankPlace {
  const [token, rank] = cursors.placeOf(cursor, 2)
  if (typeof token === 'string' && typeof rank === 'number' && Number.isInteger(rank) && rank >= 0 && rank <= maxResults)
    return { token, rank }
  throw foreignCursor()
}

import { Arg, Args, ArgsType, Ctx, Mutation, Query, Resolver } from 'type-graphql'
import type { AnalyticsStore } from '../../../engines/analytics-store/analytics-store.ts'
import type { DomainTree } from '../../../engines/analytics-store/domain-tree.ts'
import type { AuditTrail } from '../../../engines/audit/audit-trail.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { NotFound, refuseViolations } from '../../../foundation/fault.ts'
import { Authorise } from '../../../foundation/graphql/authorisation.ts'
import { pageOf } from '../../../foundation/graphql/connection.ts'
import { Cursors } from '../../../foundation/graphql/cursors.ts'
import { pageArguments, pageWindow } from '../../../foundation/graphql/page-window.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { isUuid } from '../../../foundation/validation/values.ts'
import { outOfRange, tooFew, tooMany, type Violation, wrongPattern } from '../../../foundation/validation/violation.ts'
import type { TopicTrainer } from '../analysis/topic/topic-trainer.ts'
import { problemOf, type ReclassificationFilter, type TaxonomyJob, type TaxonomyJobs } from '../taxonomy/taxonomy-jobs.ts'
import { CancelReclassificationInput, type ReclassificationFilterInput, ReclassifyExpressionsInput } from './taxonomy.input.ts'
import {
  authorOf,
  CancelReclassificationPayload,
  ReclassifyExpressionsPayload,
  type TaxonomyReclassification,
  TaxonomyReclassificationConnection,
  taxonomyEditors,
} from './taxonomy.type.ts'

const reclassificationsOfPage = { defaultSize: 20, maxSize: 100 } as const
const maxRate = 1000
const maxDomains = 100

@ArgsType()
class ReclassificationsArgs extends pageArguments(reclassificationsOfPage) {}

export interface ReclassificationDependencies {
  readonly database: Database
  readonly store: Pick<AnalyticsStore, 'readTaxonomy'>
  readonly jobs: TaxonomyJobs
  readonly audit: AuditTrail
  readonly topics: Pick<TopicTrainer, 'tree'>
}

/** Re-classification of stored expressions with the published version of the taxonomy. */
@Resolver()
export class ReclassificationResolver {
  readonly #parts: ReclassificationDependencies

  constructor(parts: ReclassificationDependencies) {
    this.#parts = parts
  }

  @Query(() => TaxonomyReclassificationConnection, { description: 'Re-classifications of stored expressions, newest first.' })
  @Authorise(taxonomyEditors)
  async taxonomyReclassifications(
    @Args(() => ReclassificationsArgs) args: ReclassificationsArgs,
  ): Promise<TaxonomyReclassificationConnection> {
    const { jobs } = this.#parts
    const cursors = new Cursors(['taxonomyReclassifications'])
    const window = pageWindow(args, reclassificationsOfPage, (cursor, argument) => {
      const { moment: createdAt, id } = cursors.momentOf(cursor, argument, isUuid)
      return { createdAt, id }
    })
    const page = pageOf(await jobs.page(window), window, ({ createdAt, id }) => cursors.ofMoment(createdAt, id))
    const edges = page.edges.map(({ node, cursor }) => ({ node: shownJob(node), cursor }))
    return { edges, nodes: edges.map(({ node }) => node), pageInfo: page.pageInfo, count: () => jobs.countReclassifications() }
  }

  @Mutation(() => ReclassifyExpressionsPayload, {
    description:
      'Classifies stored expressions again with the published version, at a limited rate and in the background. Corrections by people, hints of senders and decisions of a language model stay.',
  })
  @Authorise(taxonomyEditors)
  async reclassifyExpressions(
    @Arg('input', () => ReclassifyExpressionsInput) { filter, rate }: ReclassifyExpressionsInput,
    @Ctx() context: RequestContext,
  ): Promise<ReclassifyExpressionsPayload> {
    const { database, jobs, audit, store, topics } = this.#parts
    const tree = await topics.tree()
    refuseViolations([
      ...(rate >= 1 && rate <= maxRate ? [] : [outOfRange(['rate'], 1, maxRate)]),
      ...filterViolations(filter, tree).map((each) => ({ ...each, path: ['filter', ...each.path] })),
    ])
    const conditions = conditionsOf(filter, tree)
    const { number: version } = await store.readTaxonomy()
    const id = await database.transaction(async (tx) => {
      const begun = await jobs.begin(tx, { kind: 'reclassify', author: authorOf(context), version, filter: conditions, rate })
      const details = { version, rate, filter: conditions }
      await audit.record(context, [{ action: 'taxonomy.reclassify', outcome: 'done', target: begun, details }], tx)
      return begun
    }, context.deadline)
    const [job] = await jobs.find([id])
    if (job === undefined) throw new NotFound('Re-classification not found')
    return { reclassification: shownJob(job) }
  }

  @Mutation(() => CancelReclassificationPayload, {
    description: 'Cancels a re-classification; expressions that it has changed keep their new domain.',
  })
  @Authorise(taxonomyEditors)
  async cancelReclassification(
    @Arg('input', () => CancelReclassificationInput) { key }: CancelReclassificationInput,
    @Ctx() context: RequestContext,
  ): Promise<ReclassifyExpressionsPayload> {
    const { database, jobs, audit } = this.#parts
    if (!isUuid(key)) throw new NotFound('Re-classification not found')
    const job = await database.transaction(async (tx) => {
      const cancelled = await jobs.cancel(tx, key)
      await audit.record(context, [{ action: 'taxonomy.reclassify.cancel', outcome: 'done', target: key }], tx)
      return cancelled
    }, context.deadline)
    return { reclassification: shownJob(job) }
  }
}

function filterViolations(filter: ReclassificationFilterInput | null | undefined, tree: DomainTree): readonly Violation[] {
  const { domainIds, lang, from, to } = filter ?? {}
  return [
    ...(domainIds?.length === 0 ? [tooFew(['domainIds'], 1)] : []),
    ...(domainIds != null && domainIds.length > maxDomains ? [tooMany(['domainIds'], maxDomains)] : []),
    ...(domainIds ?? []).flatMap((id, index): Violation[] =>
      tree.knows(id) ? [] : [{ code: 'unknown', path: ['domainIds', index], message: 'Unknown domain' }],
    ),
    ...(lang != null && !/^[a-z]{2,3}$/.test(lang) ? [wrongPattern(['lang'], 'must be a language code of two or three letters')] : []),
    ...(from != null && to != null && from >= to
      ? [{ code: 'wrong_order', path: ['from'], message: 'from should be before to' } as const]
      : []),
  ]
}

function conditionsOf(filter: ReclassificationFilterInput | null | undefined, tree: DomainTree): ReclassificationFilter {
  const { domainIds, withoutDomain = false, lang, from, to, outdatedOnly = true } = filter ?? {}
  const named = domainIds == null ? [] : tree.storedIds(domainIds)
  return {
    ...((domainIds != null || withoutDomain) && { domains: [...named, ...(withoutDomain ? [null] : [])] }),
    ...(lang != null && { lang }),
    ...(from != null && { from: from.toISOString() }),
    ...(to != null && { to: to.toISOString() }),
    outdatedOnly,
  }
}

const shownJob = (job: TaxonomyJob): TaxonomyReclassification => {
  const { id: key, kind, state, version, rate, total, examined, changed, kept, createdAt, finishedAt, result } = job
  const progress = { total, examined, changed, kept, createdAt, finishedAt }
  return { key, isFollowUp: kind === 'outdated', state, version, rate, ...progress, problem: problemOf({ state, result }) }
}

import type { Registry } from 'prom-client'
import { type AnalyticsStore, analyticsTopic } from '../../engines/analytics-store/analytics-store.ts'
import { ModerationCases } from '../../engines/analytics-store/moderation-cases.ts'
import { postgresAnalyticsStore } from '../../engines/analytics-store/postgres-analytics-store.ts'
import { type AuditNote, AuditTrail } from '../../engines/audit/audit-trail.ts'
import type { EventFeed } from '../../engines/event-feed/event-feed.ts'
import { refuseLag } from '../../engines/event-feed/follower-lag.ts'
import type { Geocoder } from '../../engines/geocoder/geocoder.ts'
import type { PartitionedKeyValue } from '../../engines/key-value/key-value.ts'
import type { LanguageModel } from '../../engines/language-model/language-model.ts'
import type { BatchOptions, MessageHandler } from '../../engines/message-queue/message-queue.ts'
import type { OutboxQueue } from '../../engines/message-queue/outbox-queue.ts'
import type { Database } from '../../engines/relational/database.ts'
import { driftOf } from '../../engines/search-index/drift-report.ts'
import { type SearchIndex, searchIndexFollower } from '../../engines/search-index/search-index.ts'
import type { SentenceEncoder } from '../../engines/sentence-encoder/sentence-encoder.ts'
import { withStoredVectors } from '../../engines/sentence-encoder/stored-vectors.ts'
import { sharedTraining } from '../../engines/text-classifier/shared-training.ts'
import type { Clock } from '../../foundation/clock.ts'
import type { CommitWindow } from '../../foundation/concurrency/deadline.ts'
import type { LoadGate } from '../../foundation/concurrency/load-gate.ts'
import { userWith } from '../../foundation/graphql/authorisation.ts'
import { totalCountOf } from '../../foundation/graphql/total-count.ts'
import type { HealthProbe } from '../../foundation/health/health.ts'
import { refuseDead, refuseNewer, refuseStalled } from '../../foundation/health/health-status.ts'
import { compose, type Part, periodic } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { buildSubgraph, type Subgraph } from '../../foundation/subgraph/subgraph.ts'
import { Pipeline, pipelineVersion } from './analysis/pipeline.ts'
import { sentimentModel } from './analysis/sentiment/sentiment-model.ts'
import { stepFailures } from './analysis/step-failures.ts'
import { TopicTrainer } from './analysis/topic/topic-trainer.ts'
import type { ExpressionDocument } from './expression/expression-document.ts'
import { DeadLetterConnection } from './graphql/dead-letter.type.ts'
import { DeadLettersResolver } from './graphql/dead-letters.resolver.ts'
import { ExpressionResolver } from './graphql/expression.resolver.ts'
import { ExpressionListConnection } from './graphql/expression.type.ts'
import { ExpressionStreamResolver } from './graphql/expression-stream.resolver.ts'
import type { ClassificationModel } from './graphql/model.type.ts'
import { ModelsResolver } from './graphql/models.resolver.ts'
import { ModerationResolver } from './graphql/moderation.resolver.ts'
import { ModerationCaseResolver, moderators } from './graphql/moderation-case.resolver.ts'
import { ModerationCaseConnection } from './graphql/moderation-case.type.ts'
import { DomainExpressionsResolver, RecentExpressionsResolver } from './graphql/recent-expressions.resolver.ts'
import { ReclassificationResolver } from './graphql/reclassification.resolver.ts'
import {
  TaxonomyCorrectionConnection,
  TaxonomyReclassificationConnection,
  TaxonomyVersionConnection,
  taxonomyEditors,
} from './graphql/taxonomy.type.ts'
import { TaxonomyDraftDomainResolver, TaxonomyDraftResolver } from './graphql/taxonomy-draft.resolver.ts'
import { TaxonomyVersionsResolver } from './graphql/taxonomy-versions.resolver.ts'
import { indexMetrics } from './index-upkeep/index-metrics.ts'
import { indexReconciler } from './index-upkeep/index-reconciler.ts'
import { BatchWriter } from './intake/batch-writer.ts'
import type { IdentityKeys } from './intake/expression-key.ts'
import { IngestExpression } from './intake/ingest-expression.ts'
import type { IngestLimits } from './intake/ingest-limits.ts'
import { ingestMetrics } from './intake/ingest-metrics.ts'
import { workerMetrics } from './intake/worker-metrics.ts'
import { storedExpression } from './moderation/correct-expression.ts'
import { contentOf } from './moderation/decide-case.ts'
import type { ReportLimits } from './moderation/report-expression.ts'
import { ExpressionScreening, type ScreeningPolicy } from './screening/screen-expressions.ts'
import { PinnedRankings } from './search/pinned-rankings.ts'
import { RecentIndexTimes } from './search/recently-indexed.ts'
import { searchCoverage } from './search/search-coverage.ts'
import { stepRetrying } from './step-retries/retry-steps.ts'
import { StepRetries } from './step-retries/step-retries.ts'
import { ExpressionStream } from './stream/expression-stream.ts'
import { previewing } from './taxonomy/preview-draft.ts'
import { reclassifying } from './taxonomy/reclassify.ts'
import { synchroniseTaxonomy } from './taxonomy/synchronise-taxonomy.ts'
import { TaxonomyDrafts } from './taxonomy/taxonomy-drafts.ts'
import { TaxonomyJobs } from './taxonomy/taxonomy-jobs.ts'
import { taxonomyUpkeep } from './taxonomy/taxonomy-upkeep.ts'

export interface ClassificationEngines {
  readonly database: Database
  readonly feed: EventFeed
  readonly keyValue: PartitionedKeyValue
  readonly index: SearchIndex
  readonly queue: OutboxQueue
  readonly encoder: SentenceEncoder
  readonly geocoder: Geocoder
  readonly languageModel: LanguageModel | undefined
  readonly clock: Clock
  readonly log: Log
  /** receives each audit record */
  readonly auditNote?: AuditNote | undefined
}

export interface ClassificationSettings extends IdentityKeys {
  readonly version: string
  /** probes of services other than the engines above */
  readonly probes: readonly HealthProbe[]
  readonly limits: IngestLimits
  readonly moderation: ModerationSettings
  readonly executionProviders: readonly string[]
  /** IANA name of the time zone that defines days */
  readonly timezone: string
  /** the models in use, as clients see them */
  readonly models: readonly ClassificationModel[]
  /** time limit of a request */
  readonly requestLimitMs: number
  readonly registry: Registry
  /** observes how long expressions wait to be queued */
  readonly gate?: Pick<LoadGate, 'watch'> | undefined
}

export interface ModerationSettings extends ScreeningPolicy {
  /** days in which a withdrawal can be undone */
  readonly undoDays: number
  readonly reports: ReportLimits
}

/** A subgraph and its background work. */
export interface Classification {
  readonly subgraph: Subgraph
  readonly upkeep: Part
}

/** Names the generation of an index: replicas with another pipeline or encoder do not share it. */
export const indexGeneration = (model: string): string => `${pipelineVersion}-${model.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`

const storeOf = ({ database, feed }: ClassificationEngines): AnalyticsStore<ExpressionDocument> =>
  postgresAnalyticsStore({ database, feed })

/** Creates component C as a subgraph: ingestion and search of expressions. The worker writes them to the analytics store. */
export async function createClassification(engines: ClassificationEngines, settings: ClassificationSettings): Promise<Classification> {
  const { index, keyValue, geocoder, languageModel, feed, log } = engines
  const encoder = withStoredVectors(engines.database, engines.encoder)
  const store = storeOf(engines)
  const topics = new TopicTrainer(store, encoder, settings.executionProviders, sharedTraining(engines.database, 'published'))
  const sentiment = sentimentModel(settings.executionProviders)
  const recent = new RecentIndexTimes()
  const audit = new AuditTrail(engines.database, engines.auditNote)
  const cases = new ModerationCases(engines, contentOf)
  const screening = new ExpressionScreening(cases, audit, settings.moderation)
  const ingest = new IngestExpression(
    { ...engines, recent, screening },
    new Pipeline({ topics, encoder, geocoder, sentiment, languageModel, onStepFailure: stepFailures(settings.registry, log) }),
    settings,
    ingestMetrics(settings.registry, engines.queue),
  )
  settings.gate?.watch(() => ingest.oldestWaitMs)
  const retries = new StepRetries(engines.database)
  const { undoDays, reports } = settings.moderation
  const moderating = { ...engines, store, model: encoder.model, retries, audit, topics, cases, undoDays }
  const deadLetters = new DeadLettersResolver({ store, retries, audit, queue: engines.queue })
  const moderation = new ModerationResolver(ingest, engines.queue, moderating)
  const synchronise = (signal: AbortSignal, window?: CommitWindow) =>
    synchroniseTaxonomy({ store, index, keyValue, encoder }, signal, window)
  const resolver = new ExpressionResolver({
    index,
    store,
    ingest,
    encoder,
    keyValue: keyValue.partition('counters'),
    rankings: new PinnedRankings(keyValue.partition('searches')),
    topics,
    timezone: settings.timezone,
    audit,
    limits: settings.limits,
    synchronise,
  })
  const coverage = searchCoverage({ index, store, registry: settings.registry, log })
  const recentExpressions = new RecentExpressionsResolver({
    store,
    index,
    topics,
    timezone: settings.timezone,
    queue: engines.queue,
    find: (id, context) => resolver.find(id, context),
  })
  const moderationCases = new ModerationCaseResolver({
    ...moderating,
    stored: (id) => storedExpression(moderating, id),
    keyValue: keyValue.partition('counters'),
    limits: reports,
    pseudonymKey: settings.pseudonymKey,
    find: (id, context) => resolver.find(id, context),
  })
  const drafts = new TaxonomyDrafts(engines.database, store)
  const jobs = new TaxonomyJobs(engines.database)
  const taxonomy = [
    new TaxonomyDraftResolver({ store, drafts, jobs, audit, topics, find: (id, context) => resolver.find(id, context) }),
    new TaxonomyDraftDomainResolver({ store, topics }),
    new TaxonomyVersionsResolver({ database: engines.database, store, drafts, audit }),
    new ReclassificationResolver({ database: engines.database, store, jobs, audit, topics }),
  ]
  const stream = new ExpressionStream({ index, store, feed, topics, recent, log })
  const streamResolver = new ExpressionStreamResolver({ stream, feed, topics })
  const subgraph = await buildSubgraph('classification', {
    version: settings.version,
    noteRefusal: (mutation, context) => audit.recordRefusal(mutation, context),
    probes: [
      ...settings.probes,
      {
        name: 'analytics_database',
        engine: 'postgresql',
        essential: true,
        async check(signal) {
          await engines.database.health(signal)
          refuseNewer('messages with expressions', await engines.queue.newer(signal))
          refuseStalled('The oldest unwritten expression', await engines.queue.oldestAgeMs(signal))
          refuseStalled('The oldest failed step that is due for a retry', await retries.overdueMs())
          refuseDead('messages of expressions', await engines.queue.dead(signal))
        },
      },
      {
        name: 'search_index',
        engine: index.engine,
        essential: false,
        async check(signal) {
          await index.health(signal)
          await refuseLag('The oldest change that is missing in the search index', engines.database, searchIndexFollower, analyticsTopic)
          coverage.refuseIncomplete()
        },
        drift: () => driftOf(engines.database),
      },
    ],
    resolvers: [
      resolver,
      recentExpressions,
      new DomainExpressionsResolver(recentExpressions),
      streamResolver,
      moderation,
      moderationCases,
      deadLetters,
      ...taxonomy,
      totalCountOf(TaxonomyVersionConnection, [taxonomyEditors]),
      totalCountOf(TaxonomyCorrectionConnection, [taxonomyEditors]),
      totalCountOf(TaxonomyReclassificationConnection, [taxonomyEditors]),
      totalCountOf(ModerationCaseConnection, [moderators]),
      totalCountOf(DeadLetterConnection, [userWith('super_admin')]),
      totalCountOf(ExpressionListConnection, []),
      new ModelsResolver(settings.models, topics),
    ],
    entities: {
      Expression: ({ id }, context) => resolver.find(String(id), context),
      Domain: ({ id }) => ({ id }),
      DeadLetter: ({ id }, context) => deadLetters.find(String(id), context),
    },
    streams: { expressionAdded: (args, context) => streamResolver.events(args, context) },
  })
  const upkeep = compose('classification upkeep', [taxonomyUpkeep({ store, topics, sentiment, feed, log }, synchronise), coverage])
  return { subgraph, upkeep }
}

/** Creates the worker of component C, which writes queued expressions to the analytics store and keeps the search index equal to it. */
export function createClassificationWorker(
  engines: ClassificationEngines,
  messages: (gathering: BatchOptions, handler: MessageHandler) => Part,
  settings: Pick<ClassificationSettings, 'registry' | 'executionProviders' | 'moderation'>,
): Part {
  const { database, log } = engines
  const encoder = withStoredVectors(database, engines.encoder)
  const { registry, executionProviders } = settings
  const jobs = new TaxonomyJobs(database)
  const store = storeOf(engines)
  const retries = new StepRetries(database)
  const metrics = workerMetrics(registry, {
    retries: () => retries.waiting(),
    deadLetters: () => store.countDeadLetters(),
    deadMessages: () => engines.queue.dead(AbortSignal.timeout(countLimitMs)),
  })
  const writer = new BatchWriter({ store, retries, log, metrics })
  const topics = new TopicTrainer(store, encoder, executionProviders, sharedTraining(database, 'published'))
  const cases = new ModerationCases(engines, contentOf)
  const screening = new ExpressionScreening(cases, new AuditTrail(database, engines.auditNote), settings.moderation)
  // trained when the first step is retried
  const current = async () => {
    await topics.refresh()
    return topics.model()
  }
  const pipeline = new Pipeline({
    ...engines,
    topics: { model: current },
    sentiment: sentimentModel(executionProviders),
    onStepFailure: stepFailures(registry, log),
  })
  return compose('classification worker', [
    messages(batches, (some) => writer.take(some.map(({ content }) => content))),
    indexReconciler({
      ...engines,
      store,
      retries,
      model: engines.encoder.model,
      synchronise: (signal) => synchroniseTaxonomy({ ...engines, encoder, store }, signal),
      onCompared: indexMetrics(registry),
    }),
    stepRetrying({ store, retries, pipeline, screening, log, onRetried: metrics.retried }),
    periodic(
      'removal of decided moderation cases',
      caseUpkeepMs,
      () => cases.removeExpired(),
      (error) => log.warn({ err: error }, 'decided moderation cases could not be removed; the next round removes them'),
    ),
    reclassifying({ database, store, jobs, topics, encoder, log }),
    previewing({ database, store, jobs, drafts: new TaxonomyDrafts(database, store), topics, encoder, executionProviders, log }),
  ])
}

const caseUpkeepMs = 600_000

/** timeout for a count that Prometheus requests */
const countLimitMs = 5000

/** batching of rows per write */
const batches: BatchOptions = { max: 50, gatherMs: 100 }

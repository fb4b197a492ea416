import type { Registry } from 'prom-client'
import { type AuditNote, AuditTrail } from '../../engines/audit/audit-trail.ts'
import type { CitizenDataHolder } from '../../engines/citizen-data/citizen-data.ts'
import type { CitizenPseudonyms } from '../../engines/citizen-data/citizen-pseudonyms.ts'
import type { DocumentReader } from '../../engines/document-reader/document-reader.ts'
import type { EventFeed } from '../../engines/event-feed/event-feed.ts'
import type { FaceAnalyser } from '../../engines/face-analyser/face-analyser.ts'
import type { ImageVault } from '../../engines/image-vault/image-vault.ts'
import type { VaultKeys } from '../../engines/image-vault/vault-keys.ts'
import type { JobHandler, JobQueue } from '../../engines/job-queue/job-queue.ts'
import type { Database } from '../../engines/relational/database.ts'
import type { Typesetter } from '../../engines/typesetting/typesetter.ts'
import type { Clock } from '../../foundation/clock.ts'
import type { LoadGate } from '../../foundation/concurrency/load-gate.ts'
import { requireOneOf } from '../../foundation/graphql/authorisation.ts'
import { startOf } from '../../foundation/graphql/event-position.ts'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import { totalCountOf } from '../../foundation/graphql/total-count.ts'
import type { HealthProbe } from '../../foundation/health/health.ts'
import { refuseNewer, refuseStalled } from '../../foundation/health/health-status.ts'
import { newerWatch } from '../../foundation/health/newer-format.ts'
import { compose, type Part, periodic, startWhenReady } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { buildSubgraph, type Subgraph } from '../../foundation/subgraph/subgraph.ts'
import { AuditedAccess } from './access/audited-access.ts'
import { readers, visibilityOf } from './access/visibility.ts'
import { VerifyIdentity } from './assessment/verify-identity.ts'
import { CallbackSender } from './callbacks/callback-sender.ts'
import { type CallbackSecretsOf, callbackDelivery, waitingMs } from './callbacks/deliver-callbacks.ts'
import { thresholdsWith } from './checks/thresholds.ts'
import { chipChallengeOf, deleteUnusedChipChallenges } from './chip/challenges.ts'
import { certificatesOf } from './chip/country-certificates.ts'
import { citizenAudit } from './citizens/citizen-audit.ts'
import { CitizenErasures } from './citizens/citizen-erasures.ts'
import { citizenVerifications } from './citizens/citizen-verifications.ts'
import { sealKeysOf } from './document/seal-certificates.ts'
import { FaceGallery } from './duplicates/face-gallery.ts'
import { BatchResolver } from './graphql/batch.resolver.ts'
import { CallbackResolver } from './graphql/callback.resolver.ts'
import { CallbackDeliveryConnection } from './graphql/callback.type.ts'
import { ChipResolver } from './graphql/chip.resolver.ts'
import { CitizenResolver } from './graphql/citizen.resolver.ts'
import { CitizenErasureResolver } from './graphql/citizen-erasure.resolver.ts'
import { HistoryResolver } from './graphql/history.resolver.ts'
import { JobListResolver } from './graphql/job-list.resolver.ts'
import { LivenessResolver } from './graphql/liveness.resolver.ts'
import { type ReviewDependencies, ReviewResolver } from './graphql/review.resolver.ts'
import { ReviewCaseConnection } from './graphql/review.type.ts'
import { typeOfJob, VerificationResolver, VerificationResultConnectionResolver } from './graphql/verification.resolver.ts'
import { VerificationJobConnection } from './graphql/verification.type.ts'
import { SubmitJobs } from './intake/submit-jobs.ts'
import { finishedJobs, startedJobs } from './jobs/finished-jobs.ts'
import { registerJobMetrics } from './jobs/job-gauges.ts'
import { PollResults } from './jobs/poll-results.ts'
import { ProcessJob } from './jobs/process-job.ts'
import { requeueJobs } from './jobs/requeue-jobs.ts'
import { removeOldJobs } from './jobs/retention.ts'
import { countNewerJobs, untilJobs, waitingJobs } from './jobs/waiting-jobs.ts'
import { WorkerPresence } from './jobs/worker-presence.ts'
import { challengeOf, deleteUnusedChallenges } from './liveness/challenges.ts'
import { DecideReview } from './review/decision/decide-review.ts'
import { SettleReview } from './review/decision/settle-review.ts'
import { expireReviews } from './review/expire-reviews.ts'
import { ImageAddresses } from './review/image-addresses.ts'
import { ReviewClaims } from './review/review-claims.ts'
import { ReviewEvidence } from './review/review-evidence.ts'
import { registerReviewMetrics } from './review/review-gauges.ts'
import { reviewers } from './review/reviewer.ts'

export type { CallbackSecretsOf } from './callbacks/deliver-callbacks.ts'

export interface VerificationEngines {
  readonly database: Database
  readonly queue: JobQueue
  readonly vault: ImageVault
  readonly feed: EventFeed
  readonly clock: Clock
  readonly log: Log
  /** receives each audit record */
  readonly auditNote?: AuditNote | undefined
  /** observes the waiting time of submissions */
  readonly gate?: Pick<LoadGate, 'watch'> | undefined
}

export interface VerificationSubgraphEngines extends VerificationEngines {
  readonly pseudonyms: CitizenPseudonyms
  /** data about citizens in the other components, in the order of erasure */
  readonly citizenData: readonly CitizenDataHolder[]
  /** typesets certificates of erasure */
  readonly typesetter: Typesetter
}

export interface VerificationSettings {
  /** two reviewers must make the same decision */
  readonly fourEyes?: boolean
  /** minutes in which a decision can be undone (default: 0) */
  readonly undoMinutes?: number
  /** days after an acknowledgement in which super_admins see outcome and reasons (default: 0) */
  readonly outcomeRetentionDays?: number
  /** DEDUPLICATION_KEY and earlier keys, when the search is on */
  readonly templateKeys?: VaultKeys | undefined
  readonly version: string
  readonly commit: string
  /** newest migration that the build knows */
  readonly schemaLevel: number
  /** the models that workers of this release use, by purpose */
  readonly models: Readonly<Record<string, string>>
  readonly maxBatchJobs: number
  /** for development: accepts callback URLs with http and on this machine (default: false) */
  readonly allowsLocalCallbacks?: boolean
  /** URL of the REST component for the addresses of images; default: relative addresses */
  readonly publicUrl?: string | undefined
}

/** Creates component A as a subgraph: accepts jobs, reports their status and returns results. The worker runs the jobs. */
export function createVerification(engines: VerificationSubgraphEngines, settings: VerificationSettings): Promise<Subgraph> {
  const { database, vault, feed } = engines
  const pollResults = new PollResults(engines)
  const audit = new AuditTrail(database, engines.auditNote)
  const auditedAccess = new AuditedAccess(audit, engines.pseudonyms)
  const { erasures, holders } = erasureParts(engines, auditedAccess)
  const submitJobs = new SubmitJobs(engines)
  const review = reviewParts(engines, auditedAccess, settings)
  engines.gate?.watch(() => submitJobs.oldestWaitMs)
  const resolver = new VerificationResolver({
    database,
    vault,
    pollResults,
    auditedAccess,
    submitJobs,
    version: {
      name: 'civigraph-verification',
      version: settings.version,
      apiVersion: '1.0.0',
      commit: settings.commit,
      schemaLevel: settings.schemaLevel,
      models: Object.entries(settings.models).map(([name, version]) => ({ name, version })),
    },
    maxBatchJobs: settings.maxBatchJobs,
    outcomeRetentionDays: settings.outcomeRetentionDays ?? 0,
    callbackRules: { allowLocal: settings.allowsLocalCallbacks ?? false },
  })
  const citizenErasure = new CitizenErasureResolver({
    erasures,
    holders,
    auditedAccess,
    typesetter: engines.typesetter,
    publicUrl: settings.publicUrl ?? '',
  })
  const batches = new BatchResolver(database, auditedAccess)
  const callbacks = new CallbackResolver(database, auditedAccess)
  /** Reads the arguments of a subscription to jobs. @throws {Fault} for a caller that may not read jobs */
  const followed = async (args: Readonly<Record<string, unknown>>, context: RequestContext) => {
    const { jobId, batchId, citizenCode } = args
    requireOneOf(context.principal, readers)
    await auditedAccess.followed(context)
    const wanted = { jobId: textOf(jobId)?.toLowerCase(), batchId: textOf(batchId)?.toLowerCase(), citizenCode: textOf(citizenCode) }
    return { after: startOf(args), wanted, visibility: visibilityOf(context.principal) }
  }
  return buildSubgraph('verification', {
    version: settings.version,
    noteRefusal: (mutation, context) => audit.recordRefusal(mutation, context),
    probes: probesOf(engines),
    resolvers: [
      resolver,
      batches,
      callbacks,
      new CitizenResolver(database, auditedAccess),
      citizenErasure,
      new JobListResolver(database, auditedAccess),
      new ChipResolver(database),
      new HistoryResolver({ database, vault, auditedAccess }),
      new LivenessResolver(database),
      new ReviewResolver(review),
      new VerificationResultConnectionResolver(pollResults),
      totalCountOf(VerificationJobConnection, readers),
      totalCountOf(CallbackDeliveryConnection, readers),
      totalCountOf(ReviewCaseConnection, reviewers),
    ],
    entities: {
      Citizen: ({ code }) => ({ code }),
      VerificationJob: ({ id }, context) => resolver.job(String(id), context),
      VerificationBatch: ({ id }, context) => batches.find(String(id), context),
      CallbackDelivery: ({ id }, context) => callbacks.find(String(id), context),
    },
    openFile: async (id, context) =>
      (await citizenErasure.openFile(id, context)) ?? review.evidence.open(context, id.slice('verification.'.length)),
    streams: {
      async *verificationStarted(args, context) {
        const { after, wanted, visibility } = await followed(args, context)
        for await (const { job, ...event } of startedJobs({ database, feed }, visibility, after, context.signal, wanted))
          yield { ...event, job: job && typeOfJob(job) }
      },
      async *verificationFinished(args, context) {
        const { after, wanted, visibility } = await followed(args, context)
        for await (const { job, ...event } of finishedJobs({ database, feed }, visibility, after, context.signal, wanted))
          yield { ...event, job: job && typeOfJob(job) }
      },
    },
  })
}

/** The data about citizens in all components, and their erasure. */
function erasureParts(
  { database, vault, pseudonyms, citizenData }: VerificationSubgraphEngines,
  auditedAccess: AuditedAccess,
): { readonly erasures: CitizenErasures; readonly holders: readonly CitizenDataHolder[] } {
  const holders = [
    citizenVerifications({ database, vault }),
    ...citizenData,
    citizenAudit({ database, pseudonyms, formerKeys: vault.derivedKeys('audit') }),
  ]
  return {
    holders,
    erasures: new CitizenErasures({ database, holders, pseudonyms, keys: vault.derivedKeys('citizen erasures'), auditedAccess }),
  }
}

const resumeEveryMs = 10_000

/** Creates the background work of the subgraph: continues interrupted erasures of citizens. */
export function createVerificationUpkeep(engines: VerificationSubgraphEngines): Part {
  const { log } = engines
  const auditedAccess = new AuditedAccess(new AuditTrail(engines.database, engines.auditNote), engines.pseudonyms)
  const { erasures } = erasureParts(engines, auditedAccess)
  return periodic(
    'erasures of citizens',
    resumeEveryMs,
    async (signal) => {
      const completed = await erasures.resume(signal)
      if (completed > 0) log.info({ completed }, 'interrupted erasures of citizens were completed')
    },
    (error) => log.warn({ err: error }, 'an interrupted erasure of a citizen could not continue; the next round retries'),
  )
}

const textOf = (argument: unknown): string | undefined => (typeof argument === 'string' ? argument : undefined)

function reviewParts(
  { database, vault, feed, clock }: VerificationEngines,
  auditedAccess: AuditedAccess,
  { fourEyes = false, undoMinutes = 0, templateKeys, publicUrl = '' }: VerificationSettings,
): ReviewDependencies {
  const claims = new ReviewClaims(database, auditedAccess)
  const addresses = new ImageAddresses(vault.derivedKeys('review images'), clock)
  return {
    database,
    vault,
    auditedAccess,
    claims,
    evidence: new ReviewEvidence({ database, vault, claims, addresses, auditedAccess }),
    decide: new DecideReview({
      ...{ database, auditedAccess, fourEyes, undoMinutes },
      settle: new SettleReview({ database, vault, feed, templateKeys }),
    }),
    publicUrl,
  }
}

function probesOf({ database, queue }: VerificationEngines): readonly HealthProbe[] {
  return [
    {
      name: 'database',
      engine: 'postgresql',
      essential: true,
      async check(signal) {
        await database.health(signal)
        refuseNewer('jobs', await countNewerJobs(database))
        refuseStalled('The oldest due callback', await waitingMs(database))
      },
    },
    {
      name: 'queue',
      engine: queue.engine,
      essential: false,
      async check(signal) {
        await queue.health(signal)
        const { waitingMs: jobsMs, workers } = await waitingJobs(database)
        refuseStalled(workers === 0 ? 'The next job, for which no worker runs,' : 'The next job', jobsMs)
      },
    },
  ]
}

export interface VerificationWorkerOptions {
  readonly concurrency: number
  /** undefined: results are stored until they are acknowledged */
  readonly resultRetentionDays: number | undefined
  /** days after an acknowledgement in which super_admins see outcome and reasons */
  readonly outcomeRetentionDays: number
  /** days for which images of jobs under review are stored; 0 or absent: not at all */
  readonly reviewRetentionDays?: number
  /** DEDUPLICATION_KEY and earlier keys: searches for duplicates; undefined or absent: no search */
  readonly templateKeys?: VaultKeys | undefined
  /** thresholds that differ from the defaults */
  readonly thresholds: Readonly<Record<string, number>>
  /** folder with the certificates of barcode seals; undefined or absent: seals are not verified */
  readonly sealCertificates?: string | undefined
  readonly faces: FaceAnalyser
  readonly reader: DocumentReader
  readonly callbacks: {
    readonly secretsOf: CallbackSecretsOf
    /** for development: allows callbacks to http URLs and to this machine */
    readonly allowLocal: boolean
  }
  /** creates the part that takes ids from the queue and calls the handler */
  readonly queueWorker: (handler: JobHandler) => Part
}

/** Registers the metrics of component A for the whole platform, and of reviews if they are on. Idempotent per registry. */
export function registerVerificationMetrics(
  registry: Registry,
  database: Database,
  { reviewRetentionDays }: { readonly reviewRetentionDays: number },
): void {
  if (registry.getSingleMetric('civigraph_verification_jobs') !== undefined) return
  registerJobMetrics(registry, database)
  if (reviewRetentionDays > 0) registerReviewMetrics(registry, database)
}

const requeueEveryMs = 10_000
const retentionEveryMs = 3_600_000
const holdsEveryMs = 5000

/**
 * Creates the worker of component A: runs jobs, requeues lost ones and removes expired data.
 * @throws {ConfigProblems} for invalid thresholds and seal certificates
 */
export function createVerificationWorker(engines: VerificationEngines, options: VerificationWorkerOptions): Part {
  const { database, queue, vault, feed, clock, log } = engines
  const { faces, reader } = options
  const presence = new WorkerPresence()
  const gallery = options.templateKeys && new FaceGallery({ database, keys: options.templateKeys, clock, log })
  const verify = new VerifyIdentity({
    certificatesOf: (country) => certificatesOf(database, country),
    challengeOf: (jobId) => challengeOf(database, jobId),
    chipChallengeOf: (jobId) => chipChallengeOf(database, jobId),
    gallery,
    faces,
    reader,
    clock,
    thresholds: thresholdsWith(options.thresholds),
    sealKeys: sealKeysOf(options.sealCertificates),
  })
  const { reviewRetentionDays = 0 } = options
  const process = new ProcessJob(
    { ...engines, workerId: presence.id },
    (job, submission, signal) => verify.verify(job, submission, signal),
    { retainsForReview: reviewRetentionDays > 0, templateKeys: options.templateKeys },
  )
  let first = true
  const requeue = periodic(
    'requeue of verification jobs',
    requeueEveryMs,
    async (signal) => {
      await requeueJobs({ database, queue, log }, first, signal)
      first = false
    },
    (error) => log.warn({ err: error }, 'jobs could not be queued again; the next round retries'),
  )
  const retention = periodic(
    'retention of verification jobs',
    retentionEveryMs,
    async (signal) => {
      await deleteUnusedChallenges(database)
      await deleteUnusedChipChallenges(database)
      const retained = { resultDays: options.resultRetentionDays, outcomeDays: options.outcomeRetentionDays }
      await removeOldJobs(database, vault, retained, signal)
      const lapsed = await expireReviews(database, vault, reviewRetentionDays, signal)
      if (lapsed > 0) log.info({ lapsed }, 'reviews ended without a decision; their images were removed')
      const stray = await vault.sweep(signal)
      if (stray > 0) log.info({ stray }, 'sealed files of jobs that were never accepted were removed')
    },
    (error) => log.warn({ err: error }, 'old verification jobs could not be removed; the next round retries'),
  )
  const settle = new SettleReview({ database, vault, feed, templateKeys: options.templateKeys })
  const holds = periodic(
    'end of holds on review decisions',
    holdsEveryMs,
    async (signal) => {
      await settle.completeDue(signal)
    },
    (error) => log.warn({ err: error }, 'held decisions could not be completed; the next round retries'),
  )
  const { allowLocal, secretsOf } = options.callbacks
  const sender = new CallbackSender({ allowLocal })
  const callbacks = callbackDelivery({ database, feed, clock, log, sender, secretsOf })
  const takeJobs = options.queueWorker(async (jobId, signal) => {
    const durationMs = await process.run(jobId, signal)
    if (durationMs === undefined) return
    presence.noteJob(durationMs)
    log.info({ jobId, durationMs: Math.round(durationMs) }, 'verification finished')
  })
  // loads its dependencies when there is a job; a worker that cannot load them leaves the job to others
  const jobs = startWhenReady(
    async (signal) => {
      await untilJobs(queue, signal)
      if (!signal.aborted) await Promise.all([faces.ready(), reader.ready(), gallery?.readable()])
    },
    takeJobs,
    (error) => log.error({ err: error }, 'this worker cannot take jobs'),
  )
  const newer = newerWatch('jobs', () => countNewerJobs(database), log)
  return compose('verification worker', [
    presence.heartbeat(database, options.concurrency, log),
    jobs,
    requeue,
    retention,
    holds,
    callbacks,
    newer,
  ])
}

import type DataLoader from 'dataloader'
import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, ID, Int, Mutation, Query, Resolver, Root, Subscription } from 'type-graphql'
import { v7 as uuid } from 'uuid'
import type { ImageVault } from '../../../engines/image-vault/image-vault.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { Fault, InvalidInput } from '../../../foundation/fault.ts'
import { Authorise, serviceWith } from '../../../foundation/graphql/authorisation.ts'
import { pageOf } from '../../../foundation/graphql/connection.ts'
import { Cursors } from '../../../foundation/graphql/cursors.ts'
import { PositionArguments, type PositionedEvent } from '../../../foundation/graphql/event-position.ts'
import { loader } from '../../../foundation/graphql/loader.ts'
import { pageArguments, pageWindow } from '../../../foundation/graphql/page-window.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { servedFromStream } from '../../../foundation/subgraph/subgraph.ts'
import { tooMany } from '../../../foundation/validation/violation.ts'
import type { AuditedAccess } from '../access/audited-access.ts'
import { isForgotten, ownerOf, readers, readsJobs, submitters, visibilityOf } from '../access/visibility.ts'
import type { AddressRules } from '../callbacks/callback-address.ts'
import type { SubmitJobs } from '../intake/submit-jobs.ts'
import { acknowledge } from '../jobs/acknowledge.ts'
import { findJobs } from '../jobs/find-jobs.ts'
import type { FinishedJob, PollResults } from '../jobs/poll-results.ts'
import { orFallback, QueuePlaces, queueDepth, queueMetrics } from '../jobs/queue-metrics.ts'
import type { JobRow } from '../tables.ts'
import { typeOfChecks } from './cross-validations.type.ts'
import { submittedJobs } from './submitted-jobs.ts'
import { AcknowledgeVerificationResultsInput, SubmitVerificationBatchInput, SubmitVerificationInput } from './verification.input.ts'
import {
  AcknowledgeVerificationResultsPayload,
  Citizen,
  SubmitVerificationBatchPayload,
  SubmitVerificationPayload,
  type VerificationFailure,
  VerificationFinished,
  VerificationJob,
  VerificationQueue,
  VerificationResult,
  VerificationResultConnection,
  VerificationStarted,
  VerificationVersion,
} from './verification.type.ts'

const maxAcknowledged = 100_000
const results = { defaultSize: 20, maxSize: 1000 } as const

/** callers with a service key, for the jobs that they may see */
const pollers = [serviceWith('results', 'results:all')] as const

@ArgsType()
class ResultsArgs extends pageArguments(results) {}

/** Arguments of the events of jobs. */
@ArgsType()
class JobEventsArgs extends PositionArguments {
  @Field(() => ID, { nullable: true, description: 'Restricts the events to this job.' })
  jobId?: string | null
  @Field(() => ID, { nullable: true, description: 'Restricts the events to the jobs of this batch.' })
  batchId?: string | null
  @Field(() => String, { nullable: true, description: 'Restricts the events to the jobs of this citizen.' })
  citizenCode?: string | null
}

export interface VerificationDependencies {
  readonly database: Database
  readonly vault: ImageVault
  readonly submitJobs: SubmitJobs
  readonly pollResults: PollResults
  readonly auditedAccess: AuditedAccess
  readonly version: VerificationVersion
  readonly maxBatchJobs: number
  /** OUTCOME_RETENTION_DAYS */
  readonly outcomeRetentionDays: number
  readonly callbackRules: AddressRules
}

export function typeOfJob(row: JobRow): VerificationJob {
  return { ...row, citizen: { code: row.citizenCode }, batch: row.batchId === null ? null : { id: row.batchId } }
}

/** "<code>: <sentence> (<member of the REST request>)" */
const failurePattern = /^(\w+): (.*?)(?: \((selfie_b64|cni_recto_b64|cni_verso_b64)\))?$/s
const inputMembers: Readonly<Record<string, string>> = {
  selfie_b64: 'selfie',
  cni_recto_b64: 'documentFront',
  cni_verso_b64: 'documentBack',
}

export function failureOf(reason: string | null): VerificationFailure | null {
  if (reason === null) return null
  const [, code = 'failed', message = reason, member = ''] = failurePattern.exec(reason) ?? []
  return { code, message, field: inputMembers[member] ?? null }
}

function typeOfResult({ job, result }: FinishedJob): VerificationResult {
  return {
    ...result,
    job: typeOfJob(job),
    status: job.status,
    // a finished job always has a completion time
    completedAt: job.completedAt ?? job.queuedAt,
    crossValidations: result.crossValidations && typeOfChecks(result.crossValidations),
    failure: failureOf(result.failureReason),
  }
}

@Resolver(() => VerificationJob)
export class VerificationResolver {
  readonly #parts: VerificationDependencies
  readonly #places: QueuePlaces

  constructor(parts: VerificationDependencies) {
    this.#parts = parts
    this.#places = new QueuePlaces(parts.database)
  }

  @Query(() => VerificationJob, {
    nullable: true,
    description: 'Returns one job; null when the id is unknown or the job belongs to another caller.',
  })
  @Authorise(...readers)
  async verificationJob(
    @Arg('id', () => ID, { description: 'Id of the job.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<VerificationJob | null> {
    return this.job(id, context)
  }

  @Query(() => VerificationResultConnection, {
    description:
      'Results of the caller’s finished jobs, oldest completion first. Reading does not remove them: they are returned until they are acknowledged.',
  })
  @Authorise(...pollers)
  async verificationResults(
    @Args(() => ResultsArgs) args: ResultsArgs,
    @Ctx() context: RequestContext,
  ): Promise<VerificationResultConnection> {
    const cursors = new Cursors(['verificationResults'])
    const window = pageWindow(args, results, (cursor, argument) => {
      const { moment, id } = cursors.momentOf(cursor, argument)
      return { completedAt: moment, id }
    })
    const rows = await this.#parts.pollResults.page(visibilityOf(context.principal), window, context.signal)
    const shown = rows.slice(0, window.size)
    await this.#parts.auditedAccess.resultsRead(
      context,
      shown.map(({ job }) => job.id),
    )
    await this.#parts.pollResults.handedOut(shown.map(({ job, result }) => [job.id, result]))
    return pageOf(rows.map(typeOfResult), window, ({ job, completedAt }) => cursors.ofMoment(completedAt, job.id))
  }

  @Query(() => VerificationQueue, { description: 'Current figures of the queue and its workers.' })
  verificationQueue(): Promise<VerificationQueue> {
    return queueMetrics(this.#parts.database)
  }

  @Query(() => VerificationVersion, { description: 'Version of the verification service.' })
  verificationVersion(): VerificationVersion {
    return this.#parts.version
  }

  @Query(() => Citizen, { description: 'Returns the citizen with this code, whether or not the code is in use.' })
  citizen(@Arg('code', () => String, { description: 'Citizen code, assigned by the calling services.' }) code: string): Citizen {
    return { code }
  }

  @Mutation(() => SubmitVerificationPayload, {
    description: 'Accepts a verification and returns without waiting for its result; a worker processes the job later.',
  })
  @Authorise(...submitters)
  async submitVerification(
    @Arg('input', () => SubmitVerificationInput) input: SubmitVerificationInput,
    @Ctx() context: RequestContext,
  ): Promise<SubmitVerificationPayload> {
    const { submitJobs, callbackRules } = this.#parts
    const jobs = submittedJobs({ jobs: [{ input, path: [] }], idempotencyKey: input.idempotencyKey }, context, callbackRules)
    const origin = { owner: ownerOf(context.principal), batchId: null, ...keyOf(input) }
    const {
      rows: [job],
    } = await submitJobs.submit(origin, jobs, context.deadline)
    if (job === undefined) throw new Error('a submitted job was not returned')
    const { position, estimatedWaitSeconds } = await this.#places.of(job, context.deadline.remainingMs / 2)
    return { job: typeOfJob(job), queuePosition: position, estimatedWaitSeconds }
  }

  @Mutation(() => SubmitVerificationBatchPayload, { description: 'Accepts several verifications, all or none.' })
  @Authorise(...submitters)
  async submitVerificationBatch(
    @Arg('input', () => SubmitVerificationBatchInput) input: SubmitVerificationBatchInput,
    @Ctx() context: RequestContext,
  ): Promise<SubmitVerificationBatchPayload> {
    const { maxBatchJobs, submitJobs, database, callbackRules } = this.#parts
    atMost('jobs', input.jobs.length, maxBatchJobs)
    const paths = input.jobs.map((job, index) => ({ input: job, path: ['jobs', index] }))
    const jobs = submittedJobs({ jobs: paths, idempotencyKey: input.idempotencyKey }, context, callbackRules)
    const origin = { owner: ownerOf(context.principal), batchId: uuid(), ...keyOf(input) }
    const { batchId, rows } = await submitJobs.submit(origin, jobs, context.deadline)
    return {
      batch: { id: batchId ?? origin.batchId },
      jobs: rows.map(typeOfJob),
      total: rows.length,
      queued: rows.length,
      // the jobs are accepted: an unavailable count must not delay the response
      queueDepth: await orFallback(queueDepth(database), context.deadline.remainingMs / 2, rows.length),
    }
  }

  @Mutation(() => AcknowledgeVerificationResultsPayload, {
    description: 'Erases results that the caller has stored. Repeating the call changes nothing.',
  })
  @Authorise(...pollers)
  async acknowledgeVerificationResults(
    @Arg('input', () => AcknowledgeVerificationResultsInput) { jobIds }: AcknowledgeVerificationResultsInput,
    @Ctx() context: RequestContext,
  ): Promise<AcknowledgeVerificationResultsPayload> {
    atMost('job_ids', jobIds.length, maxAcknowledged)
    const { database, vault, auditedAccess } = this.#parts
    const { acknowledged, notFound } = await acknowledge(
      { database, vault },
      visibilityOf(context.principal),
      jobIds,
      (tx, ids) => auditedAccess.acknowledged(context, ids, tx),
      { keepsReasons: this.#parts.outcomeRetentionDays > 0, deadline: context.deadline },
    )
    return { acknowledged: acknowledged.length, acknowledgedJobIds: acknowledged, notFound }
  }

  @FieldResolver(() => VerificationResult, { nullable: true })
  @Authorise(...readers)
  async result(@Root() { id }: VerificationJob, @Ctx() context: RequestContext): Promise<VerificationResult | null> {
    const job = await this.#rows(context).load(id)
    if (job === undefined) return null
    const result = await loader<JobRow, FinishedJob['result'] | undefined>(context, 'verification results', async (jobs) => {
      const results = await this.#parts.pollResults.of(jobs, context.signal)
      const read = [...results].flatMap(([jobId, result]) => (result instanceof Fault ? [] : [[jobId, result] as const]))
      await this.#parts.auditedAccess.resultsRead(
        context,
        read.map(([jobId]) => jobId),
      )
      // a read by a person does not count as delivery to the service
      if (context.principal.service !== undefined) await this.#parts.pollResults.handedOut(read)
      return jobs.map(({ id: jobId }) => results.get(jobId))
    }).load(job)
    return result === undefined ? null : typeOfResult({ job, result })
  }

  @Subscription(() => VerificationStarted, {
    description:
      'Emits an event for each of the caller’s jobs that a worker starts, once for each attempt and at least once, so that a page can show the progress of a job.',
    subscribe: servedFromStream,
  })
  @Authorise(...readers)
  verificationStarted(
    @Root() event: PositionedEvent<VerificationStarted>,
    @Args(() => JobEventsArgs) _: JobEventsArgs,
  ): PositionedEvent<VerificationStarted> {
    return event
  }

  @Subscription(() => VerificationFinished, {
    description: 'Emits an event for each of the caller’s jobs that becomes final, at least once.',
    subscribe: servedFromStream,
  })
  @Authorise(...readers)
  verificationFinished(
    @Root() event: PositionedEvent<VerificationFinished>,
    @Args(() => JobEventsArgs) _: JobEventsArgs,
  ): PositionedEvent<VerificationFinished> {
    return event
  }

  /** Returns a job by id, batched per request; null when it is unknown or another caller's. */
  async job(id: string, context: RequestContext): Promise<VerificationJob | null> {
    const row = readsJobs(context.principal) ? await this.#rows(context).load(id) : undefined
    return row === undefined ? null : typeOfJob(row)
  }

  #rows(context: RequestContext): DataLoader<string, JobRow | undefined> {
    return loader(context, 'verification jobs', async (ids: readonly string[]) => {
      const rows = await findJobs(this.#parts.database, ids, visibilityOf(context.principal))
      await this.#parts.auditedAccess.jobsRead(
        context,
        rows.flatMap((row) => row?.id ?? []),
      )
      // a service sees the status of an acknowledged job for 30 days only; administrators see what remains
      const isService = context.principal.service !== undefined
      return isService ? rows.map((row) => (row !== undefined && isForgotten(row) ? undefined : row)) : rows
    })
  }
}

@Resolver(() => VerificationResultConnection)
export class VerificationResultConnectionResolver {
  readonly #pollResults: PollResults

  constructor(pollResults: PollResults) {
    this.#pollResults = pollResults
  }

  @FieldResolver(() => Int)
  @Authorise(...pollers)
  totalCount(@Ctx() { principal }: RequestContext): Promise<number> {
    return this.#pollResults.total(visibilityOf(principal))
  }
}

const keyOf = ({ idempotencyKey: key }: { readonly idempotencyKey?: string | null }) => (key == null ? {} : { idempotencyKey: key })

function atMost(member: string, actual: number, max: number): void {
  if (actual <= max) return
  const violation = tooMany([member], max, actual)
  throw new InvalidInput(violation.message, [violation])
}

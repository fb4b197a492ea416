import { Arg, Args, ArgsType, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql'
import type { Database, Transaction } from '../../../engines/relational/database.ts'
import { NotFound } from '../../../foundation/fault.ts'
import { Authorise } from '../../../foundation/graphql/authorisation.ts'
import { pageOf } from '../../../foundation/graphql/connection.ts'
import { Cursors } from '../../../foundation/graphql/cursors.ts'
import { deprecated } from '../../../foundation/graphql/deprecated.ts'
import { loader } from '../../../foundation/graphql/loader.ts'
import { pageArguments, pageWindow } from '../../../foundation/graphql/page-window.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import type { AuditedAccess } from '../access/audited-access.ts'
import { readers, readsJobs, visibilityOf } from '../access/visibility.ts'
import { countCallbacks, type LoggedCallback, listCallbacks, redeliverCallback } from '../callbacks/callback-log.ts'
import { callbackId, callbackType, jobOfCallback } from '../callbacks/callback-message.ts'
import type { CallbackRow } from '../tables.ts'
import { CallbackState } from '../vocabulary.ts'
import {
  CallbackDelivery,
  CallbackDeliveryConnection,
  CallbackDeliveryFilterInput,
  type CallbackFailure,
  RedeliverCallbackInput,
  RedeliverCallbackPayload,
} from './callback.type.ts'
import { typeOfJob } from './verification.resolver.ts'

const callbacks = { defaultSize: 20, maxSize: 1000 } as const

@ArgsType()
class CallbacksArgs extends pageArguments(callbacks) {}

/** The callback log. A service sees callbacks of its own jobs, a super_admin all; reads by persons are audited. */
@Resolver(() => CallbackDelivery)
export class CallbackResolver {
  readonly #database: Database
  readonly #auditedAccess: AuditedAccess

  constructor(database: Database, auditedAccess: AuditedAccess) {
    this.#database = database
    this.#auditedAccess = auditedAccess
  }

  @Query(() => CallbackDeliveryConnection, { description: 'Callbacks of the caller’s jobs, newest first.' })
  @Authorise(...readers)
  async callbackDeliveries(
    @Arg('filter', () => CallbackDeliveryFilterInput, { nullable: true, description: 'Restricts the list.' })
    filterInput: CallbackDeliveryFilterInput | null | undefined,
    @Arg('jobId', () => ID, { nullable: true, description: 'Former place of `filter.jobId`.', ...deprecated('filter') })
    formerJobId: string | null | undefined,
    @Arg('state', () => CallbackState, { nullable: true, description: 'Former place of `filter.state`.', ...deprecated('filter') })
    formerState: CallbackRow['state'] | null | undefined,
    @Args(() => CallbacksArgs) args: CallbacksArgs,
    @Ctx() context: RequestContext,
  ): Promise<CallbackDeliveryConnection> {
    // arguments outside `filter` are ignored beside it
    const { jobId, state } = filterInput ?? { jobId: formerJobId, state: formerState }
    const cursors = new Cursors(['callbackDeliveries'], { jobId, state })
    const window = pageWindow(args, callbacks, (cursor, argument) => {
      const { moment, id } = cursors.momentOf(cursor, argument)
      return { createdAt: moment, jobId: id }
    })
    const filter = { ...(jobId == null ? {} : { jobIds: [knownJob(jobId)] }), ...(state == null ? {} : { state }) }
    const visibility = visibilityOf(context.principal)
    const rows = await listCallbacks(this.#database, visibility, filter, window)
    await this.#auditedAccess.jobsRead(
      context,
      rows.slice(0, window.size).map(({ job }) => job.id),
    )
    const page = pageOf(rows.map(typeOfCallback), window, ({ createdAt, job }) => cursors.ofMoment(createdAt, job.id))
    return { ...page, count: () => countCallbacks(this.#database, visibility, filter) }
  }

  @Mutation(() => RedeliverCallbackPayload, {
    description: 'Schedules a callback for immediate delivery and resets its attempt limit to that of a new callback.',
  })
  @Authorise(...readers)
  async redeliverCallback(
    @Arg('input', () => RedeliverCallbackInput) { id }: RedeliverCallbackInput,
    @Ctx() context: RequestContext,
  ): Promise<RedeliverCallbackPayload> {
    const jobId = knownJob(id)
    const account = (tx: Transaction): Promise<void> => this.#auditedAccess.redelivered(context, jobId, tx)
    const row = await redeliverCallback(this.#database, visibilityOf(context.principal), jobId, context.deadline, account)
    if (row === undefined) throw new NotFound('Callback not found')
    return { delivery: typeOfCallback(row) }
  }

  /** Returns a callback by id, batched per request; null when it is unknown or another caller's. */
  async find(id: string, context: RequestContext): Promise<CallbackDelivery | null> {
    if (!readsJobs(context.principal)) return null
    return loader<string, CallbackDelivery | null>(context, 'callbacks', async (ids) => {
      const jobIds = ids.map(knownJob)
      const rows = await listCallbacks(this.#database, visibilityOf(context.principal), { jobIds }, { limit: ids.length })
      await this.#auditedAccess.jobsRead(
        context,
        rows.map(({ job }) => job.id),
      )
      const callbacks = new Map(rows.map(typeOfCallback).map((each) => [each.id, each]))
      return ids.map((each) => callbacks.get(each) ?? null)
    }).load(id)
  }
}

/** Returns the job of a callback id or job id; a malformed id causes no query. */
function knownJob(id: string): string {
  const jobId = jobOfCallback(id) ?? id
  return /^[0-9a-f-]{36}$/.test(jobId) ? jobId : 'unknown'
}

/** @param reason - "<code>: <sentence>" */
function failureOf(reason: string | null): CallbackFailure | null {
  if (reason === null) return null
  const at = reason.indexOf(': ')
  return at < 0 ? { code: 'failed', message: reason } : { code: reason.slice(0, at), message: reason.slice(at + 2) }
}

function typeOfCallback({ callback, job, attempts }: LoggedCallback): CallbackDelivery {
  const { state, createdAt, nextAt, delivery } = callback
  return {
    id: callbackId(job.id, delivery),
    job: typeOfJob(job),
    // only a job with a URL has a callback
    url: job.callbackUrl ?? '',
    type: callbackType(job),
    state,
    createdAt,
    nextAttemptAt: nextAt,
    attempts: attempts.map((attempt) => ({ ...attempt, failure: failureOf(attempt.reason) })),
  }
}

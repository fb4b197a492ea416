import { Arg, Ctx, ID, Int, Mutation, Query, Resolver } from 'type-graphql'
import type { Database } from '../../engines/relational/database.ts'
import { NotFound } from '../../foundation/fault.ts'
import { Authorise, serviceWith } from '../../foundation/graphql/authorisation.ts'
import { decodeMomentCursor, encodeCursor, pageOf, pageSize } from '../../foundation/graphql/connection.ts'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import { type LoggedCallback, listCallbacks, redeliverCallback } from '../callbacks/callback-log.ts'
import { callbackId, callbackType, jobOfCallback } from '../callbacks/callback-message.ts'
import type { CallbackRow } from '../tables.ts'
import { visibilityOf } from '../visibility.ts'
import { CallbackState } from '../vocabulary.ts'
import { CallbackDelivery, CallbackDeliveryConnection, RedeliverCallbackInput, RedeliverCallbackPayload } from './callback.type.ts'
import { typeOfJob } from './verification.resolver.ts'

const maxCallbacks = 1000
const callers = [serviceWith('submit', 'results', 'results:all')] as const

/** The log of callbacks. Everybody sees those of its own jobs. */
@Resolver(() => CallbackDelivery)
export class CallbackResolver {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  @Query(() => CallbackDeliveryConnection, { description: 'Callbacks of the caller’s jobs and what became of them, newest first' })
  @Authorise(...callers)
  async callbackDeliveries(
    @Arg('jobId', () => ID, { nullable: true, description: 'Only that of this job' }) jobId: string | null | undefined,
    @Arg('state', () => CallbackState, { nullable: true, description: 'Only those that stand so' })
    state: CallbackRow['state'] | null | undefined,
    @Arg('first', () => Int, { defaultValue: 100, description: 'At most so many, 1 to 1,000' }) first: number,
    @Arg('after', () => String, { nullable: true, description: 'Cursor of the last callback seen' }) after: string | null | undefined,
    @Ctx() { principal }: RequestContext,
  ): Promise<CallbackDeliveryConnection> {
    const limit = pageSize(first, maxCallbacks)
    const cursor = after == null ? undefined : decodeMomentCursor(after)
    const from = cursor && { createdAt: cursor.moment, jobId: cursor.id }
    const filter = { ...(jobId == null ? {} : { jobId: knownJob(jobId) }), ...(state == null ? {} : { state }) }
    const found = await listCallbacks(this.#database, visibilityOf(principal), filter, limit + 1, from)
    return pageOf(found.map(typeOfCallback), limit, from !== undefined, ({ createdAt, job }) => encodeCursor(createdAt.getTime(), job.id))
  }

  @Mutation(() => RedeliverCallbackPayload, { description: 'Sends a callback again, at once, with as many tries as a new one' })
  @Authorise(...callers)
  async redeliverCallback(
    @Arg('input', () => RedeliverCallbackInput) { id }: RedeliverCallbackInput,
    @Ctx() { principal, deadline }: RequestContext,
  ): Promise<RedeliverCallbackPayload> {
    const found = await redeliverCallback(this.#database, visibilityOf(principal), knownJob(id), deadline)
    if (found === undefined) throw new NotFound('There is no such callback')
    return { delivery: typeOfCallback(found) }
  }
}

/** The job that an id of a callback or of a job names; one that cannot be ours is never asked for. */
function knownJob(id: string): string {
  const jobId = jobOfCallback(id) ?? id
  return /^[0-9a-f-]{36}$/.test(jobId) ? jobId : 'unknown'
}

function typeOfCallback({ callback, job, attempts }: LoggedCallback): CallbackDelivery {
  const { state, createdAt, nextAt, delivery } = callback
  return {
    id: callbackId(job.id, delivery),
    job: typeOfJob(job),
    // only a job with an address has a callback
    url: job.callbackUrl ?? '',
    type: callbackType(job),
    state,
    createdAt,
    nextAttemptAt: nextAt,
    attempts,
  }
}

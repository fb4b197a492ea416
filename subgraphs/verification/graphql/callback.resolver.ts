import { Arg, Args, ArgsType, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql'
import type { Database } from '../../engines/relational/database.ts'
import { NotFound } from '../../foundation/fault.ts'
import { Authorise, serviceWith } from '../../foundation/graphql/authorisation.ts'
import { decodeMomentCursor, encodeCursor, pageOf } from '../../foundation/graphql/connection.ts'
import { pageArguments, pageWindow } from '../../foundation/graphql/page-window.ts'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import { type LoggedCallback, listCallbacks, redeliverCallback } from '../callbacks/callback-log.ts'
import { callbackId, callbackType, jobOfCallback } from '../callbacks/callback-message.ts'
import type { CallbackRow } from '../tables.ts'
import { visibilityOf } from '../visibility.ts'
import { CallbackState } from '../vocabulary.ts'
import { CallbackDelivery, CallbackDeliveryConnection, RedeliverCallbackInput, RedeliverCallbackPayload } from './callback.type.ts'
import { typeOfJob } from './verification.resolver.ts'

const callbacks = { usual: 100, most: 1000 } as const
const callers = [serviceWith('submit', 'results', 'results:all')] as const

@ArgsType()
class CallbacksArgs extends pageArguments(callbacks) {}

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
    @Args(() => CallbacksArgs) args: CallbacksArgs,
    @Ctx() { principal }: RequestContext,
  ): Promise<CallbackDeliveryConnection> {
    const window = pageWindow(args, callbacks, (cursor, argument) => {
      const { moment, id } = decodeMomentCursor(cursor, argument)
      return { createdAt: moment, jobId: id }
    })
    const filter = { ...(jobId == null ? {} : { jobId: knownJob(jobId) }), ...(state == null ? {} : { state }) }
    const found = await listCallbacks(this.#database, visibilityOf(principal), filter, window)
    return pageOf(found.map(typeOfCallback), window, ({ createdAt, job }) => encodeCursor(createdAt.getTime(), job.id))
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

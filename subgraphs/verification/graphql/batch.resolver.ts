import { Arg, Args, ArgsType, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql'
import type { Database } from '../../../engines/relational/database.ts'
import { Authorise } from '../../../foundation/graphql/authorisation.ts'
import { pageOf } from '../../../foundation/graphql/connection.ts'
import { Cursors } from '../../../foundation/graphql/cursors.ts'
import { loader } from '../../../foundation/graphql/loader.ts'
import { pageArguments, pageWindow } from '../../../foundation/graphql/page-window.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import type { RowWindow } from '../../../foundation/row-window.ts'
import { isUuid } from '../../../foundation/validation/values.ts'
import type { AuditedAccess } from '../access/audited-access.ts'
import { readers, readsJobs, visibilityOf } from '../access/visibility.ts'
import { countBatchJobs, findBatchJobs } from '../jobs/find-jobs.ts'
import type { JobRow } from '../tables.ts'
import { typeOfJob } from './verification.resolver.ts'
import { VerificationBatch, VerificationJobConnection } from './verification.type.ts'

const jobsOfPage = { defaultSize: 20, maxSize: 100 } as const

@ArgsType()
class BatchJobsArgs extends pageArguments(jobsOfPage) {}

/** Jobs that were submitted together. A caller sees its own jobs only. */
@Resolver(() => VerificationBatch)
export class BatchResolver {
  readonly #database: Database
  readonly #access: AuditedAccess

  constructor(database: Database, access: AuditedAccess) {
    this.#database = database
    this.#access = access
  }

  @Query(() => VerificationBatch, {
    nullable: true,
    description: 'Returns one batch; null when the id is unknown, the batch belongs to another caller, or all of its jobs were erased.',
  })
  @Authorise(...readers)
  verificationBatch(
    @Arg('id', () => ID, { description: 'Id of the batch.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<VerificationBatch | null> {
    return this.find(id, context)
  }

  @FieldResolver(() => VerificationJobConnection, {
    nullable: true,
    description: 'Jobs of the batch that are still stored, in the order of submission; null when the caller may not read them.',
  })
  @Authorise(...readers)
  async jobs(
    @Root() { id }: VerificationBatch,
    @Args(() => BatchJobsArgs) args: BatchJobsArgs,
    @Ctx() context: RequestContext,
  ): Promise<VerificationJobConnection> {
    const cursors = new Cursors(['VerificationBatch.jobs', id])
    const window = pageWindow(args, jobsOfPage, (cursor, argument) => cursors.idOf(cursor, argument, isUuid))
    const rows = await this.#load(id, context, window)
    await this.#access.jobsRead(
      context,
      rows.slice(0, window.size).map((row) => row.id),
    )
    const page = pageOf(rows.map(typeOfJob), window, (job) => cursors.of(job.id))
    return { ...page, count: () => countBatchJobs(this.#database, id, visibilityOf(context.principal)) }
  }

  /** Returns a batch by id, batched per request; null when the caller may not see any of its jobs. */
  async find(id: string, context: RequestContext): Promise<VerificationBatch | null> {
    const [job] = readsJobs(context.principal) ? await this.#load(id, context, { limit: 1 }) : []
    return job === undefined ? null : { id }
  }

  #load(id: string, context: RequestContext, window: RowWindow<string>): Promise<readonly JobRow[]> {
    return loader<string, readonly JobRow[]>(context, `jobs of batches ${JSON.stringify(window)}`, async (ids) => {
      const byBatch = await findBatchJobs(this.#database, ids.filter(isUuid), visibilityOf(context.principal), window)
      return ids.map((each) => byBatch.get(each) ?? [])
    }).load(id)
  }
}

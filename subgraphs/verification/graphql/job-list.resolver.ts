import { Arg, Args, ArgsType, Ctx, Field, InputType, Query, Resolver } from 'type-graphql'
import type { Database } from '../../../engines/relational/database.ts'
import { Authorise, userWith } from '../../../foundation/graphql/authorisation.ts'
import { pageOf } from '../../../foundation/graphql/connection.ts'
import { Cursors } from '../../../foundation/graphql/cursors.ts'
import { pageArguments, pageWindow } from '../../../foundation/graphql/page-window.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { DateTime } from '../../../foundation/graphql/scalars.ts'
import { isUuid } from '../../../foundation/validation/values.ts'
import type { AuditedAccess } from '../access/audited-access.ts'
import { countJobs, listJobs } from '../jobs/find-jobs.ts'
import type { JobRow } from '../tables.ts'
import { VerificationOutcome, VerificationStatus } from '../vocabulary.ts'
import { typeOfJob } from './verification.resolver.ts'
import { VerificationJobConnection } from './verification.type.ts'

const jobs = { defaultSize: 20, maxSize: 100 } as const

@ArgsType()
class JobsArgs extends pageArguments(jobs) {}

@InputType({ description: 'Filter for verifications.' })
export class VerificationJobFilterInput {
  @Field(() => VerificationStatus, { nullable: true, description: 'Returns only jobs with this status.' })
  status?: JobRow['status'] | null
  @Field(() => VerificationOutcome, { nullable: true, description: 'Returns only jobs with this outcome.' })
  outcome?: JobRow['outcome']
  @Field(() => String, { nullable: true, description: 'Returns only jobs of the citizen with this code.' })
  citizenCode?: string | null
  @Field(() => String, { nullable: true, description: 'Returns only jobs with this issuing country, as submitted.' })
  countryCode?: string | null
  @Field(() => DateTime, { nullable: true, description: 'Returns only jobs submitted at or after this time.' })
  from?: Date | null
  @Field(() => DateTime, { nullable: true, description: 'Returns only jobs submitted before this time.' })
  to?: Date | null
}

/** The jobs of all services, for operators; every page is audited. */
@Resolver(() => VerificationJobConnection)
export class JobListResolver {
  readonly #database: Database
  readonly #auditedAccess: AuditedAccess

  constructor(database: Database, auditedAccess: AuditedAccess) {
    this.#database = database
    this.#auditedAccess = auditedAccess
  }

  @Query(() => VerificationJobConnection, { description: 'Verifications of all services, newest first.' })
  @Authorise(userWith('super_admin'))
  async verificationJobs(
    @Arg('filter', () => VerificationJobFilterInput, { nullable: true, description: 'Restricts the list.' })
    filter: VerificationJobFilterInput | null | undefined,
    @Args(() => JobsArgs) args: JobsArgs,
    @Ctx() context: RequestContext,
  ): Promise<VerificationJobConnection> {
    const cursors = new Cursors(['verificationJobs'], filter)
    const window = pageWindow(args, jobs, (cursor, argument) => cursors.idOf(cursor, argument, isUuid))
    const wanted = {
      status: filter?.status ?? undefined,
      outcome: filter?.outcome,
      citizenCode: filter?.citizenCode ?? undefined,
      countryCode: filter?.countryCode ?? undefined,
      from: filter?.from ?? undefined,
      to: filter?.to ?? undefined,
    }
    const rows = await listJobs(this.#database, wanted, window)
    const page = pageOf(rows.map(typeOfJob), window, ({ id }) => cursors.of(id))
    await this.#auditedAccess.jobsRead(
      context,
      page.nodes.map(({ id }) => id),
    )
    return { ...page, count: () => countJobs(this.#database, wanted) }
  }
}

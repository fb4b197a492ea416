import { Args, ArgsType, Ctx, FieldResolver, Resolver, Root } from 'type-graphql'
import type { Database } from '../../../engines/relational/database.ts'
import { Authorise, userWith } from '../../../foundation/graphql/authorisation.ts'
import { pageOf } from '../../../foundation/graphql/connection.ts'
import { Cursors } from '../../../foundation/graphql/cursors.ts'
import { loader } from '../../../foundation/graphql/loader.ts'
import { pageArguments, pageWindow } from '../../../foundation/graphql/page-window.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { isUuid } from '../../../foundation/validation/values.ts'
import type { AuditedAccess } from '../access/audited-access.ts'
import { countCitizenJobs, findCitizenJobs } from '../jobs/find-jobs.ts'
import type { JobRow } from '../tables.ts'
import { typeOfJob } from './verification.resolver.ts'
import { Citizen, VerificationJobConnection } from './verification.type.ts'

const jobs = { defaultSize: 20, maxSize: 100 } as const

@ArgsType()
class VerificationsArgs extends pageArguments(jobs) {}

/** Verifications of a citizen, for super_admins only; every read is audited. */
@Resolver(() => Citizen)
export class CitizenResolver {
  readonly #database: Database
  readonly #auditedAccess: AuditedAccess

  constructor(database: Database, auditedAccess: AuditedAccess) {
    this.#database = database
    this.#auditedAccess = auditedAccess
  }

  @FieldResolver(() => VerificationJobConnection, {
    nullable: true,
    description:
      'Verifications of this citizen that are still stored, newest first. Requires the role SUPER_ADMIN; null with the error FORBIDDEN for other callers.',
  })
  @Authorise(userWith('super_admin'))
  async verifications(
    @Root() { code }: Citizen,
    @Args(() => VerificationsArgs) args: VerificationsArgs,
    @Ctx() context: RequestContext,
  ): Promise<VerificationJobConnection> {
    const cursors = new Cursors(['Citizen.verifications', code])
    const window = pageWindow(args, jobs, (cursor, argument) => cursors.idOf(cursor, argument, isUuid))
    const rows = await loader<string, readonly JobRow[]>(context, `verifications ${JSON.stringify(window)}`, async (codes) => {
      await this.#auditedAccess.citizensLookedUp(context, codes)
      const byCode = await findCitizenJobs(this.#database, codes, window)
      return codes.map((each) => byCode.get(each) ?? [])
    }).load(code)
    const page = pageOf(rows.map(typeOfJob), window, ({ id }) => cursors.of(id))
    return { ...page, count: () => countCitizenJobs(this.#database, code) }
  }
}

import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql'
import type { Database } from '../../engines/relational/database.ts'
import { Authorise, userWith } from '../../foundation/graphql/authorisation.ts'
import { decodeCursor, encodeCursor, foreignCursor, pageOf, pageSize } from '../../foundation/graphql/connection.ts'
import { loader } from '../../foundation/graphql/loader.ts'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import { isStorableText } from '../../foundation/validation/storable.ts'
import type { Accounting } from '../citizens/audited-access.ts'
import { findCitizenJobs } from '../citizens/find-citizen-jobs.ts'
import type { JobRow } from '../tables.ts'
import { typeOfJob } from './verification.resolver.ts'
import { Citizen, VerificationJobConnection } from './verification.type.ts'

const maxJobs = 100

/** What component A knows of a citizen, for super_admins alone; each look is accounted for. */
@Resolver(() => Citizen)
export class CitizenResolver {
  readonly #database: Database
  readonly #accounting: Accounting

  constructor(database: Database, accounting: Accounting) {
    this.#database = database
    this.#accounting = accounting
  }

  @FieldResolver(() => VerificationJobConnection, {
    nullable: true,
    description: 'The verifications of this citizen that are still kept, newest first; null and FORBIDDEN for all but a super_admin',
  })
  @Authorise(userWith('super_admin'))
  async verifications(
    @Root() { code }: Citizen,
    @Arg('first', () => Int, { defaultValue: 20, description: 'At most so many, 1 to 100' }) first: number,
    @Arg('after', () => String, { nullable: true, description: 'Cursor of the last verification seen' }) after: string | null,
    @Ctx() context: RequestContext,
  ): Promise<VerificationJobConnection> {
    const limit = pageSize(first, maxJobs) + 1
    const before = after == null ? undefined : String(decodeCursor(after, 1)[0])
    if (before !== undefined && !isStorableText(before)) throw foreignCursor()
    const rows = await loader<string, readonly JobRow[]>(context, `verifications ${JSON.stringify([first, after])}`, async (codes) => {
      await this.#accounting.citizensLookedUp(context, codes)
      const found = await findCitizenJobs(this.#database, codes, { limit, before })
      return codes.map((each) => found.get(each) ?? [])
    }).load(code)
    return pageOf(rows.map(typeOfJob), first, before !== undefined, ({ id }) => encodeCursor(id))
  }
}

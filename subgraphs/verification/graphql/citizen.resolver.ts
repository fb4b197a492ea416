import { Arg, Args, ArgsType, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql'
import type { Database } from '../../../engines/relational/database.ts'
import { InvalidInput } from '../../../foundation/fault.ts'
import { Authorise, userWith } from '../../../foundation/graphql/authorisation.ts'
import { pageOf } from '../../../foundation/graphql/connection.ts'
import { Cursors } from '../../../foundation/graphql/cursors.ts'
import { loader } from '../../../foundation/graphql/loader.ts'
import { pageArguments, pageWindow } from '../../../foundation/graphql/page-window.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { isUuid } from '../../../foundation/validation/values.ts'
import { outOfRange } from '../../../foundation/validation/violation.ts'
import type { AuditedAccess } from '../access/audited-access.ts'
import { editDistance } from '../document/name-matching.ts'
import { codesLike, countCitizenJobs, findCitizenJobs } from '../jobs/find-jobs.ts'
import type { JobRow } from '../tables.ts'
import { typeOfJob } from './verification.resolver.ts'
import { Citizen, VerificationJobConnection } from './verification.type.ts'

const shortestSearch = 2
const longestSearch = 200
const maxFound = 20
const jobs = { defaultSize: 20, maxSize: 100 } as const

@ArgsType()
class VerificationsArgs extends pageArguments(jobs) {}

/** Verifications of a citizen, for super_admins only; every read is audited. */
@Resolver(() => Citizen)
export class CitizenResolver {
  readonly #database: Database
  readonly #accounting: AuditedAccess

  constructor(database: Database, accounting: AuditedAccess) {
    this.#database = database
    this.#accounting = accounting
  }

  @Query(() => [Citizen], {
    description:
      'Citizens with verifications whose code contains the text, or differs from it only by case or by one character; equal codes first, at most 20.',
  })
  @Authorise(userWith('super_admin'))
  async searchCitizens(
    @Arg('text', () => String, { description: 'A code or a part of one, 2 to 200 characters.' }) text: string,
    @Ctx() context: RequestContext,
  ): Promise<Citizen[]> {
    const wanted = text.trim()
    if (wanted.length < shortestSearch || wanted.length > longestSearch)
      throw new InvalidInput(`\`text\` must have ${shortestSearch} to ${longestSearch} characters`, [
        outOfRange(['text'], shortestSearch, longestSearch),
      ])
    await this.#accounting.citizensSearched(context, wanted)
    return nearest(await codesLike(this.#database, wanted), wanted)
      .slice(0, maxFound)
      .map((code) => ({ code }))
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
      await this.#accounting.citizensLookedUp(context, codes)
      const byCode = await findCitizenJobs(this.#database, codes, window)
      return codes.map((each) => byCode.get(each) ?? [])
    }).load(code)
    const page = pageOf(rows.map(typeOfJob), window, ({ id }) => cursors.of(id))
    return { ...page, count: () => countCitizenJobs(this.#database, code) }
  }
}

/** Returns the codes that are like a text, the closest first. */
export function nearest(codes: readonly string[], text: string): readonly string[] {
  const lower = text.toLowerCase()
  const rankOf = (code: string): number => {
    if (code === text) return 0
    if (code.toLowerCase() === lower) return 1
    if (editDistance(code.toLowerCase(), lower) <= 1) return 2
    return code.toLowerCase().includes(lower) ? 3 : 4
  }
  return codes
    .map((code) => ({ code, rank: rankOf(code) }))
    .filter(({ rank }) => rank < 4)
    .sort((one, other) => one.rank - other.rank || (one.code < other.code ? -1 : 1))
    .map(({ code }) => code)
}

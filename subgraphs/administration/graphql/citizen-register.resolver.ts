import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, Query, Resolver, Root } from 'type-graphql'
import type { AuditTrail } from '../../../engines/audit/audit-trail.ts'
import type { CitizenPseudonyms } from '../../../engines/citizen-data/citizen-pseudonyms.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { InvalidInput, refuseViolations } from '../../../foundation/fault.ts'
import { Authorise, userWith } from '../../../foundation/graphql/authorisation.ts'
import { pageOf } from '../../../foundation/graphql/connection.ts'
import { Cursors } from '../../../foundation/graphql/cursors.ts'
import { loader } from '../../../foundation/graphql/loader.ts'
import { pageArguments, pageWindow } from '../../../foundation/graphql/page-window.ts'
import { inListTurn } from '../../../foundation/graphql/read-turns.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { both } from '../../../foundation/validation/both.ts'
import { isStorableText } from '../../../foundation/validation/values.ts'
import { textViolations, tooLong, tooShort, unstorable } from '../../../foundation/validation/violation.ts'
import {
  type CitizenFilter,
  countCitizens,
  countOutcomes,
  findCitizens,
  findOutcomes,
  type Registration,
  registrationsOf,
} from '../register/find-citizens.ts'
import { maxCodeLength, searchCodes } from '../register/search-codes.ts'
import { administrators, visibleGroups } from '../roles.ts'
import {
  CitizenConnection,
  CitizenFilterInput,
  CitizenOutcomeConnection,
  CitizenRegistration,
  typeOfRegistration,
} from './citizen-register.type.ts'
import { AdministeredCitizen } from './delegation.type.ts'

const pageLimits = { defaultSize: 20, maxSize: 100 } as const
const minSearchLength = 2
/** longer than any code or group */
const maxLength = 512

@ArgsType()
class CitizensArgs extends pageArguments(pageLimits) {
  @Field(() => CitizenFilterInput, { nullable: true, description: 'Restricts the list.' })
  filter?: CitizenFilterInput | null
}

@ArgsType()
class OutcomesArgs extends pageArguments(pageLimits) {}

/** The register of citizens within the caller's scope; every read is audited. */
@Resolver(() => AdministeredCitizen)
export class CitizenRegisterResolver {
  readonly #database: Database
  readonly #audit: AuditTrail
  readonly #pseudonyms: CitizenPseudonyms

  constructor(database: Database, audit: AuditTrail, pseudonyms: CitizenPseudonyms) {
    this.#database = database
    this.#audit = audit
    this.#pseudonyms = pseudonyms
  }

  @Query(() => CitizenConnection, {
    description:
      'Citizens in the register, in the order of their codes: all for SUPER_ADMIN, those of delegations in the caller’s groups for GROUP_ADMIN.',
  })
  @Authorise(...administrators)
  async citizens(@Args(() => CitizensArgs) args: CitizensArgs, @Ctx() context: RequestContext): Promise<CitizenConnection> {
    const cursors = new Cursors(['citizens'], args.filter)
    const [window, filter] = await both(
      () => pageWindow(args, pageLimits, (cursor, argument) => cursors.idOf(cursor, argument, isStorableText)),
      () => filterOf(args.filter ?? {}, context),
    )
    const { group, status, isErased } = filter
    await this.#audit.record(context, [
      {
        action: 'citizens.read',
        outcome: 'done',
        // a prefix can be a code
        details: { ...{ group, status, isErased }, hasPrefix: filter.codePrefix !== undefined, first: window.size },
      },
    ])
    const codes = await inListTurn(context, () => findCitizens(this.#database, filter, window))
    const page = pageOf(
      codes.map((code) => ({ code })),
      window,
      ({ code }) => cursors.of(code),
    )
    return { ...page, count: () => inListTurn(context, () => countCitizens(this.#database, filter)) }
  }

  @Query(() => [AdministeredCitizen], {
    description:
      'Citizens in the register whose code contains the text or, for a text of at least 4 characters, differs from it in one character; case is ignored. Equal codes first, at most 20.',
  })
  @Authorise(userWith('super_admin'))
  async searchCitizens(
    @Arg('text', () => String, { description: 'A code or a part of one, 2 to 200 characters.' }) text: string,
    @Ctx() context: RequestContext,
  ): Promise<AdministeredCitizen[]> {
    const wanted = text.trim()
    if (wanted.length < minSearchLength || wanted.length > maxCodeLength)
      throw new InvalidInput(`\`text\` must have ${minSearchLength} to ${maxCodeLength} characters`, [
        wanted.length < minSearchLength ? tooShort(['text'], minSearchLength) : tooLong(['text'], maxCodeLength),
      ])
    refuseViolations(isStorableText(wanted) ? [] : [unstorable(['text'])])
    await this.#audit.record(context, [{ action: 'citizens.search', outcome: 'done', target: this.#pseudonyms.of(wanted) }])
    return (await inListTurn(context, () => searchCodes(this.#database, wanted))).map((code) => ({ code }))
  }

  @FieldResolver(() => CitizenRegistration, {
    nullable: true,
    description:
      'The entry of the citizen in the register; null when it has none, and for a GROUP_ADMIN without delegations of the citizen in their groups.',
  })
  @Authorise(...administrators)
  async registration(@Root() { code }: AdministeredCitizen, @Ctx() context: RequestContext): Promise<CitizenRegistration | null> {
    if (!isStorableText(code)) return null
    const found = await loader<string, Registration | undefined>(context, 'registrations', async (codes) => {
      const entries = await registrationsOf(
        { database: this.#database, pseudonyms: this.#pseudonyms },
        codes,
        visibleGroups(context.principal),
      )
      await this.#audit.record(
        context,
        [...entries.keys()].map((each) => ({
          action: 'citizen.register.read',
          outcome: 'done' as const,
          target: this.#pseudonyms.of(each),
        })),
      )
      return codes.map((each) => entries.get(each))
    }).load(code)
    return found === undefined ? null : typeOfRegistration(found)
  }
}

/** The history of a citizen in the register. */
@Resolver(() => CitizenRegistration)
export class CitizenOutcomesResolver {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  @FieldResolver(() => CitizenOutcomeConnection, {
    nullable: true,
    description: 'The latest outcome of each verification within OUTCOME_RETENTION_DAYS, newest first.',
  })
  @Authorise(...administrators)
  async outcomes(
    @Root() { code }: CitizenRegistration,
    @Args(() => OutcomesArgs) args: OutcomesArgs,
    @Ctx() context: RequestContext,
  ): Promise<CitizenOutcomeConnection> {
    const cursors = new Cursors(['outcomes of a citizen', code])
    const window = pageWindow(args, pageLimits, (cursor, argument) => {
      const { moment, id } = cursors.momentOf(cursor, argument)
      return { at: moment, jobId: id }
    })
    const rows = await inListTurn(context, () => findOutcomes(this.#database, code, window))
    const page = pageOf(rows, window, ({ at, jobId }) => cursors.ofMoment(at, jobId))
    return { ...page, count: () => inListTurn(context, () => countOutcomes(this.#database, code)) }
  }
}

function filterOf({ status, groupId, codePrefix, isErased }: CitizenFilterInput, { principal }: RequestContext): CitizenFilter {
  refuseViolations(
    Object.entries({ groupId, codePrefix }).flatMap(([member, text]) => (text == null ? [] : textViolations([member], text, maxLength))),
  )
  return {
    groups: visibleGroups(principal),
    group: groupId ?? undefined,
    status: status ?? undefined,
    codePrefix: codePrefix ?? undefined,
    isErased: isErased ?? undefined,
  }
}

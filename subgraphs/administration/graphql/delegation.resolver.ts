import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql'
import type { AuditTrail } from '../../../engines/audit/audit-trail.ts'
import type { CitizenPseudonyms } from '../../../engines/citizen-data/citizen-pseudonyms.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { refuseViolations } from '../../../foundation/fault.ts'
import { Authorise } from '../../../foundation/graphql/authorisation.ts'
import { PageInfo, type PageWindow, pageOf } from '../../../foundation/graphql/connection.ts'
import { type CursorArgument, Cursors } from '../../../foundation/graphql/cursors.ts'
import { loader } from '../../../foundation/graphql/loader.ts'
import { pageArguments, pageWindow } from '../../../foundation/graphql/page-window.ts'
import { inListTurn } from '../../../foundation/graphql/read-turns.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { both } from '../../../foundation/validation/both.ts'
import { renamed } from '../../../foundation/validation/renamed.ts'
import { isStorableText } from '../../../foundation/validation/values.ts'
import { exclusive, outOfRange, type Violation } from '../../../foundation/validation/violation.ts'
import { delegationTextViolations } from '../delegations/delegation-record.ts'
import {
  countDelegations,
  type DelegationFilter,
  type DelegationPlace,
  type DelegationSide,
  delegationsBy,
  delegationsById,
  findDelegations,
} from '../delegations/find-delegations.ts'
import { pseudonymousDetails } from '../delegations/pseudonymise-audit.ts'
import { administrators, visibleGroups } from '../roles.ts'
import type { DelegationRow } from '../tables.ts'
import {
  AdministeredCitizen,
  type Delegation,
  DelegationConnection,
  DelegationFilterInput,
  DelegationOrder,
  typeOfDelegation,
} from './delegation.type.ts'

const delegationsOfPage = { defaultSize: 20, maxSize: 100 } as const
/** beyond this offset use cursors: the database would read too many rows */
const maxOffset = 10_000_000

@ArgsType()
export class DelegationsArgs extends pageArguments(delegationsOfPage) {
  @Field(() => DelegationFilterInput, { nullable: true, description: 'Restricts the list.' })
  filter?: DelegationFilterInput | null
}

/** Lists of delegations within the caller's scope; every read is audited. */
@Resolver(() => DelegationConnection)
export class DelegationResolver {
  readonly #database: Database
  readonly #audit: AuditTrail
  readonly #pseudonyms: CitizenPseudonyms

  /** @param pseudonyms - under which the audit trail records citizens */
  constructor(database: Database, audit: AuditTrail, pseudonyms: CitizenPseudonyms) {
    this.#database = database
    this.#audit = audit
    this.#pseudonyms = pseudonyms
  }

  @Query(() => DelegationConnection, {
    description: 'Delegations that the caller may read: all for SUPER_ADMIN, those of the caller’s groups for GROUP_ADMIN.',
  })
  @Authorise(...administrators)
  async delegations(
    @Args(() => DelegationsArgs) args: DelegationsArgs,
    @Arg('orderBy', () => DelegationOrder, { defaultValue: DelegationOrder.NEWEST_FIRST, description: 'Order of the list.' })
    order: DelegationOrder,
    @Arg('offset', () => Int, {
      defaultValue: 0,
      description: 'Number of delegations to skip, for numbered pages; cursors are cheaper. Not allowed with `last` or `before`.',
    })
    offset: number,
    @Ctx() context: RequestContext,
  ): Promise<DelegationConnection> {
    const cursors = new Cursors(['delegations', order], args.filter)
    const isBackward = args.last != null || args.before != null
    const windowOf = () =>
      both(
        () => pageWindow(args, delegationsOfPage, placeIn(cursors)),
        () =>
          refuseViolations([
            ...(offset < 0 || offset > maxOffset ? [outOfRange(['offset'], 0, maxOffset)] : []),
            ...(offset > 0 && isBackward ? [exclusive(['offset'], '`offset` cannot be combined with `last` or `before`')] : []),
          ]),
      )
    const [[window], filter] = await both(windowOf, () => filterOf(args.filter, context))
    await this.#audit.record(context, [
      {
        action: 'delegations.read',
        outcome: 'done',
        details: { ...pseudonymousDetails({ ...args.filter }, this.#pseudonyms), first: window.size, offset },
      },
    ])
    const page = { ...window, order: order === DelegationOrder.OLDEST_FIRST ? 'ascending' : 'descending', offset } as const
    const rows = await inListTurn(context, () => findDelegations(this.#database, filter, page))
    return connectionOf(rows, { window, cursors, filter, isOffset: offset > 0 })
  }

  @FieldResolver(() => Int, { description: 'Number of nodes in the whole list; counted only when this field is selected.' })
  @Authorise(...administrators)
  totalCount(@Root() { filter }: DelegationConnection, @Ctx() context: RequestContext): Promise<number> {
    return inListTurn(context, () => countDelegations(this.#database, filter))
  }

  /** Returns a delegation by id, batched per request; null when it is unknown or in a group that the caller may not read. */
  async delegation(id: string, context: RequestContext): Promise<Delegation | null> {
    const groups = visibleGroups(context.principal)
    if (groups.length === 0 || !isStorableText(id)) return null
    const row = await loader<string, DelegationRow | undefined>(context, 'delegations', async (ids) => {
      const rows = new Map((await delegationsById(this.#database, ids, groups)).map((row) => [row.id, row]))
      await this.#audit.record(
        context,
        [...rows.keys()].map((target) => ({ action: 'delegation.read', outcome: 'done' as const, target })),
      )
      return ids.map((each) => rows.get(each))
    }).load(id)
    return row === undefined ? null : typeOfDelegation(row)
  }

  /** Returns the delegations of a delegator, a delegate or a group, batched per request. */
  async listedBy(side: DelegationSide, code: string, args: DelegationsArgs, context: RequestContext): Promise<DelegationConnection> {
    const cursors = new Cursors([`delegations by ${side}`, code], args.filter)
    refuseViolations(delegationTextViolations([side === 'group' ? 'id' : 'code'], code))
    const [window, wanted] = await both(
      () => pageWindow(args, delegationsOfPage, placeIn(cursors)),
      () => filterOf(args.filter, context),
    )
    // a filter for another citizen or group matches nothing
    const filter = wanted[side] === undefined || wanted[side] === code ? wanted : { ...wanted, groups: [] }
    const name = `delegations by ${side} ${JSON.stringify([window, filter])}`
    const rows = await loader<string, readonly DelegationRow[]>(context, name, async (codes) => {
      await this.#audit.record(
        context,
        codes.map((each) => ({
          action: 'delegations.read',
          outcome: 'done' as const,
          target: side === 'group' ? each : this.#pseudonyms.of(each),
          details: { side },
        })),
      )
      const byCode = await inListTurn(context, () => delegationsBy(this.#database, side, codes, filter, window))
      return codes.map((each) => byCode.get(each) ?? [])
    }).load(code)
    return connectionOf(rows, { window, cursors, filter: { ...filter, [side]: code } })
  }
}

@Resolver(() => AdministeredCitizen)
export class CitizenDelegationsResolver {
  readonly #delegations: DelegationResolver

  constructor(delegations: DelegationResolver) {
    this.#delegations = delegations
  }

  @FieldResolver(() => DelegationConnection, {
    nullable: true,
    description: 'Rights that this citizen delegates to others, newest first; null when the caller may not read them.',
  })
  @Authorise(...administrators)
  delegationsGiven(
    @Root() { code }: AdministeredCitizen,
    @Args(() => DelegationsArgs) args: DelegationsArgs,
    @Ctx() context: RequestContext,
  ): Promise<DelegationConnection> {
    return this.#delegations.listedBy('delegator', code, args, context)
  }

  @FieldResolver(() => DelegationConnection, {
    nullable: true,
    description: 'Rights that others delegate to this citizen, newest first; null when the caller may not read them.',
  })
  @Authorise(...administrators)
  delegationsReceived(
    @Root() { code }: AdministeredCitizen,
    @Args(() => DelegationsArgs) args: DelegationsArgs,
    @Ctx() context: RequestContext,
  ): Promise<DelegationConnection> {
    return this.#delegations.listedBy('delegate', code, args, context)
  }
}

/** Reads a filter. @throws {InvalidInput} for texts that no delegation can have */
export function filterOf(wanted: DelegationFilterInput | null | undefined, { principal }: RequestContext): DelegationFilter {
  const { status, delegator, delegate } = wanted ?? {}
  const violations: Violation[] = []
  const given: DelegationFilterInput = wanted ?? {}
  const { name: groupMember, value: group } = renamed(given, 'groupId', 'group', violations)
  const { name: domainMember, value: domain } = renamed(given, 'domainId', 'domain', violations)
  const words = Object.entries({ delegator, delegate, [groupMember]: group, [domainMember]: domain })
  refuseViolations([...violations, ...words.flatMap(([member, word]) => (word == null ? [] : delegationTextViolations([member], word)))])
  return {
    groups: visibleGroups(principal),
    status: status ?? undefined,
    delegator: delegator ?? undefined,
    delegate: delegate ?? undefined,
    group: group ?? undefined,
    domain: domain ?? undefined,
  }
}

const placeIn =
  (cursors: Cursors) =>
  (cursor: string, argument: CursorArgument): DelegationPlace => {
    const { moment: createdAt, id } = cursors.momentOf(cursor, argument)
    return { createdAt, id }
  }

interface DelegationPage {
  readonly window: PageWindow<DelegationPlace>
  readonly cursors: Cursors
  readonly filter: DelegationFilter
  /** whether rows precede the page although no cursor was given */
  readonly isOffset?: boolean
}

function connectionOf(rows: readonly DelegationRow[], { window, cursors, filter, isOffset = false }: DelegationPage): DelegationConnection {
  const page = pageOf(rows.map(typeOfDelegation), window, ({ createdAt, id }) => cursors.ofMoment(createdAt, id))
  const { startCursor, endCursor, hasNextPage } = page.pageInfo
  return { ...page, filter, ...(isOffset && { pageInfo: new PageInfo(startCursor, endCursor, hasNextPage, true) }) }
}

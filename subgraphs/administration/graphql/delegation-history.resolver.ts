import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, Query, Resolver, Root } from 'type-graphql'
import type { AuditTrail } from '../../../engines/audit/audit-trail.ts'
import type { CitizenPseudonyms } from '../../../engines/citizen-data/citizen-pseudonyms.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { refuseViolations } from '../../../foundation/fault.ts'
import { Authorise } from '../../../foundation/graphql/authorisation.ts'
import { pageOf } from '../../../foundation/graphql/connection.ts'
import { Cursors, foreignCursor } from '../../../foundation/graphql/cursors.ts'
import { pageArguments, pageWindow } from '../../../foundation/graphql/page-window.ts'
import { inListTurn } from '../../../foundation/graphql/read-turns.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { DateTime } from '../../../foundation/graphql/scalars.ts'
import { isStorableMoment, isStorableText } from '../../../foundation/validation/values.ts'
import { invalid } from '../../../foundation/validation/violation.ts'
import { countFigures, findFigures } from '../delegations/delegation-figures.ts'
import {
  type ChangeRow,
  countChanges,
  countDelegationsAt,
  delegationsAt,
  findChanges,
  historySince,
} from '../delegations/delegation-history.ts'
import { delegationTextViolations } from '../delegations/delegation-record.ts'
import { pseudonymousDetails } from '../delegations/pseudonymise-audit.ts'
import { administrators, visibleGroups } from '../roles.ts'
import { DelegationsArgs, filterOf } from './delegation.resolver.ts'
import { Delegation } from './delegation.type.ts'
import {
  DelegationFiguresConnection,
  DelegationFiguresFilterInput,
  type DelegationState,
  DelegationStateConnection,
} from './delegation-history.type.ts'

const pageLimits = { defaultSize: 20, maxSize: 100 } as const

@ArgsType()
class HistoryArgs extends pageArguments(pageLimits) {}

@ArgsType()
class FiguresArgs extends pageArguments(pageLimits) {
  @Field(() => DelegationFiguresFilterInput, { nullable: true, description: 'Restricts the list.' })
  filter?: DelegationFiguresFilterInput | null
}

/** The history of delegations, and their figures by group and domain, within the caller's scope. */
@Resolver(() => Delegation)
export class DelegationHistoryResolver {
  readonly #database: Database
  readonly #audit: AuditTrail
  readonly #pseudonyms: CitizenPseudonyms

  constructor(database: Database, audit: AuditTrail, pseudonyms: CitizenPseudonyms) {
    this.#database = database
    this.#audit = audit
    this.#pseudonyms = pseudonyms
  }

  @FieldResolver(() => DelegationStateConnection, {
    nullable: true,
    description: 'The states of the delegation after each change, newest first, in groups that the caller administers.',
  })
  @Authorise(...administrators)
  async history(
    @Root() { id }: Delegation,
    @Args(() => HistoryArgs) args: HistoryArgs,
    @Ctx() context: RequestContext,
  ): Promise<DelegationStateConnection> {
    const cursors = new Cursors(['history of a delegation', id])
    const window = pageWindow(args, pageLimits, (cursor, argument) => {
      const [place] = cursors.placeOf(cursor, 1, argument)
      if (Number.isSafeInteger(place)) return Number(place)
      throw foreignCursor(argument)
    })
    const groups = visibleGroups(context.principal)
    await this.#audit.record(context, [{ action: 'delegation.read', outcome: 'done', target: id, details: { history: true } }])
    const rows = await inListTurn(context, () => findChanges(this.#database, id, groups, window))
    const numbers = new Map(rows.map((row) => [stateOf(row), row.id]))
    const page = pageOf([...numbers.keys()], window, (state) => cursors.of(numbers.get(state) ?? 0))
    return { ...page, count: () => inListTurn(context, () => countChanges(this.#database, id, groups)) }
  }

  @Query(() => DelegationStateConnection, {
    description:
      'Delegations as they were at a given time, newest first by time of creation. The filter applies to their state at that time.',
  })
  @Authorise(...administrators)
  async delegationsAt(
    @Arg('at', () => DateTime, { description: 'A time between the start of the history and now.' }) at: Date,
    @Args(() => DelegationsArgs) args: DelegationsArgs,
    @Ctx() context: RequestContext,
  ): Promise<DelegationStateConnection> {
    const cursors = new Cursors(['delegationsAt', at.toISOString()], args.filter)
    const window = pageWindow(args, pageLimits, (cursor, argument) => {
      const { moment: createdAt, id } = cursors.momentOf(cursor, argument)
      return { createdAt, id }
    })
    const filter = filterOf(args.filter, context)
    const since = await historySince(this.#database)
    const message = `Input should be from ${since.toISOString()}, when the history begins, to now`
    refuseViolations(!isStorableMoment(at) || at < since || at.getTime() > Date.now() ? [invalid(['at'], message)] : [])
    await this.#audit.record(context, [
      {
        action: 'delegations.read',
        outcome: 'done',
        details: { ...pseudonymousDetails({ ...args.filter }, this.#pseudonyms), first: window.size, at: at.toISOString() },
      },
    ])
    const rows = await inListTurn(context, () => delegationsAt(this.#database, at, filter, window))
    const created = new Map(rows.map((row) => [stateOf(row), row.createdAt]))
    const page = pageOf([...created.keys()], window, (state) => cursors.ofMoment(created.get(state) ?? at, state.delegationId))
    return { ...page, count: () => inListTurn(context, () => countDelegationsAt(this.#database, at, filter)) }
  }

  @Query(() => DelegationFiguresConnection, {
    description:
      'Numbers of delegations by group and domain, ordered by group id and domain id, in the groups that the caller administers.',
  })
  @Authorise(...administrators)
  async delegationFigures(
    @Args(() => FiguresArgs) args: FiguresArgs,
    @Ctx() context: RequestContext,
  ): Promise<DelegationFiguresConnection> {
    const cursors = new Cursors(['delegationFigures'], args.filter)
    const window = pageWindow(args, pageLimits, (cursor, argument) => {
      const [groupId, domain] = cursors.placeOf(cursor, 2, argument)
      if (typeof groupId === 'string' && typeof domain === 'string' && isStorableText(groupId) && isStorableText(domain))
        return { groupId, domain }
      throw foreignCursor(argument)
    })
    const { groupId, domainId } = args.filter ?? {}
    refuseViolations(
      Object.entries({ groupId, domainId }).flatMap(([member, text]) => (text == null ? [] : delegationTextViolations([member], text))),
    )
    const filter = { groups: visibleGroups(context.principal), group: groupId ?? undefined, domain: domainId ?? undefined }
    const rows = await inListTurn(context, () => findFigures(this.#database, filter, window))
    const nodes = rows.map(({ groupId: group, domain, ...figures }) => ({
      ...figures,
      group: { id: group },
      domain: domain === '' ? null : { id: domain },
    }))
    const page = pageOf(nodes, window, ({ group, domain }) => cursors.of(group.id, domain?.id ?? ''))
    return { ...page, count: () => inListTurn(context, () => countFigures(this.#database, filter)) }
  }
}

type StoredState = Pick<
  ChangeRow,
  'delegationId' | 'at' | 'delegatorCode' | 'delegateCode' | 'groupId' | 'domain' | 'scope' | 'status' | 'startsAt' | 'endsAt'
>

const stateOf = ({
  delegationId,
  at,
  delegatorCode,
  delegateCode,
  groupId,
  domain,
  scope,
  status,
  startsAt,
  endsAt,
}: StoredState): DelegationState => ({
  ...{ delegationId, at, scope, status, startsAt, endsAt },
  delegator: { code: delegatorCode },
  delegate: { code: delegateCode },
  group: { id: groupId },
  domain: domain === null ? null : { id: domain },
})

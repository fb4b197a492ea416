import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, Query, Resolver, Root } from 'type-graphql'
import type { AuditTrail } from '../../../engines/audit/audit-trail.ts'
import type { CitizenPseudonyms } from '../../../engines/citizen-data/citizen-pseudonyms.ts'
import { Forbidden, refuseViolations } from '../../../foundation/fault.ts'
import { Authorise } from '../../../foundation/graphql/authorisation.ts'
import { pageOf } from '../../../foundation/graphql/connection.ts'
import { Cursors, foreignCursor } from '../../../foundation/graphql/cursors.ts'
import { forwardArguments, pageWindow } from '../../../foundation/graphql/page-window.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { isStorableText } from '../../../foundation/validation/values.ts'
import { invalid, outOfRange, tooMany, type Violation } from '../../../foundation/validation/violation.ts'
import { administrators, visibleGroups } from '../roles.ts'
import type { Question, Scenario } from '../simulation/scenario.ts'
import type { SimulationAnswer, SimulationTask } from '../simulation/simulation-thread.ts'
import type { Simulations, Snapshot } from '../simulation/simulations.ts'
import type { DelegationResolver } from './delegation.resolver.ts'
import { Delegation } from './delegation.type.ts'
import {
  DelegationPath,
  DelegationPathStep,
  DelegationSimulation,
  maxChanges,
  SimulationArgs,
  SimulationOrder,
  type VoterWeight,
  VoterWeightConnection,
} from './simulation.type.ts'

const weightsOfPage = { defaultSize: 20, maxSize: 100 } as const
/** the largest GraphQL Int */
const maxInt = 2_147_483_647

@ArgsType()
class WeightsArgs extends forwardArguments(weightsOfPage) {
  @Field(() => SimulationOrder, { defaultValue: SimulationOrder.HEAVIEST_FIRST, description: 'Order of the list.' })
  orderBy!: SimulationOrder
}

/** Returns a domain and its ancestors, the most specific first; undefined for an unknown domain. */
export type DomainPath = (id: string) => Promise<readonly string[] | undefined>

export interface SimulationParts {
  readonly simulations: Simulations
  readonly domainPath: DomainPath
  readonly audit: AuditTrail
  /** citizens are recorded under them */
  readonly pseudonyms: CitizenPseudonyms
}

/** Simulations of votes on the delegations within the caller's scope; each is audited. */
@Resolver(() => DelegationSimulation)
export class SimulationResolver {
  readonly #parts: SimulationParts

  constructor(parts: SimulationParts) {
    this.#parts = parts
  }

  @Query(() => DelegationSimulation, {
    description:
      'Simulates a vote. Of the delegations of a citizen, the one for the most specific domain applies (sub-domain, domain, all domains), then an exact scope before "all", then the one that started last, then the lowest id. A citizen without one votes.',
  })
  @Authorise(...administrators)
  async delegationSimulation(
    @Args(() => SimulationArgs) args: SimulationArgs,
    @Ctx() context: RequestContext,
  ): Promise<DelegationSimulation> {
    const { question, scenario } = await this.#read(args, context)
    await this.#audit('delegations.simulate', args, context)
    const { answer, snapshot } = await this.#answer((todayMs) => ({ kind: 'figures', question, scenario, todayMs }), context)
    if (!('figures' in answer)) throw refusalOf(answer)
    return { ...answer, snapshotAt: snapshot.at, delegations: snapshot.count, question, scenario }
  }

  @Query(() => DelegationPath, {
    description: 'Where the vote of a citizen goes, step by step, under the same rules as `delegationSimulation`.',
  })
  @Authorise(...administrators)
  async delegationPath(
    @Arg('code', () => String, { description: 'Code of the citizen.' }) code: string,
    @Args(() => SimulationArgs) args: SimulationArgs,
    @Ctx() context: RequestContext,
  ): Promise<DelegationPath> {
    const { question, scenario } = await this.#read(
      args,
      context,
      isStorableText(code) ? [] : [invalid(['code'], 'must be well-formed text')],
    )
    await this.#audit('delegations.simulate', { ...args, code }, context)
    const { answer } = await this.#answer((todayMs) => ({ kind: 'path', code, question, scenario, todayMs }), context)
    if (!('path' in answer)) throw refusalOf(answer)
    const { steps, ...path } = answer.path
    return {
      ...path,
      outcome: path.outcome as DelegationPath['outcome'],
      steps: steps.map(({ code: each, ...step }) => ({ ...step, citizen: { code: each } })),
    }
  }

  @FieldResolver(() => VoterWeightConnection, {
    nullable: true,
    description:
      'Citizens that delegations name, with the votes that they cast. Equal ones in the order of the snapshot; null when it cannot be read.',
  })
  @Authorise(...administrators)
  async weights(
    @Root() { question, scenario, snapshotAt }: DelegationSimulation,
    @Args(() => WeightsArgs) args: WeightsArgs,
    @Ctx() context: RequestContext,
  ): Promise<VoterWeightConnection> {
    const cursors = new Cursors(['weights', args.orderBy], { ...question, ...scenario })
    const window = pageWindow(args, weightsOfPage, (cursor, argument) => {
      const [position, snapshotMs] = cursors.placeOf(cursor, 2, argument)
      if (typeof position !== 'number' || !Number.isSafeInteger(position) || position < 0) throw foreignCursor(argument)
      if (snapshotMs !== snapshotAt.getTime())
        refuseViolations([
          { ...invalid([argument], 'belongs to delegations that have been read again since: start from the first page'), code: 'expired' },
        ])
      return position
    })
    const offset = window.beyond === undefined ? 0 : window.beyond + 1
    const page = { order: args.orderBy, offset, size: window.limit }
    const { answer } = await this.#answer((todayMs) => ({ kind: 'weights', page, question, scenario, todayMs }), context)
    if (!('weights' in answer)) throw refusalOf(answer)
    const { voters, totalCount } = answer.weights
    const nodes = voters.map(({ code, direct, ...voter }, at) => ({
      position: offset + at,
      voter: { ...voter, citizen: { code }, directDelegations: direct } satisfies VoterWeight,
    }))
    const { edges, pageInfo } = pageOf(nodes, window, ({ position }) => cursors.of(position, snapshotAt.getTime()))
    return {
      edges: edges.map(({ cursor, node }) => ({ cursor, node: node.voter })),
      nodes: edges.map(({ node }) => node.voter),
      pageInfo,
      totalCount,
    }
  }

  #answer(
    taskOf: (todayMs: number) => SimulationTask,
    { signal }: RequestContext,
  ): Promise<{ readonly answer: SimulationAnswer; readonly snapshot: Snapshot }> {
    return this.#parts.simulations.answer(({ at }) => taskOf(at.getTime()), signal)
  }

  #audit(
    action: 'delegations.simulate',
    { at, ...args }: SimulationArgs & { readonly code?: string },
    context: RequestContext,
  ): Promise<void> {
    const { domainId, scope, groupId, code } = args
    return this.#parts.audit.record(context, [
      {
        action,
        outcome: 'done',
        ...(code !== undefined && { target: this.#parts.pseudonyms.of(code) }),
        details: { domainId, scope, groupId, at: at?.toISOString() },
      },
    ])
  }

  /** Validates the arguments. @param more - violations of other arguments */
  async #read(
    args: SimulationArgs,
    { principal }: RequestContext,
    more: readonly Violation[] = [],
  ): Promise<{ readonly question: Question; readonly scenario: Scenario }> {
    const { directVoters, add, remove, domainId, groupId, scope, at, electorate, maxWeight, maxChain } = args
    const domains = domainId == null ? [] : isStorableText(domainId) ? await this.#parts.domainPath(domainId) : undefined
    refuseViolations([
      ...more,
      ...(domains === undefined ? [{ ...invalid(['domainId'], 'is not a domain of the taxonomy'), code: 'unknown' as const }] : []),
      ...(isStorableText(scope) && scope !== '' ? [] : [invalid(['scope'], 'must be well-formed text of at least one character')]),
      ...numberViolations('electorate', electorate),
      ...numberViolations('maxWeight', maxWeight),
      ...numberViolations('maxChain', maxChain, 0),
      ...countViolations({
        directVoters,
        add,
        'remove.ids': remove?.ids,
        'remove.delegators': remove?.delegators,
        'remove.delegates': remove?.delegates,
      }),
      ...(add ?? []).flatMap(({ delegator, delegate }, index) =>
        delegator === delegate ? [invalid(['add', index, 'delegate'], 'must be another citizen than the delegator')] : [],
      ),
      ...repeated(add ?? []),
    ])
    const visible = visibleGroups(principal)
    if (groupId != null && visible !== 'all' && !visible.includes(groupId))
      throw new Forbidden('Not allowed: `groupId` is not one of your groups')
    return {
      question: {
        domains: domains ?? [],
        scope,
        groups: groupId == null ? visible : [groupId],
        atMs: at?.getTime(),
      },
      scenario: {
        directVoters: directVoters ?? [],
        add: add ?? [],
        remove: { ids: remove?.ids ?? [], delegators: remove?.delegators ?? [], delegates: remove?.delegates ?? [] },
        electorate: electorate ?? undefined,
        maxWeight: maxWeight ?? undefined,
        maxChain: maxChain ?? undefined,
      },
    }
  }
}

@Resolver(() => DelegationPathStep)
export class DelegationPathStepResolver {
  readonly #delegations: Pick<DelegationResolver, 'delegation'>

  constructor(delegations: Pick<DelegationResolver, 'delegation'>) {
    this.#delegations = delegations
  }

  @FieldResolver(() => Delegation, {
    nullable: true,
    description:
      'Delegation by which the vote leaves the citizen; null at the end of the path, for an assumed delegation, and when it was deleted since.',
  })
  @Authorise(...administrators)
  async delegation(@Root() { delegationId }: DelegationPathStep, @Ctx() context: RequestContext): Promise<Delegation | null> {
    return delegationId === null ? null : this.#delegations.delegation(delegationId, context)
  }
}

const numberViolations = (member: string, value: number | null | undefined, min = 1): readonly Violation[] =>
  value == null || value >= min ? [] : [outOfRange([member], min, maxInt)]

const countViolations = (lists: Readonly<Record<string, readonly unknown[] | null | undefined>>): readonly Violation[] =>
  Object.entries(lists).flatMap(([member, list]) => ((list?.length ?? 0) > maxChanges ? [tooMany(member.split('.'), maxChanges)] : []))

function repeated(add: readonly { readonly delegator: string }[]): readonly Violation[] {
  const seen = new Set<string>()
  return add.flatMap(({ delegator }, index) => {
    if (seen.has(delegator)) return [invalid(['add', index, 'delegator'], 'has another assumed delegation in this list')]
    seen.add(delegator)
    return []
  })
}

const sentences = {
  citizen: 'No delegation names a citizen with this code',
  delegation: 'No delegation has this id, or it was revoked',
} as const

/** Returns the error for names or numbers that do not fit the delegations. */
function refusalOf(answer: SimulationAnswer): Error {
  try {
    if ('unknown' in answer)
      refuseViolations(answer.unknown.map(({ member, kind }) => ({ code: 'unknown', path: member, message: sentences[kind] })))
    if ('members' in answer) refuseViolations([outOfRange(['electorate'], answer.members, maxInt)])
  } catch (error) {
    if (error instanceof Error) return error
  }
  return new Error('the simulation returned another result than its task')
}

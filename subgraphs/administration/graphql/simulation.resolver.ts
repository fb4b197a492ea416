import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, Query, Resolver, Root, Subscription } from 'type-graphql'
import type { AuditTrail } from '../../../engines/audit/audit-trail.ts'
import type { CitizenPseudonyms } from '../../../engines/citizen-data/citizen-pseudonyms.ts'
import { Forbidden, refuseViolations } from '../../../foundation/fault.ts'
import { Authorise } from '../../../foundation/graphql/authorisation.ts'
import { type PageWindow, pageOf } from '../../../foundation/graphql/connection.ts'
import { Cursors, foreignCursor } from '../../../foundation/graphql/cursors.ts'
import { forwardArguments, type PageRequest, pageWindow } from '../../../foundation/graphql/page-window.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { servedFromStream } from '../../../foundation/subgraph/subgraph.ts'
import { outOfRange, tooMany, tooShort, type Violation } from '../../../foundation/validation/violation.ts'
import { delegationTextViolations } from '../delegations/delegation-record.ts'
import { administrators, visibleGroups } from '../roles.ts'
import { located, readChangesFile, withOthers } from '../simulation/changes-file.ts'
import { changesIn, type FileChange, type FiledScenario, type Question, type Scenario, withFileInLists } from '../simulation/scenario.ts'
import type { SimulationAnswer, SimulationTask } from '../simulation/simulation-thread.ts'
import type { SimulationLoad, Simulations, Snapshot } from '../simulation/simulations.ts'
import type { DelegationResolver } from './delegation.resolver.ts'
import { Delegation } from './delegation.type.ts'
import {
  DelegationCircle,
  DelegationPath,
  DelegationPathStep,
  DelegationSimulation,
  DelegationSimulationRun,
  maxChanges,
  SimulatedDelegatorConnection,
  SimulatedDelegatorFilterInput,
  SimulationArgs,
  SimulationOrder,
  SimulationStage,
  type VoterWeight,
  VoterWeightConnection,
} from './simulation.type.ts'

const weightsOfPage = { defaultSize: 20, maxSize: 100 } as const
const maxCircles = 20
/** the largest GraphQL Int */
const maxInt = 2_147_483_647

@ArgsType()
class WeightsArgs extends forwardArguments(weightsOfPage) {
  @Field(() => SimulationOrder, { defaultValue: SimulationOrder.HEAVIEST_FIRST, description: 'Order of the list.' })
  orderBy!: SimulationOrder
}

@ArgsType()
class DelegatorsArgs extends forwardArguments(weightsOfPage) {
  @Field(() => SimulatedDelegatorFilterInput, { description: 'Restricts the list.' })
  filter!: SimulatedDelegatorFilterInput
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
      'Simulates a vote. One active delegation of a citizen applies: the one for the most specific domain (sub-domain, domain, all domains), then an exact scope before "all", then the one that started last, then the lowest id. A citizen without one votes.',
  })
  @Authorise(...administrators)
  async delegationSimulation(
    @Args(() => SimulationArgs) args: SimulationArgs,
    @Ctx() context: RequestContext,
  ): Promise<DelegationSimulation> {
    const { question, scenario } = await this.#read(args, context)
    await this.#audit(args, scenario, context)
    const { answer, snapshot } = await this.#answer((todayMs) => ({ kind: 'figures', question, scenario, todayMs }), context)
    if (!('figures' in answer)) throw refusalOf(answer)
    return { ...answer, snapshotAt: snapshot.at, delegations: snapshot.count, question, scenario }
  }

  @Subscription(() => DelegationSimulationRun, {
    description:
      'Runs a simulation as `delegationSimulation` does and emits its progress; the last event has the result. Ending the subscription cancels the simulation.',
    subscribe: servedFromStream,
  })
  @Authorise(...administrators)
  async delegationSimulationRun(
    @Root() { isLoaded, read, total }: SimulationLoad,
    @Args(() => SimulationArgs) args: SimulationArgs,
    @Ctx() context: RequestContext,
  ): Promise<DelegationSimulationRun> {
    if (isLoaded) return { stage: SimulationStage.DONE, read, total, simulation: await this.delegationSimulation(args, context) }
    // refuses invalid arguments before the delegations have been read
    await this.#read(args, context)
    return { stage: SimulationStage.READING, read, total, simulation: null }
  }

  @Query(() => DelegationPath, {
    description: 'The path of a citizen’s vote through delegations, by the same rules as `delegationSimulation`.',
  })
  @Authorise(...administrators)
  async delegationPath(
    @Arg('code', () => String, { description: 'Code of the citizen.' }) code: string,
    @Args(() => SimulationArgs) args: SimulationArgs,
    @Ctx() context: RequestContext,
  ): Promise<DelegationPath> {
    const { question, scenario } = await this.#read(args, context, delegationTextViolations(['code'], code))
    await this.#audit({ ...args, code }, scenario, context)
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
      'Citizens that delegations name, with the votes that they cast. Citizens with equally many votes are in the order of the snapshot; null when it cannot be read.',
  })
  @Authorise(...administrators)
  async weights(
    @Root() { question, scenario, snapshotAt }: DelegationSimulation,
    @Args(() => WeightsArgs) args: WeightsArgs,
    @Ctx() context: RequestContext,
  ): Promise<VoterWeightConnection> {
    const { cursors, window, page } = pageIn({ question, scenario, snapshotAt }, ['weights', args.orderBy], args)
    const task = { kind: 'weights', page: { ...page, order: args.orderBy }, question, scenario } as const
    const { answer } = await this.#answer((todayMs) => ({ ...task, todayMs }), context)
    if (!('weights' in answer)) throw refusalOf(answer)
    const { voters, totalCount } = answer.weights
    const nodes = voters.map(
      ({ code, direct, ...voter }) => ({ ...voter, citizen: { code }, directDelegations: direct }) satisfies VoterWeight,
    )
    return { ...listOf(nodes, page.offset, window, (position) => cursors.of(position, snapshotAt.getTime())), totalCount }
  }

  @FieldResolver(() => SimulatedDelegatorConnection, {
    nullable: true,
    description:
      'Citizens who delegate to a citizen in the scenario, those through whom the most votes pass first; null when they cannot be read.',
  })
  @Authorise(...administrators)
  async delegators(
    @Root() { question, scenario, snapshotAt }: DelegationSimulation,
    @Args(() => DelegatorsArgs) args: DelegatorsArgs,
    @Ctx() context: RequestContext,
  ): Promise<SimulatedDelegatorConnection> {
    const code = args.filter.delegate
    refuseViolations(delegationTextViolations(['filter', 'delegate'], code))
    const { cursors, window, page } = pageIn({ question, scenario, snapshotAt }, ['delegators', code], args)
    const { answer } = await this.#answer((todayMs) => ({ kind: 'delegators', code, page, question, scenario, todayMs }), context)
    if (!('delegators' in answer)) throw refusalOf(answer, ['filter', 'delegate'])
    const { delegators, totalCount } = answer.delegators
    const nodes = delegators.map(({ code: each, direct, ...delegator }) => ({
      ...delegator,
      citizen: { code: each },
      directDelegations: direct,
    }))
    return { ...listOf(nodes, page.offset, window, (position) => cursors.of(position, snapshotAt.getTime())), totalCount }
  }

  @FieldResolver(() => [DelegationCircle], {
    nullable: true,
    description: 'The 20 circles of delegations that lose the most votes, the largest loss first; null when they cannot be read.',
  })
  @Authorise(...administrators)
  async circles(
    @Root() { question, scenario }: DelegationSimulation,
    @Ctx() context: RequestContext,
  ): Promise<readonly DelegationCircle[]> {
    const { answer } = await this.#answer((todayMs) => ({ kind: 'circles', count: maxCircles, question, scenario, todayMs }), context)
    if (!('circles' in answer)) throw refusalOf(answer)
    return answer.circles.map(({ codes, ...circle }) => ({ ...circle, citizens: codes.map((code) => ({ code })) }))
  }

  #answer(
    taskOf: (todayMs: number) => SimulationTask,
    { signal }: RequestContext,
  ): Promise<{ readonly answer: SimulationAnswer; readonly snapshot: Snapshot }> {
    return this.#parts.simulations.answer(({ at }) => taskOf(at.getTime()), signal)
  }

  #audit(
    { at, domainId, scope, groupId, code }: SimulationArgs & { readonly code?: string },
    { directVoters, add, remove, file }: FiledScenario,
    context: RequestContext,
  ): Promise<void> {
    const inLists = [directVoters, add, ...Object.values(remove)].reduce((sum, list) => sum + list.length, 0)
    return this.#parts.audit.record(context, [
      {
        action: 'delegations.simulate',
        outcome: 'done',
        ...(code !== undefined && { target: this.#parts.pseudonyms.of(code) }),
        details: { domainId, scope, groupId, at: at?.toISOString(), changes: inLists + (file?.kinds.length ?? 0) },
      },
    ])
  }

  /**
   * Validates arguments to be saved. Returns their changes, with those of the file in the lists, and beside them.
   * @param path - of the arguments, for violations  @param more - violations of other arguments
   * @throws {InvalidInput} for invalid arguments, and more changes than the lists may have  @throws {Forbidden} for a group of others
   */
  async changesToSave(
    args: SimulationArgs,
    context: RequestContext,
    path: Violation['path'],
    more: readonly Violation[],
  ): Promise<Pick<Scenario, 'directVoters' | 'add' | 'remove'> & { readonly inFile: readonly FileChange[] }> {
    const { scenario } = await this.#read(args, context, more, path)
    const inFile = changesIn(scenario.file)
    const { directVoters, add, remove } = withFileInLists(scenario, inFile)
    const most = Math.max(...[directVoters, add, ...Object.values(remove)].map((list) => list.length))
    if (most > maxChanges) {
      const limit = maxChanges.toLocaleString('en')
      const message = `A saved scenario has at most ${limit} changes of a kind; the file and the lists have ${most.toLocaleString('en')}: simulate without saving`
      refuseViolations([{ code: 'too_many', path: [...path, 'changes'], message, constraint: { max: maxChanges, actual: most } }])
    }
    return { directVoters, add, remove, inFile }
  }

  /** Validates the arguments. @param more - violations of other arguments */
  async #read(
    args: SimulationArgs,
    { principal, signal }: RequestContext,
    more: readonly Violation[] = [],
    path: Violation['path'] = [],
  ): Promise<{ readonly question: Question; readonly scenario: FiledScenario }> {
    const { directVoters, add, remove, domainId, groupId, scope, at, electorate, maxWeight, maxChain, changes } = args
    const domains =
      domainId == null
        ? []
        : delegationTextViolations(['domainId'], domainId).length === 0
          ? await this.#parts.domainPath(domainId)
          : undefined
    const assumed = new Set(add?.map(({ delegator }) => delegator))
    const fileRead =
      changes == null ? undefined : await readChangesFile(changes, { assumed, textViolations: delegationTextViolations }, signal)
    const violations: readonly Violation[] = [
      ...(domains === undefined ? [{ code: 'unknown', path: ['domainId'], message: 'is not a domain of the taxonomy' } as const] : []),
      ...(scope === ''
        ? [{ ...tooShort(['scope'], 1), message: 'must be well-formed text of at least one character' }]
        : delegationTextViolations(['scope'], scope)),
      ...(groupId == null ? [] : delegationTextViolations(['groupId'], groupId)),
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
      ...assumedViolations(add ?? []),
      ...namedTexts(args).flatMap(([member, text]) => delegationTextViolations(member, text)),
      ...(fileRead !== undefined && 'violations' in fileRead ? fileRead.violations : []),
    ]
    refuseViolations([...more, ...violations.map((violation) => ({ ...violation, path: [...path, ...violation.path] }))])
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
        ...(fileRead !== undefined && 'file' in fileRead && { file: fileRead.file }),
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
      'The delegation that passes the vote on; null at the end of the path, for an assumed delegation, and when the delegation was deleted in the meantime.',
  })
  @Authorise(...administrators)
  async delegation(@Root() { delegationId }: DelegationPathStep, @Ctx() context: RequestContext): Promise<Delegation | null> {
    return delegationId === null ? null : this.#delegations.delegation(delegationId, context)
  }
}

type SimulatedQuestion = Pick<DelegationSimulation, 'question' | 'scenario' | 'snapshotAt'>

/** Reads the page of a list of one scenario; its cursors are positions, valid for one snapshot. */
function pageIn({ question, scenario, snapshotAt }: SimulatedQuestion, list: readonly string[], args: PageRequest) {
  const cursors = new Cursors(list, { ...question, ...scenario, file: scenario.file?.digest })
  const window = pageWindow(args, weightsOfPage, (cursor, argument) => {
    const [position, snapshotMs] = cursors.placeOf(cursor, 2, argument)
    if (typeof position !== 'number' || !Number.isSafeInteger(position) || position < 0) throw foreignCursor(argument)
    if (snapshotMs !== snapshotAt.getTime())
      refuseViolations([
        {
          code: 'expired',
          path: [argument],
          message: 'The cursor is of an earlier snapshot of the delegations: start from the first page',
        },
      ])
    return position
  })
  return { cursors, window, page: { offset: window.beyond === undefined ? 0 : window.beyond + 1, size: window.limit } }
}

function listOf<Node>(nodes: readonly Node[], offset: number, window: PageWindow<number>, cursorOf: (position: number) => string) {
  const placed = nodes.map((node, at) => ({ node, position: offset + at }))
  const { edges, pageInfo } = pageOf(placed, window, ({ position }) => cursorOf(position))
  return {
    edges: edges.map(({ cursor, node }) => ({ cursor, node: node.node })),
    nodes: edges.map(({ node }) => node.node),
    pageInfo,
  }
}

const numberViolations = (member: string, value: number | null | undefined, min = 1): readonly Violation[] =>
  value == null || value >= min ? [] : [outOfRange([member], min, maxInt)]

const countViolations = (lists: Readonly<Record<string, readonly unknown[] | null | undefined>>): readonly Violation[] =>
  Object.entries(lists).flatMap(([member, list]) => ((list?.length ?? 0) > maxChanges ? [tooMany(member.split('.'), maxChanges)] : []))

/** Returns the codes and ids of a scenario with their paths; of a list that is too long only the first ones. */
function namedTexts({ directVoters, add, remove }: SimulationArgs): readonly (readonly [path: Violation['path'], text: string])[] {
  const lists = { directVoters, 'remove.ids': remove?.ids, 'remove.delegators': remove?.delegators, 'remove.delegates': remove?.delegates }
  return [
    ...Object.entries(lists).flatMap(([member, list]) =>
      (list ?? []).slice(0, maxChanges).map((text, index) => [[...member.split('.'), index], text] as const),
    ),
    ...(add ?? [])
      .slice(0, maxChanges)
      .flatMap((pair, index) => (['delegator', 'delegate'] as const).map((side) => [['add', index, side], pair[side]] as const)),
  ]
}

/** Returns the violations of delegations to oneself, and of a second one of a delegator. */
function assumedViolations(add: NonNullable<SimulationArgs['add']>): readonly Violation[] {
  const seen = new Set<string>()
  return add.flatMap(({ delegator, delegate }, index): readonly Violation[] => {
    const isRepeated = seen.has(delegator)
    seen.add(delegator)
    return [
      ...(delegator === delegate
        ? [{ code: 'duplicate', path: ['add', index, 'delegate'], message: 'must be a citizen other than the delegator' } as const]
        : []),
      ...(isRepeated
        ? [
            {
              code: 'duplicate',
              path: ['add', index, 'delegator'],
              message: 'An earlier item of the list assumes another delegation of this citizen',
            } as const,
          ]
        : []),
    ]
  })
}

const sentences = {
  citizen: 'No delegation names a citizen with this code',
  delegation: 'No delegation has this id, or it was revoked',
} as const

/** Returns the error for names or numbers that do not fit the delegations. @param codePath - of the argument with the task's code */
function refusalOf(answer: SimulationAnswer, codePath: Violation['path'] = ['code']): Error {
  try {
    if ('unknown' in answer) {
      const { inLists, inFile, inFileCount } = answer.unknown
      refuseViolations([
        ...inLists.map(({ member, kind }) => ({
          code: 'unknown' as const,
          path: member[0] === 'code' ? codePath : member,
          message: sentences[kind],
        })),
        ...withOthers(
          inFile.map(({ line, column, kind }) => located(line, column, 'unknown', sentences[kind])),
          inFileCount,
        ),
      ])
    }
    if ('members' in answer) refuseViolations([outOfRange(['electorate'], answer.members, maxInt)])
  } catch (error) {
    if (error instanceof Error) return error
  }
  return new Error('the simulation returned another result than its task')
}

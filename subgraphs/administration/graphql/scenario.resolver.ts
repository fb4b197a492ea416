import { Arg, Args, ArgsType, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { AuditAction } from '../../../engines/audit/audit-actions.ts'
import type { AuditTrail } from '../../../engines/audit/audit-trail.ts'
import type { CitizenPseudonyms } from '../../../engines/citizen-data/citizen-pseudonyms.ts'
import type { Database, Queryable, Transaction } from '../../../engines/relational/database.ts'
import { Forbidden, NotFound, refuseViolations } from '../../../foundation/fault.ts'
import { Authorise } from '../../../foundation/graphql/authorisation.ts'
import { pageOf } from '../../../foundation/graphql/connection.ts'
import { Cursors } from '../../../foundation/graphql/cursors.ts'
import { nodeIdOf } from '../../../foundation/graphql/node-id.ts'
import { pageArguments, pageWindow } from '../../../foundation/graphql/page-window.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import type { Principal } from '../../../foundation/principal.ts'
import { isStorableText, isUuid } from '../../../foundation/validation/values.ts'
import { blank, tooFew, tooLong, tooMany, unstorable, type Violation } from '../../../foundation/validation/violation.ts'
import { erasedAmong, holdOffErasures } from '../delegations/erased-citizens.ts'
import { administrators, visibleGroups } from '../roles.ts'
import {
  countScenarios,
  deleteScenario,
  findScenarios,
  renameScenario,
  type SavedScenario,
  ScenarioInputs,
  type ScenarioReader,
  saveScenario,
  scenariosById,
} from '../scenarios/scenario-store.ts'
import { located, withOthers } from '../simulation/changes-file.ts'
import type { FileChange } from '../simulation/scenario.ts'
import {
  DelegationScenario,
  DelegationScenarioConnection,
  DeleteDelegationScenarioInput,
  DeleteDelegationScenarioPayload,
  RenameDelegationScenarioInput,
  RenameDelegationScenarioPayload,
  SaveDelegationScenarioInput,
  SaveDelegationScenarioPayload,
} from './scenario.type.ts'
import type { SimulationResolver } from './simulation.resolver.ts'
import { DelegationSimulation, type SimulationArgs } from './simulation.type.ts'

const scenariosOfPage = { defaultSize: 20, maxSize: 100 } as const
const maxNameLength = 100
/** scenarios that are compared at once */
const maxCompared = 4

@ArgsType()
class ScenariosArgs extends pageArguments(scenariosOfPage) {}

/** Saved scenarios; each run of one is audited as a simulation. */
@Resolver(() => DelegationScenario)
export class ScenarioResolver {
  readonly #database: Database
  readonly #audit: AuditTrail
  readonly #pseudonyms: CitizenPseudonyms
  readonly #simulations: SimulationResolver

  constructor(database: Database, audit: AuditTrail, pseudonyms: CitizenPseudonyms, simulations: SimulationResolver) {
    this.#database = database
    this.#audit = audit
    this.#pseudonyms = pseudonyms
    this.#simulations = simulations
  }

  @Query(() => DelegationScenarioConnection, {
    description:
      'Saved scenarios that the caller may read, the newest first: own ones, those of the caller’s groups, and all for SUPER_ADMIN.',
  })
  @Authorise(...administrators)
  async delegationScenarios(
    @Args(() => ScenariosArgs) args: ScenariosArgs,
    @Ctx() { principal }: RequestContext,
  ): Promise<DelegationScenarioConnection> {
    const cursors = new Cursors(['delegationScenarios'])
    const window = pageWindow(args, scenariosOfPage, (cursor, argument) => {
      const { moment: createdAt, id } = cursors.momentOf(cursor, argument, isUuid)
      return { createdAt, id }
    })
    const reader = readerOf(principal)
    const scenarios = (await findScenarios(this.#database, reader, window)).map((each) => typeOfScenario(each, principal))
    const page = pageOf(scenarios, window, ({ createdAt, id }) => cursors.ofMoment(createdAt, id))
    return { ...page, count: () => countScenarios(this.#database, reader) }
  }

  @Query(() => DelegationScenario, {
    nullable: true,
    description: 'A saved scenario; null when it is unknown or the caller may not read it.',
  })
  @Authorise(...administrators)
  delegationScenario(
    @Arg('id', () => ID, { description: 'Id of the scenario.' }) id: string,
    @Ctx() { principal }: RequestContext,
  ): Promise<DelegationScenario | null> {
    return this.find(id, principal)
  }

  @Query(() => [DelegationScenario], {
    description: 'Saved scenarios in the order of `ids`. Their simulations use the same delegations, so that they can be compared.',
  })
  @Authorise(...administrators)
  async compareDelegationScenarios(
    @Arg('ids', () => [ID], { description: 'Ids of different scenarios, 1 to 4.' }) ids: string[],
    @Ctx() { principal }: RequestContext,
  ): Promise<readonly DelegationScenario[]> {
    refuseViolations(ids.length < 1 ? [tooFew(['ids'], 1)] : ids.length > maxCompared ? [tooMany(['ids'], maxCompared, ids.length)] : [])
    const found = new Map((await scenariosById(this.#database.orm, ids.filter(isUuid), readerOf(principal))).map((each) => [each.id, each]))
    refuseViolations(
      ids.flatMap((id, index): readonly Violation[] =>
        found.has(id) ? [] : [{ code: 'unknown', path: ['ids', index], message: 'No scenario that you may read has this id' }],
      ),
    )
    return ids.flatMap((id) => found.get(id) ?? []).map((each) => typeOfScenario(each, principal))
  }

  @FieldResolver(() => DelegationSimulation, {
    nullable: true,
    description: 'The outcome of the scenario now; null when it cannot be simulated.',
  })
  @Authorise(...administrators)
  simulation(@Root() { saved: { inputs } }: DelegationScenario, @Ctx() context: RequestContext): Promise<DelegationSimulation> {
    return this.#simulations.delegationSimulation(inputs, context)
  }

  @Mutation(() => SaveDelegationScenarioPayload, {
    description:
      'Saves a scenario of the caller, at most 100. Unknown citizens and delegations are accepted here, and refused by the simulation.',
  })
  @Authorise(...administrators)
  async saveDelegationScenario(
    @Arg('input', () => SaveDelegationScenarioInput) { name, scenario }: SaveDelegationScenarioInput,
    @Ctx() context: RequestContext,
  ): Promise<SaveDelegationScenarioPayload> {
    const { inFile, ...lists } = await this.#simulations.changesToSave(scenario, context, ['scenario'], nameViolations(name))
    const inputs = ScenarioInputs.parse(JSON.parse(JSON.stringify({ ...scenario, ...lists, changes: undefined })))
    const saved = await this.#database.transaction(async (tx) => {
      await this.#refuseErased(tx, scenario, inFile)
      const row = await saveScenario(tx, readerOf(context.principal), { name: name.trim(), inputs })
      await this.#note('scenario.save', row, context, tx)
      return row
    }, context.deadline)
    return { scenario: typeOfScenario(saved, context.principal) }
  }

  @Mutation(() => RenameDelegationScenarioPayload, { description: 'Renames a scenario. Only its author and SUPER_ADMIN may.' })
  @Authorise(...administrators)
  async renameDelegationScenario(
    @Arg('input', () => RenameDelegationScenarioInput) { id, name }: RenameDelegationScenarioInput,
    @Ctx() context: RequestContext,
  ): Promise<RenameDelegationScenarioPayload> {
    refuseViolations(nameViolations(name))
    const renamed = await this.#database.transaction(async (tx) => {
      const row = await renameScenario(tx, await this.#ownById(tx, id, context.principal), name.trim())
      await this.#note('scenario.rename', row, context, tx)
      return row
    }, context.deadline)
    return { scenario: typeOfScenario(renamed, context.principal) }
  }

  @Mutation(() => DeleteDelegationScenarioPayload, { description: 'Deletes a scenario. Only its author and SUPER_ADMIN may.' })
  @Authorise(...administrators)
  async deleteDelegationScenario(
    @Arg('input', () => DeleteDelegationScenarioInput) { id }: DeleteDelegationScenarioInput,
    @Ctx() context: RequestContext,
  ): Promise<DeleteDelegationScenarioPayload> {
    await this.#database.transaction(async (tx) => {
      const scenario = await this.#ownById(tx, id, context.principal)
      await deleteScenario(tx, id)
      await this.#note('scenario.delete', scenario, context, tx)
    }, context.deadline)
    return { deletedNodeId: nodeIdOf('DelegationScenario', id) }
  }

  /** Returns a scenario; null when it is unknown or the caller may not read it. */
  async find(id: string, principal: Principal): Promise<DelegationScenario | null> {
    if (!isUuid(id)) return null
    const [scenario] = await scenariosById(this.#database.orm, [id], readerOf(principal))
    return scenario === undefined ? null : typeOfScenario(scenario, principal)
  }

  /** @throws {NotFound} for one that the caller may not read  @throws {Forbidden} for one of another author */
  async #ownById(orm: Queryable, id: string, principal: Principal): Promise<SavedScenario> {
    const reader = readerOf(principal)
    const [scenario] = isUuid(id) ? await scenariosById(orm, [id], reader) : []
    if (scenario === undefined) throw new NotFound('No scenario that you may read has this id')
    if (reader.groups !== 'all' && (scenario.issuer !== reader.issuer || scenario.subject !== reader.subject))
      throw new Forbidden('Not allowed: another administrator saved this scenario')
    return scenario
  }

  /** @throws {InvalidInput} for citizens who were erased: their codes must not be stored again */
  async #refuseErased(tx: Transaction, { directVoters, add, remove }: SimulationArgs, inFile: readonly FileChange[]): Promise<void> {
    await tx.execute(holdOffErasures)
    const sentence = 'No delegation names a citizen with this code'
    const inList = (path: Violation['path']): Violation => ({ code: 'unknown', path, message: sentence })
    const named: readonly NamedCode[] = [
      ...(directVoters ?? []).map((code, index): NamedCode => [code, inList(['directVoters', index])]),
      ...(add ?? []).flatMap((pair, index) =>
        (['delegator', 'delegate'] as const).map((side): NamedCode => [pair[side], inList(['add', index, side])]),
      ),
      ...(['delegators', 'delegates'] as const).flatMap((list) =>
        (remove?.[list] ?? []).map((code, index): NamedCode => [code, inList(['remove', list, index])]),
      ),
    ]
    const namedInFile = inFile
      .filter(({ kind }) => kind !== 'remove_id')
      .flatMap(({ kind, line, code, delegate }) =>
        (kind === 'add' ? [code, delegate] : [code]).map((each, at): NamedCode => [each, located(line, at + 2, 'unknown', sentence)]),
      )
    const codes = [...named, ...namedInFile].map(([code]) => code)
    const erased = await erasedAmong(tx, this.#pseudonyms, codes)
    const refused = (all: readonly NamedCode[]): readonly Violation[] =>
      all.flatMap(([code, violation]) => (erased.has(code) ? violation : []))
    refuseViolations(
      [...refused(named), ...withOthers(refused(namedInFile))].map((violation) => ({
        ...violation,
        path: ['scenario', ...violation.path],
      })),
    )
  }

  #note(action: AuditAction, { id, groupId }: SavedScenario, context: RequestContext, tx: Queryable): Promise<void> {
    return this.#audit.record(context, [{ action, outcome: 'done', target: id, details: { groupId } }], tx)
  }
}

/** A code that a scenario names, and the violation if it must not. */
type NamedCode = readonly [code: string, violation: Violation]

function readerOf(principal: Principal): ScenarioReader {
  const { issuer = '', subject = '' } = principal.user ?? {}
  return { issuer, subject, groups: visibleGroups(principal) }
}

function nameViolations(name: string): readonly Violation[] {
  if (!isStorableText(name)) return [unstorable(['name'])]
  if (name.trim() === '') return [blank(['name'])]
  return name.trim().length > maxNameLength ? [tooLong(['name'], maxNameLength)] : []
}

function typeOfScenario(saved: SavedScenario, principal: Principal): DelegationScenario {
  const { id, name, issuer, subject, groupId, inputs, createdAt, updatedAt } = saved
  const { domainId, scope, at, electorate, directVoters, add, remove, maxWeight, maxChain } = inputs
  const citizens = (codes: readonly string[]) => codes.map((code) => ({ code }))
  return {
    id,
    name,
    isOwn: principal.user?.issuer === issuer && principal.user.subject === subject,
    group: groupId === null ? null : { id: groupId },
    domain: domainId === null ? null : { id: domainId },
    scope,
    at,
    electorate,
    directVoters: citizens(directVoters),
    add: add.map(({ delegator, delegate }) => ({ delegator: { code: delegator }, delegate: { code: delegate } })),
    removedIds: remove.ids,
    removedDelegators: citizens(remove.delegators),
    removedDelegates: citizens(remove.delegates),
    maxWeight,
    maxChain,
    createdAt,
    updatedAt,
    saved,
  }
}

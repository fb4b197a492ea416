import { randomUUID } from 'node:crypto'
import type { SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Database, Queryable, Transaction } from '../../../engines/relational/database.ts'
import { and, count, eq, getTableColumns, inArray, isNull, ne, or, sql } from '../../../engines/relational/drizzle.ts'
import { keyset } from '../../../engines/relational/keyset.ts'
import { Fault } from '../../../foundation/fault.ts'
import type { RowWindow } from '../../../foundation/row-window.ts'
import { simulationScenario } from '../tables.ts'

/** Most scenarios of an account. */
export const maxScenarios = 100
/** maximum of bytes of the JSON of all scenarios of an account: a page of them is read at once */
export const maxScenarioBytes = 1024 * 1024

const Codes = z.array(z.string()).default([])

/** What a scenario asks and assumes; codes of citizens that were erased since are left out. */
export const ScenarioInputs = z.object({
  domainId: z.string().nullable().default(null),
  scope: z.string(),
  groupId: z.string().nullable().default(null),
  at: z.coerce.date().nullable().default(null),
  electorate: z.number().nullable().default(null),
  directVoters: Codes,
  add: z.array(z.object({ delegator: z.string(), delegate: z.string() })).default([]),
  remove: z.object({ ids: Codes, delegators: Codes, delegates: Codes }).prefault({}),
  maxWeight: z.number().nullable().default(null),
  maxChain: z.number().nullable().default(null),
})
export type ScenarioInputs = z.infer<typeof ScenarioInputs>

export interface SavedScenario {
  readonly id: string
  readonly name: string
  readonly issuer: string
  readonly subject: string
  readonly groupId: string | null
  readonly inputs: ScenarioInputs
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Who reads scenarios. */
export interface ScenarioReader {
  readonly issuer: string
  readonly subject: string
  /** groups whose scenarios the reader may read */
  readonly groups: readonly string[] | 'all'
}

export interface ScenarioPlace {
  readonly createdAt: Date
  readonly id: string
}

const ownedBy = ({ issuer, subject }: Pick<ScenarioReader, 'issuer' | 'subject'>): SQL | undefined =>
  and(eq(simulationScenario.issuer, issuer), eq(simulationScenario.subject, subject))

/** A scenario of a group is for its administrators; one of no group for its author. */
const visibleTo = (reader: ScenarioReader): SQL | undefined =>
  reader.groups === 'all'
    ? undefined
    : or(
        and(isNull(simulationScenario.groupId), ownedBy(reader)),
        reader.groups.length === 0 ? sql`false` : inArray(simulationScenario.groupId, [...reader.groups]),
      )

/** without the index of names, which is as large as the inputs */
const { named: _, ...columns } = getTableColumns(simulationScenario)

const scenarioOf = ({ inputs, ...row }: Omit<typeof simulationScenario.$inferSelect, 'named'>): SavedScenario => ({
  ...row,
  inputs: ScenarioInputs.parse(inputs),
})

/** Returns a page of the scenarios that a caller may read, the newest first. @throws {EngineUnavailable} */
export async function findScenarios(
  { orm }: Database,
  reader: ScenarioReader,
  window: RowWindow<ScenarioPlace>,
): Promise<readonly SavedScenario[]> {
  const { past, order } = keyset([simulationScenario.createdAt, simulationScenario.id], 'descending', window, ({ createdAt, id }) => [
    createdAt,
    id,
  ])
  const rows = await orm
    .select(columns)
    .from(simulationScenario)
    .where(and(visibleTo(reader), past))
    .orderBy(...order)
    .limit(window.limit)
  return rows.map(scenarioOf)
}

export async function countScenarios({ orm }: Database, reader: ScenarioReader): Promise<number> {
  const [row] = await orm.select({ total: count() }).from(simulationScenario).where(visibleTo(reader))
  return row?.total ?? 0
}

/** Returns those of the scenarios that exist and that a caller may read, in any order. @throws {EngineUnavailable} */
export async function scenariosById(orm: Queryable, ids: readonly string[], reader: ScenarioReader): Promise<readonly SavedScenario[]> {
  const rows = await orm
    .select(columns)
    .from(simulationScenario)
    .where(and(inArray(simulationScenario.id, [...ids]), visibleTo(reader)))
  return rows.map(scenarioOf)
}

/**
 * Saves a scenario of an account; one of the same name is replaced.
 * @throws {Fault} LIMIT_EXCEEDED if the account has saved the maximum of scenarios or bytes
 */
export async function saveScenario(
  tx: Transaction,
  author: Pick<ScenarioReader, 'issuer' | 'subject'>,
  { name, inputs }: Pick<SavedScenario, 'name' | 'inputs'>,
): Promise<SavedScenario> {
  // the limits below count what concurrent requests of the account have saved
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify(['scenarios', author.issuer, author.subject])}, 0))`)
  const values = { name, inputs, groupId: inputs.groupId, named: namesIn(inputs) }
  const [row] = await tx
    .insert(simulationScenario)
    .values({ ...values, ...author, id: randomUUID() })
    .onConflictDoUpdate({
      target: [simulationScenario.issuer, simulationScenario.subject, simulationScenario.name],
      set: { ...values, updatedAt: sql`now()` },
    })
    .returning(columns)
  if (row === undefined) throw new Error('a saved scenario was not returned')
  const [saved] = await tx
    .select({ total: count(), bytes: sql<number>`coalesce(sum(octet_length(${simulationScenario.inputs}::text)), 0)::integer` })
    .from(simulationScenario)
    .where(ownedBy(author))
  const { total = 0, bytes = 0 } = saved ?? {}
  if (total > maxScenarios)
    throw new Fault(
      'LIMIT_EXCEEDED',
      `An account may save at most ${maxScenarios} scenarios: delete one, or use the name of one to replace it`,
    )
  if (bytes > maxScenarioBytes)
    throw new Fault(
      'LIMIT_EXCEEDED',
      `The scenarios of an account may have at most ${maxScenarioBytes} bytes in total: delete one, or name fewer citizens`,
    )
  return scenarioOf(row)
}

/** @throws {Fault} CONFLICT if the author has another scenario of this name */
export async function renameScenario(tx: Transaction, { id, issuer, subject }: SavedScenario, name: string): Promise<SavedScenario> {
  const [other] = await tx
    .select({ id: simulationScenario.id })
    .from(simulationScenario)
    .where(and(ownedBy({ issuer, subject }), eq(simulationScenario.name, name), ne(simulationScenario.id, id)))
  if (other !== undefined) throw new Fault('CONFLICT', 'Another scenario has this name: enter another one')
  const [row] = await tx
    .update(simulationScenario)
    .set({ name, updatedAt: sql`now()` })
    .where(eq(simulationScenario.id, id))
    .returning(columns)
  if (row === undefined) throw new Fault('CONFLICT', 'The scenario was deleted in the meantime')
  return scenarioOf(row)
}

export async function deleteScenario(tx: Transaction, id: string): Promise<void> {
  await tx.delete(simulationScenario).where(eq(simulationScenario.id, id))
}

const namesIn = ({ directVoters, add, remove }: ScenarioInputs): string[] => [
  ...new Set([
    ...directVoters,
    ...add.flatMap(({ delegator, delegate }) => [delegator, delegate]),
    ...remove.ids,
    ...remove.delegators,
    ...remove.delegates,
  ]),
]

const naming = (names: readonly string[]): SQL => sql`${simulationScenario.named} && ${sql.param([...names])}::text[]`

/** Returns the number of scenarios that name a citizen or a delegation. */
export const countNaming = ({ orm }: Database, names: readonly string[]): Promise<number> => orm.$count(simulationScenario, naming(names))

/** Removes a citizen and delegations from all scenarios. Returns the number of changed scenarios. */
export async function eraseFromScenarios(tx: Transaction, names: readonly string[]): Promise<number> {
  const rows = await tx.select(columns).from(simulationScenario).where(naming(names)).for('update')
  const isKept = (name: string): boolean => !names.includes(name)
  for (const row of rows) {
    const { inputs } = scenarioOf(row)
    const { directVoters, add, remove } = inputs
    const remaining: ScenarioInputs = {
      ...inputs,
      directVoters: directVoters.filter(isKept),
      add: add.filter(({ delegator, delegate }) => isKept(delegator) && isKept(delegate)),
      remove: {
        ids: remove.ids.filter(isKept),
        delegators: remove.delegators.filter(isKept),
        delegates: remove.delegates.filter(isKept),
      },
    }
    await tx
      .update(simulationScenario)
      .set({ inputs: remaining, named: namesIn(remaining) })
      .where(eq(simulationScenario.id, row.id))
  }
  return rows.length
}

import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { CitizenPseudonyms } from '../../../engines/citizen-data/citizen-pseudonyms.ts'
import { isPseudonym } from '../../../engines/citizen-data/citizen-pseudonyms.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { and, eq, inArray, type SQL, sql } from '../../../engines/relational/drizzle.ts'
import { keyset } from '../../../engines/relational/keyset.ts'
import type { RowWindow } from '../../../foundation/row-window.ts'
import { groupsWithin } from '../roles.ts'
import { type CitizenStatus, erasedCitizen, registeredCitizen, registeredCitizenGroup, registeredOutcome } from '../tables.ts'

/** Filter for citizens. `groups` is the caller's scope and is part of every statement. */
export interface CitizenFilter {
  readonly groups: readonly string[] | 'all'
  readonly group?: string | undefined
  readonly status?: CitizenStatus | undefined
  readonly codePrefix?: string | undefined
  readonly isErased?: boolean | undefined
}

/** Returns the codes of a page, in the order of codes (Unicode code points). @throws {EngineUnavailable} */
export async function findCitizens(database: Database, filter: CitizenFilter, window: RowWindow<string>): Promise<readonly string[]> {
  const groups = groupsWithin(filter)
  if (groups.length === 0) return []
  const { orm } = database
  const [only, second] = groups
  if (groups === 'all' || (only !== undefined && second === undefined)) {
    const { code, verification } = groups === 'all' ? registeredCitizen : registeredCitizenGroup
    const { past, order } = keyset([code], 'ascending', window, (place) => [place])
    const inGroup = groups === 'all' ? undefined : eq(registeredCitizenGroup.groupId, only ?? '')
    const rows = await orm
      .select({ code })
      .from(groups === 'all' ? registeredCitizen : registeredCitizenGroup)
      .where(and(inGroup, ...conditions({ code, verification }, filter), past))
      .orderBy(...order)
      .limit(window.limit)
    return rows.map((row) => row.code)
  }
  // reads one page per group from its index, then merges them
  const { code, groupId } = registeredCitizenGroup
  const { past, order } = keyset([code], 'ascending', window, (place) => [place])
  const perGroup = orm
    .select({ code })
    .from(registeredCitizenGroup)
    .where(and(sql`${groupId} = wanted.group_id`, ...conditions(registeredCitizenGroup, filter), past))
    .orderBy(...order)
    .limit(window.limit)
    .as('page')
  const rows = await orm
    .selectDistinct({ code: perGroup.code })
    .from(sql`unnest(${sql.param([...groups])}::text[]) as wanted (group_id)`)
    .crossJoinLateral(perGroup)
    .orderBy(sql`1 ${sql.raw(window.isBackward === true ? 'desc' : 'asc')}`)
    .limit(window.limit)
  return rows.map((row) => row.code)
}

/** Counts citizens by scanning an index. @throws {EngineUnavailable} */
export async function countCitizens({ orm }: Database, filter: CitizenFilter): Promise<number> {
  const groups = groupsWithin(filter)
  if (groups === 'all') return orm.$count(registeredCitizen, and(...conditions(registeredCitizen, filter)))
  if (groups.length === 0) return 0
  const [row] = await orm
    .select({ total: sql<string>`count(distinct ${registeredCitizenGroup.code})` })
    .from(registeredCitizenGroup)
    .where(and(inArray(registeredCitizenGroup.groupId, [...groups]), ...conditions(registeredCitizenGroup, filter)))
  return Number(row?.total ?? 0)
}

/** An entry of the register. Counts and groups are those that the caller may see. */
export interface Registration {
  readonly code: string
  readonly verification: CitizenStatus
  readonly verifiedAt: Date | null
  readonly expiresOn: string | null
  /** null after an erasure */
  readonly registeredAt: Date | null
  readonly erasedAt: Date | null
  readonly activeGiven: number
  readonly activeReceived: number
  readonly groups: readonly string[]
}

const maxGroups = 100

/** Returns the entries of these citizens that the caller may see, in two statements. @throws {EngineUnavailable} */
export async function registrationsOf(
  { database, pseudonyms }: { readonly database: Database; readonly pseudonyms: CitizenPseudonyms },
  codes: readonly string[],
  groups: readonly string[] | 'all',
): Promise<ReadonlyMap<string, Registration>> {
  const inGroups = groups === 'all' ? undefined : inArray(registeredCitizenGroup.groupId, [...groups])
  const [rows, counted, erased] = await Promise.all([
    database.orm
      .select()
      .from(registeredCitizen)
      .where(inArray(registeredCitizen.code, [...codes])),
    groups.length === 0
      ? []
      : database.orm
          .select({
            code: registeredCitizenGroup.code,
            activeGiven: sql<number>`sum(${registeredCitizenGroup.activeGiven})::float8`,
            activeReceived: sql<number>`sum(${registeredCitizenGroup.activeReceived})::float8`,
            groups: sql<
              string[]
            >`(array_agg(${registeredCitizenGroup.groupId} order by ${registeredCitizenGroup.groupId}))[1:${sql.raw(String(maxGroups))}]`,
          })
          .from(registeredCitizenGroup)
          .where(and(inArray(registeredCitizenGroup.code, [...codes]), inGroups))
          .groupBy(registeredCitizenGroup.code),
    erasuresOf(database, pseudonyms, codes),
  ])
  const countsOf = new Map(counted.map((each) => [each.code, each]))
  const rowOf = new Map(rows.map((each) => [each.code, each]))
  return new Map(
    codes.flatMap((code) => {
      const [row, counts, erasedAt] = [rowOf.get(code), countsOf.get(code), erased.get(code) ?? null]
      if (groups === 'all' ? row === undefined && erasedAt === null : counts === undefined) return []
      const { verification = 'unverified', verifiedAt = null, expiresOn = null, registeredAt = null } = row ?? {}
      const { activeGiven = 0, activeReceived = 0, groups: its = [] } = counts ?? {}
      return [[code, { code, verification, verifiedAt, expiresOn, registeredAt, erasedAt, activeGiven, activeReceived, groups: its }]]
    }),
  )
}

/** Returns the times at which citizens were erased, by code or pseudonym. */
async function erasuresOf({ orm }: Database, pseudonyms: CitizenPseudonyms, codes: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  const codeOf = new Map(codes.map((code) => [isPseudonym(code) ? code : pseudonyms.of(code), code]))
  const rows = await orm
    .select()
    .from(erasedCitizen)
    .where(inArray(erasedCitizen.pseudonym, [...codeOf.keys()]))
  return new Map(rows.map(({ pseudonym, erasedAt }) => [codeOf.get(pseudonym) ?? '', erasedAt]))
}

/** Position of an outcome in the history of a citizen. */
export interface OutcomePlace {
  readonly at: Date
  readonly jobId: string
}
export type OutcomeRow = typeof registeredOutcome.$inferSelect

/** Returns the outcomes of a citizen, newest first. @throws {EngineUnavailable} */
export function findOutcomes({ orm }: Database, code: string, window: RowWindow<OutcomePlace>): Promise<readonly OutcomeRow[]> {
  const { past, order } = keyset([registeredOutcome.at, registeredOutcome.jobId], 'descending', window, ({ at, jobId }) => [at, jobId])
  return orm
    .select()
    .from(registeredOutcome)
    .where(and(eq(registeredOutcome.code, code), past))
    .orderBy(...order)
    .limit(window.limit)
}

/** Counts the outcomes of a citizen. */
export const countOutcomes = ({ orm }: Database, code: string): Promise<number> =>
  orm.$count(registeredOutcome, eq(registeredOutcome.code, code))

const lastCharacter = '\u{10ffff}'
/** pseudonyms of erased citizens begin with it */
const pseudonymPrefix = 'citizen:'

function conditions(
  { code, verification }: { readonly code: AnyPgColumn; readonly verification: AnyPgColumn },
  { status, codePrefix, isErased }: CitizenFilter,
): readonly (SQL | undefined)[] {
  const begins = (prefix: string): SQL => sql`${code} >= ${prefix} and ${code} < ${prefix + lastCharacter}`
  const isPseudonymous = sql`${code} ~ '^citizen:[A-Za-z0-9_-]{43}$'`
  return [
    status === undefined ? undefined : eq(verification, status),
    codePrefix === undefined ? undefined : begins(codePrefix),
    isErased === undefined ? undefined : isErased ? and(begins(pseudonymPrefix), isPseudonymous) : sql`not ${isPseudonymous}`,
  ]
}

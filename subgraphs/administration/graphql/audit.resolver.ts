import { Arg, Args, ArgsType, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql'
import type { AuditTrail } from '../../../engines/audit/audit-trail.ts'
import { type AuditFilter, countAudit, findAudit, readAudit } from '../../../engines/audit/read-audit.ts'
import type { CitizenPseudonyms } from '../../../engines/citizen-data/citizen-pseudonyms.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { InvalidInput } from '../../../foundation/fault.ts'
import { Authorise, userWith } from '../../../foundation/graphql/authorisation.ts'
import { pageOf } from '../../../foundation/graphql/connection.ts'
import { Cursors, foreignCursor } from '../../../foundation/graphql/cursors.ts'
import { loader } from '../../../foundation/graphql/loader.ts'
import { pageArguments, pageWindow } from '../../../foundation/graphql/page-window.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { both } from '../../../foundation/validation/both.ts'
import { renamed } from '../../../foundation/validation/renamed.ts'
import { isStorableMoment, isStorableText } from '../../../foundation/validation/values.ts'
import { exclusive, sentenceOf, tooLong, tooMany, unstorable, type Violation } from '../../../foundation/validation/violation.ts'
import { Administrator } from './administrator.type.ts'
import { AuditFilterInput, AuditRecord, AuditRecordConnection, typeOfRecord } from './audit.type.ts'
import type { FindAdministrators } from './find-administrators.ts'

const readers = [userWith('super_admin')] as const
const records = { defaultSize: 20, maxSize: 1000 } as const

@ArgsType()
class RecordsArgs extends pageArguments(records) {}

/** The audit trail, for super_admins; reading it is audited. */
@Resolver(() => AuditRecord)
export class AuditResolver {
  readonly #database: Database
  readonly #audit: AuditTrail
  readonly #people: FindAdministrators
  readonly #pseudonyms: CitizenPseudonyms

  constructor(database: Database, audit: AuditTrail, people: FindAdministrators, pseudonyms: CitizenPseudonyms) {
    this.#pseudonyms = pseudonyms
    this.#database = database
    this.#audit = audit
    this.#people = people
  }

  @Query(() => AuditRecordConnection, { description: 'Actions performed and refused on the platform, latest first.' })
  @Authorise(...readers)
  async auditTrail(
    @Arg('filter', () => AuditFilterInput, { nullable: true, description: 'Restricts the list.' }) filter:
      | AuditFilterInput
      | null
      | undefined,
    @Args(() => RecordsArgs) args: RecordsArgs,
    @Ctx() context: RequestContext,
  ): Promise<AuditRecordConnection> {
    const cursors = new Cursors(['auditTrail'], filter)
    const windowOf = () =>
      pageWindow(args, records, (cursor, argument) => {
        const [place] = cursors.placeOf(cursor, 1, argument)
        if (Number.isSafeInteger(place)) return Number(place)
        throw foreignCursor(argument)
      })
    const [window, checked] = await both(windowOf, () => filterOf(filter ?? {}, this.#pseudonyms))
    const wanted = await this.#withSubject(checked)
    const rows = await readAudit(this.#database, wanted, window)
    // recorded after the read, so that a page does not contain its own entry
    await this.#audit.record(context, [{ action: 'audit.read', outcome: 'done', details: { ...wanted, first: window.size } }])
    const page = pageOf(rows.map(typeOfRecord), window, ({ id }) => cursors.of(Number(id)))
    return { ...page, count: () => countAudit(this.#database, wanted) }
  }

  /** Replaces the person of a filter by a subject identifier. */
  async #withSubject({ person, ...filter }: RequestedFilter): Promise<AuditFilter> {
    if (person === undefined) return filter
    // an unknown address matches nothing, and is not recorded
    return { ...filter, subject: (await this.#people.subjectOf(person)) ?? (person.includes('@') ? '' : person) }
  }

  @FieldResolver(() => Administrator, {
    nullable: true,
    description: 'The administrator who performed the action; null for a service and for an account that the platform does not know.',
  })
  @Authorise(...readers)
  async administrator(@Root() { subject }: AuditRecord, @Ctx() context: RequestContext): Promise<Administrator | null> {
    return subject === null ? null : this.#people.byId(subject, context)
  }

  /** Returns an entry by number, batched per request; null when the caller may not read the audit trail. */
  async find(id: string, context: RequestContext): Promise<AuditRecord | null> {
    if (!readers.some((rule) => rule.allows(context.principal, undefined)) || !/^[1-9]\d{0,14}$/.test(id)) return null
    return loader<string, AuditRecord | null>(context, 'audit records', async (ids) => {
      const rows = new Map((await findAudit(this.#database, ids.map(Number))).map((row) => [String(row.id), typeOfRecord(row)]))
      await this.#audit.record(context, [{ action: 'audit.read', outcome: 'done', details: { records: ids } }])
      return ids.map((each) => rows.get(each) ?? null)
    }).load(id)
  }
}

/** A filter whose person is still a subject identifier or an e-mail address. */
type RequestedFilter = AuditFilter & { readonly person?: string }

/** @throws {InvalidInput} for a value that no entry can have */
function filterOf(filter: AuditFilterInput, pseudonyms: CitizenPseudonyms): RequestedFilter {
  const members: readonly [string, unknown][] = Object.entries(filter).filter(([, value]) => value != null)
  const violations = members.flatMap(([member, value]) => violationsOf(member, value))
  const { name: fromMember, value: since } = renamed(filter, 'from', 'since', violations)
  const { name: toMember, value: until } = renamed(filter, 'to', 'until', violations)
  if (filter.citizenCode != null && filter.target != null)
    violations.push(exclusive(['citizenCode'], '`citizenCode` cannot be combined with `target`'))
  if (since != null && until != null && since > until)
    violations.push({ code: 'wrong_order', path: [fromMember], message: `should not be after ${toMember}` })
  if (violations.length > 0) throw new InvalidInput(violations.map(sentenceOf).join('; '), violations)
  const { from: _from, to: _to, citizenCode: _code, ...conditions } = Object.fromEntries(members)
  const target = filter.citizenCode == null ? {} : { target: pseudonyms.of(filter.citizenCode) }
  return { ...conditions, ...target, ...(since != null && { since }), ...(until != null && { until }) }
}

/** longer than any recorded name, id or digest */
const maxLength = 500
const maxActions = 100

function violationsOf(member: string, value: unknown): readonly Violation[] {
  if (Array.isArray(value))
    return value.length > maxActions ? [tooMany([member], maxActions, value.length)] : value.flatMap((each) => violationsOf(member, each))
  if (value instanceof Date)
    return isStorableMoment(value)
      ? []
      : [{ code: 'out_of_range', path: [member], message: 'Input should be in the years 1 to 9999 of UTC' }]
  if (String(value).length > maxLength) return [tooLong([member], maxLength)]
  return isStorableText(String(value)) ? [] : [unstorable([member])]
}

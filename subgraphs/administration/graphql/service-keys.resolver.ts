import { Arg, Args, ArgsType, Ctx, Mutation, Query, Resolver } from 'type-graphql'
import type { AuditAction } from '../../../engines/audit/audit-actions.ts'
import type { AuditTrail } from '../../../engines/audit/audit-trail.ts'
import type { Queryable } from '../../../engines/relational/database.ts'
import { Fault, refuseViolations } from '../../../foundation/fault.ts'
import { Authorise, userWith } from '../../../foundation/graphql/authorisation.ts'
import { pageOf } from '../../../foundation/graphql/connection.ts'
import { Cursors, foreignCursor } from '../../../foundation/graphql/cursors.ts'
import { pageArguments, pageWindow } from '../../../foundation/graphql/page-window.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { serviceScopes } from '../../../foundation/principal.ts'
import { isStorableText } from '../../../foundation/validation/values.ts'
import { outOfRange, required, wrongPattern } from '../../../foundation/validation/violation.ts'
import type { ServiceKeyList } from '../service-keys/service-key-list.ts'
import {
  CreateServiceKeyInput,
  CreateServiceKeyPayload,
  RevokeServiceKeyInput,
  RevokeServiceKeyPayload,
  RotateServiceKeyInput,
  RotateServiceKeyPayload,
  type ServiceKey,
  ServiceKeyConnection,
} from './service-key.type.ts'

/** as the command line accepts it */
const namePattern = /^[\w.-]{1,64}$/
const maxOverlapHours = 8760
const readers = userWith('super_admin')
const keysOfPage = { defaultSize: 20, maxSize: 100 } as const

@ArgsType()
class ServiceKeysArgs extends pageArguments(keysOfPage) {}

/** Service keys, for super_admins; reading them is audited. */
@Resolver()
export class ServiceKeysResolver {
  readonly #keys: ServiceKeyList
  readonly #audit: AuditTrail

  constructor(keys: ServiceKeyList, audit: AuditTrail) {
    this.#keys = keys
    this.#audit = audit
  }

  @Query(() => ServiceKeyConnection, {
    description: 'Service keys: first those of the database, newest first and including expired ones, then those of the settings.',
  })
  @Authorise(readers)
  async serviceKeys(@Args(() => ServiceKeysArgs) args: ServiceKeysArgs, @Ctx() context: RequestContext): Promise<ServiceKeyConnection> {
    const cursors = new Cursors(['serviceKeys'])
    const window = pageWindow(args, keysOfPage, (cursor, argument) => cursors.idOf(cursor, argument, isStorableText))
    const keys = await this.#keys.list()
    await this.#audit.record(context, [{ action: 'service-keys.read', outcome: 'done', details: { first: window.size } }])
    const inOrder = window.isBackward ? keys.toReversed() : keys
    // the list is small enough to read at once
    const from = window.beyond === undefined ? 0 : inOrder.findIndex(({ id }) => id === window.beyond) + 1
    // a key may have been removed from the settings since
    if (window.beyond !== undefined && from === 0) throw foreignCursor(window.isBackward ? 'before' : 'after')
    const page = pageOf(inOrder.slice(from, from + window.limit), window, ({ id }) => cursors.of(id))
    return { ...page, count: async () => keys.length }
  }

  @Mutation(() => CreateServiceKeyPayload, { description: 'Creates a service key with a callback secret; both are returned once.' })
  @Authorise(readers)
  async createServiceKey(
    @Arg('input', () => CreateServiceKeyInput) { name, scopes }: CreateServiceKeyInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateServiceKeyPayload> {
    const wanted = [...new Set(scopes)]
    refuseViolations([
      ...(namePattern.test(name) ? [] : [wrongPattern(['name'], 'Input should be 1 to 64 letters, digits, _ . or -')]),
      ...(wanted.length === 0 ? [required(['scopes'])] : []),
    ])
    this.#refuseConfigured(name)
    const made = await this.#keys.create(name, wanted, (tx) => this.#note('service-key.create', name, { scopes: wanted }, context, tx))
    return { secrets: { ...made, scopes: wanted } }
  }

  @Mutation(() => RotateServiceKeyPayload, {
    description: 'Creates a new key and callback secret for a service; the former ones remain valid for some hours.',
  })
  @Authorise(readers)
  async rotateServiceKey(
    @Arg('input', () => RotateServiceKeyInput) { name, overlapHours }: RotateServiceKeyInput,
    @Ctx() context: RequestContext,
  ): Promise<RotateServiceKeyPayload> {
    refuseViolations(overlapHours < 0 || overlapHours > maxOverlapHours ? [outOfRange(['overlapHours'], 0, maxOverlapHours)] : [])
    this.#refuseConfigured(name)
    const made = await this.#keys.rotate(name, overlapHours, (tx) => this.#note('service-key.rotate', name, { overlapHours }, context, tx))
    return { secrets: { ...made, scopes: serviceScopes.filter((scope) => made.scopes.includes(scope)) } }
  }

  @Mutation(() => RevokeServiceKeyPayload, { description: 'Revokes the keys of a service; every process refuses them within 5 seconds.' })
  @Authorise(readers)
  async revokeServiceKey(
    @Arg('input', () => RevokeServiceKeyInput) { name }: RevokeServiceKeyInput,
    @Ctx() context: RequestContext,
  ): Promise<RevokeServiceKeyPayload> {
    this.#refuseConfigured(name)
    await this.#keys.revoke(name, (tx) => this.#note('service-key.revoke', name, {}, context, tx))
    return { name }
  }

  #refuseConfigured(name: string): void {
    if (this.#keys.isConfigured(name)) throw new Fault('CONFLICT', `${name} is a key in VERIFICATION_API_KEYS: change that setting instead`)
  }

  #note(
    action: AuditAction,
    target: string,
    details: Readonly<Record<string, unknown>>,
    context: RequestContext,
    tx: Queryable,
  ): Promise<void> {
    return this.#audit.record(context, [{ action, outcome: 'done', target, details }], tx)
  }

  /** Returns a key by id; null when it is unknown or the caller may not read keys. */
  async find(id: string, context: RequestContext): Promise<ServiceKey | null> {
    if (!readers.allows(context.principal, undefined)) return null
    const match = (await this.#keys.list()).find((key) => key.id === id)
    if (match !== undefined) await this.#audit.record(context, [{ action: 'service-keys.read', outcome: 'done', target: id, details: {} }])
    return match ?? null
  }
}

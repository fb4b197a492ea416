import { Args, ArgsType, Ctx, Query, Resolver } from 'type-graphql'
import type { AuditTrail } from '../../../engines/audit/audit-trail.ts'
import { Authorise, userWith } from '../../../foundation/graphql/authorisation.ts'
import { pageOf } from '../../../foundation/graphql/connection.ts'
import { Cursors, foreignCursor } from '../../../foundation/graphql/cursors.ts'
import { pageArguments, pageWindow } from '../../../foundation/graphql/page-window.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { isStorableText } from '../../../foundation/validation/values.ts'
import type { ServiceKeyList } from '../service-keys/service-key-list.ts'
import { type ServiceKey, ServiceKeyConnection } from './service-key.type.ts'

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

  /** Returns a key by id; null when it is unknown or the caller may not read keys. */
  async find(id: string, context: RequestContext): Promise<ServiceKey | null> {
    if (!readers.allows(context.principal, undefined)) return null
    const match = (await this.#keys.list()).find((key) => key.id === id)
    if (match !== undefined) await this.#audit.record(context, [{ action: 'service-keys.read', outcome: 'done', target: id, details: {} }])
    return match ?? null
  }
}

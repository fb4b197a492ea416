import { Args, ArgsType, Ctx, Query, Resolver } from 'type-graphql'
import type { AuditTrail } from '../../../engines/audit/audit-trail.ts'
import { Authorise, userWith } from '../../../foundation/graphql/authorisation.ts'
import { pageOf } from '../../../foundation/graphql/connection.ts'
import { Cursors, foreignCursor } from '../../../foundation/graphql/cursors.ts'
import { pageArguments, pageWindow } from '../../../foundation/graphql/page-window.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { isStorableText } from '../../../foundation/validation/storable.ts'
import type { ServiceKeyList } from '../service-keys/service-key-list.ts'
import { type ServiceKey, ServiceKeyConnection } from './service-key.type.ts'

const readers = userWith('super_admin')
const keysOfPage = { usual: 50, most: 100 } as const

@ArgsType()
class ServiceKeysArgs extends pageArguments(keysOfPage) {}

/** Which services may ask, for super_admins; that they looked is in the trail. */
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
    // few enough to be read at once
    const from = window.beyond === undefined ? 0 : inOrder.findIndex(({ id }) => id === window.beyond) + 1
    // one of the settings may have been taken away
    if (window.beyond !== undefined && from === 0) throw foreignCursor(window.isBackward ? 'before' : 'after')
    const page = pageOf(inOrder.slice(from, from + window.limit), window, ({ id }) => cursors.of(id))
    return { ...page, count: async () => keys.length }
  }

  /** A key by its id, for whoever may see all of them; null where there is none. */
  async find(id: string, context: RequestContext): Promise<ServiceKey | null> {
    if (!readers.allows(context.principal, undefined)) return null
    const found = (await this.#keys.list()).find((key) => key.id === id)
    if (found !== undefined) await this.#audit.record(context, [{ action: 'service-keys.read', outcome: 'done', target: id, details: {} }])
    return found ?? null
  }
}

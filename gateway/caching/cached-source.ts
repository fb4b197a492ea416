import { type ExecutionResult, GraphQLError } from 'graphql'
import { z } from 'zod'
import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import type { Principal } from '../../foundation/principal.ts'
import { type Entity, isEntity } from '../operation/entity.ts'
import { textCache } from '../operation/text-cache.ts'
import type { SourceRequest, SubgraphSource } from '../sources/subgraph-source.ts'
import type { EntityKeys } from '../supergraph/entity-keys.ts'
import type { CachePolicy, PolicyRules } from './cache-policy.ts'
import { digestOf, type EntityCache, entityMark, typeMark } from './entity-cache.ts'
import { type EntityQuery, entityQuery } from './entity-query.ts'

export interface CachedSourceOptions {
  /** name of the subgraph */
  readonly name: string
  readonly cache: EntityCache
  readonly rules: PolicyRules & { readonly keysOf: EntityKeys }
  /** identifies the supergraph whose entities may be shared */
  readonly schemaHash: string
  /** called with the numbers of cache hits and of cacheable misses */
  readonly onLookup?: ((hits: number, misses: number) => void) | undefined
}

/** A cacheable entity of a fetch. */
interface CacheableEntity {
  readonly key: string
  readonly policy: CachePolicy
  /** marks that change with it: one of its type, and one per key */
  readonly marks: readonly string[]
  /** indices of its representations */
  readonly places: number[]
}

/** A stored entity; a zod record would lose `__proto__`, a possible response name. */
const StoredEntity = z.object({ marks: z.array(z.string()), entity: z.custom<Entity>(isEntity) })

/** Larger fetches bypass the store. */
const maxRepresentations = 500
const maxQueries = 1000
/** maximum wait for the same entity of another request, which may be cancelled */
const sharedMs = 5000

/**
 * Wraps a subgraph with the entity cache. Fetches only missing entities, and waits for those that another request is fetching; responses with errors
 * are not cached.
 */
export function cachedSource(source: SubgraphSource, options: CachedSourceOptions): SubgraphSource {
  const { cache, rules, onLookup } = options
  const queries = textCache<{ readonly query: EntityQuery | undefined }>(maxQueries)
  /** pending fetches by entity; undefined if a fetch failed */
  const fetching = new Map<string, Promise<string | undefined>>()

  const queryOf = (text: string): EntityQuery | undefined => {
    const cached = queries.get(text) ?? { query: entityQuery(text, rules) }
    queries.set(text, cached)
    return cached.query
  }

  const answered = async (
    request: SourceRequest,
    representations: readonly unknown[],
    cacheable: readonly CacheableEntity[],
  ): Promise<ExecutionResult> => {
    const stored = await cache.read([...new Set(cacheable.flatMap(({ key, marks }) => [key, ...marks]))])
    const entities: unknown[] = representations.map(() => null)
    const put = (text: string, { places }: CacheableEntity): void => {
      for (const place of places) entities[place] = JSON.parse(text)
    }
    const leading: {
      readonly each: CacheableEntity
      readonly marks: readonly string[]
      readonly id: string
      readonly done: PromiseWithResolvers<string | undefined>
    }[] = []
    const following: { readonly each: CacheableEntity; readonly text: Promise<string | undefined> }[] = []
    for (const each of cacheable) {
      const marks = stored === undefined ? [`unread ${cache.changes}`] : each.marks.map((mark) => stored.get(mark) ?? '')
      const entityText = validEntity(stored?.get(each.key), marks)
      if (entityText !== undefined) {
        put(entityText, each)
        continue
      }
      const id = [each.key, ...marks].join()
      const shared = fetching.get(id)
      if (shared !== undefined) following.push({ each, text: shared })
      else {
        const done = Promise.withResolvers<string | undefined>()
        fetching.set(id, done.promise)
        leading.push({ each, marks, id, done })
      }
    }
    onLookup?.(cacheable.length - leading.length - following.length, leading.length + following.length)

    const errors: GraphQLError[] = []
    /** @returns whether all entities at these positions may be cached */
    const fetch = async (places: readonly number[]): Promise<boolean> => {
      if (places.length === 0) return true
      const variables = { ...request.variables, representations: places.map((place) => representations[place]) }
      const result = await source.fetch({ ...request, variables })
      errors.push(...(result.errors ?? []).map((error) => placed(error, places)))
      const fetched = result.data?._entities
      if (result.data != null && (!Array.isArray(fetched) || fetched.length !== places.length))
        throw new Error(`Expected "data._entities" to contain ${places.length} elements`)
      if (Array.isArray(fetched)) for (const [index, place] of places.entries()) entities[place] = fetched[index]
      return (result.errors ?? []).length === 0 && result.data != null
    }
    try {
      const cacheablePlaces = new Set(cacheable.flatMap(({ places }) => places))
      const others = representations.flatMap((_, place) => (cacheablePlaces.has(place) ? [] : [place]))
      const own = leading.flatMap(({ each }) => each.places)
      const isWhole = await fetch([...others, ...own].toSorted((a, b) => a - b))
      for (const { each, marks, done } of leading) {
        const entity = entities[each.places[0] ?? 0]
        if (!isWhole || entity === null || entity === undefined) continue
        done.resolve(JSON.stringify(entity))
        if (stored !== undefined) cache.write(each.key, JSON.stringify({ marks, entity }), each.policy.maxAge)
      }
    } finally {
      for (const { id, done } of leading) {
        fetching.delete(id)
        done.resolve(undefined)
      }
    }
    const missing: number[] = []
    for (const { each, text } of following) {
      const timeoutError = (): Error => new Error('the shared request took too long')
      const shared = await withTimeout(text, sharedMs, request.context.signal, timeoutError).catch(() => undefined)
      if (shared === undefined) missing.push(...each.places)
      else put(shared, each)
    }
    await fetch(missing.toSorted((a, b) => a - b))
    return { data: { _entities: entities }, ...(errors.length === 0 ? {} : { errors }) }
  }

  return {
    ...source,
    fetch(request) {
      const { representations } = request.variables
      if (!Array.isArray(representations) || representations.length > maxRepresentations) return source.fetch(request)
      const query = queryOf(request.query)
      const cacheable = query === undefined ? [] : cacheableEntities(request, query, representations, options)
      return cacheable.length === 0 ? source.fetch(request) : answered(request, representations, cacheable)
    },
  }
}

/** Returns the cacheable entities; a change of any key invalidates an entity. */
function cacheableEntities(
  { variables: { representations: _, ...variables }, context: { principal } }: SourceRequest,
  query: EntityQuery,
  representations: readonly unknown[],
  { name, rules: { keysOf }, schemaHash }: CachedSourceOptions,
): readonly CacheableEntity[] {
  const byKey = new Map<string, CacheableEntity>()
  for (const [place, representation] of representations.entries()) {
    if (typeof representation !== 'object' || representation === null || !('__typename' in representation)) continue
    const type = String(representation.__typename)
    const policy = query.policyOf(type)
    const caller = policy?.scope === 'PRIVATE' ? callerOf(principal) : []
    if (policy === undefined || caller === undefined) continue
    const key = `entities:${digestOf([schemaHash, name, query.text, variables, representation, caller])}`
    const entity = byKey.get(key)
    if (entity !== undefined) entity.places.push(place)
    else byKey.set(key, { key, policy, marks: [typeMark(type), ...entityMarks(type, representation, keysOf)], places: [place] })
  }
  return [...byKey.values()]
}

function entityMarks(type: string, representation: object, keysOf: EntityKeys): readonly string[] {
  const fields = new Map(Object.entries(representation))
  return keysOf(type)
    .filter((names) => names.every((name) => fields.has(name)))
    .map((names) => entityMark(type, Object.fromEntries(names.map((name) => [name, fields.get(name)]))))
}

/** Returns everything that a subgraph may learn about a caller; undefined for an anonymous caller. */
function callerOf({ user, service, accessLink, forwarded = {} }: Principal): readonly unknown[] | undefined {
  if (user === undefined && service === undefined && accessLink === undefined && Object.keys(forwarded).length === 0) return undefined
  const { issuer, subject, roles, groups, scopes, tenant, citizenCode } = user ?? {}
  return [issuer, subject, roles, groups, scopes, tenant, citizenCode, service, accessLink, forwarded]
}

/** @returns the text of the entity; undefined if it is outdated or invalid */
function validEntity(text: string | undefined, marks: readonly string[]): string | undefined {
  if (text === undefined) return undefined
  try {
    const stored = StoredEntity.safeParse(JSON.parse(text))
    return stored.success && stored.data.marks.join() === marks.join() ? JSON.stringify(stored.data.entity) : undefined
  } catch {
    return undefined
  }
}

/** Maps an error of a partial fetch to the whole fetch. */
function placed(error: GraphQLError, places: readonly number[]): GraphQLError {
  const [root, index, ...rest] = error.path ?? []
  const place = typeof index === 'number' ? places[index] : undefined
  if (root === undefined || place === undefined) return error
  const { message, extensions, originalError } = error
  return new GraphQLError(message, { path: [root, place, ...rest], extensions, originalError })
}

import { type ExecutionResult, GraphQLError } from 'graphql'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import type { Principal } from '../../foundation/principal.ts'
import { type Entity, isEntity } from '../planning/steps/entity.ts'
import type { SourceRequest, SubgraphSource } from '../sources/subgraph-source.ts'
import type { CachePolicy, PolicyRules } from './cache-policy.ts'
import { digestOf, type EntityCache, entityMark, typeMark } from './entity-cache.ts'
import type { EntityKeys } from './entity-keys.ts'
import { type EntityQuery, entityQuery } from './entity-query.ts'

export interface CachedSourceOptions {
  /** of the subgraph */
  readonly name: string
  readonly cache: EntityCache
  readonly rules: PolicyRules & { readonly keysOf: EntityKeys }
  /** equal for what is kept by the same supergraph */
  readonly schemaHash: string
  /** is told how many entities were there, and how many had to be fetched that may be kept */
  readonly noted?: ((hits: number, misses: number) => void) | undefined
}

/** One entity that a fetch asks for and that may be kept. */
interface Wanted {
  readonly key: string
  readonly policy: CachePolicy
  /** what changes when it does: its type's, and one for each of its keys */
  readonly marks: readonly string[]
  /** places of its representations */
  readonly places: number[]
}

/** What is in the store of one entity; a record of zod would lose `__proto__`, by which a client may call a field. */
const Kept = z.object({ marks: z.array(z.string()), entity: z.custom<Entity>(isEntity) })

/** Larger fetches go past the store. */
const maxRepresentations = 500
const maxQueries = 1000
/** longest time to wait for the same entity of another request, which may give up on it */
const sharedMs = 5000

/**
 * A subgraph whose entities are kept. A fetch asks it only for those that are not there, and of those that another request is fetching
 * it waits for that; nothing of an answer with errors is kept.
 */
export function cachedSource(source: SubgraphSource, options: CachedSourceOptions): SubgraphSource {
  const { cache, rules, noted } = options
  const queries = new LRUCache<string, { readonly query: EntityQuery | undefined }>({ max: maxQueries })
  /** texts of entities that are being fetched; undefined where that has failed */
  const fetching = new Map<string, Promise<string | undefined>>()

  const queryOf = (text: string): EntityQuery | undefined => {
    const known = queries.get(text) ?? { query: entityQuery(text, rules) }
    queries.set(text, known)
    return known.query
  }

  const answered = async (
    request: SourceRequest,
    representations: readonly unknown[],
    wanted: readonly Wanted[],
  ): Promise<ExecutionResult> => {
    const kept = await cache.read([...new Set(wanted.flatMap(({ key, marks }) => [key, ...marks]))])
    const entities: unknown[] = representations.map(() => null)
    const put = (text: string, { places }: Wanted): void => {
      for (const place of places) entities[place] = JSON.parse(text)
    }
    const leading: {
      readonly each: Wanted
      readonly marks: readonly string[]
      readonly id: string
      readonly done: PromiseWithResolvers<string | undefined>
    }[] = []
    const following: { readonly each: Wanted; readonly text: Promise<string | undefined> }[] = []
    for (const each of wanted) {
      const marks = kept === undefined ? [`unread ${cache.changes}`] : each.marks.map((mark) => kept.get(mark) ?? '')
      const there = keptIn(kept?.get(each.key), marks)
      if (there !== undefined) {
        put(there, each)
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
    noted?.(wanted.length - leading.length - following.length, leading.length + following.length)

    const errors: GraphQLError[] = []
    /** @returns whether all that came of these places may be kept */
    const fetch = async (places: readonly number[]): Promise<boolean> => {
      if (places.length === 0) return true
      const variables = { ...request.variables, representations: places.map((place) => representations[place]) }
      const result = await source.fetch({ ...request, variables })
      errors.push(...(result.errors ?? []).map((error) => placed(error, places)))
      const given = result.data?._entities
      if (result.data != null && (!Array.isArray(given) || given.length !== places.length))
        throw new Error(`Expected "data._entities" to contain ${places.length} elements`)
      if (Array.isArray(given)) for (const [index, place] of places.entries()) entities[place] = given[index]
      return (result.errors ?? []).length === 0 && result.data != null
    }
    try {
      const cacheable = new Set(wanted.flatMap(({ places }) => places))
      const others = representations.flatMap((_, place) => (cacheable.has(place) ? [] : [place]))
      const own = leading.flatMap(({ each }) => each.places)
      const isWhole = await fetch([...others, ...own].toSorted((a, b) => a - b))
      for (const { each, marks, done } of leading) {
        const entity = entities[each.places[0] ?? 0]
        if (!isWhole || entity === null || entity === undefined) continue
        done.resolve(JSON.stringify(entity))
        if (kept !== undefined) cache.keep(each.key, JSON.stringify({ marks, entity }), each.policy.maxAge)
      }
    } finally {
      for (const { id, done } of leading) {
        fetching.delete(id)
        done.resolve(undefined)
      }
    }
    const left: number[] = []
    for (const { each, text } of following) {
      const late = (): Error => new Error('it took too long')
      const shared = await withTimeout(text, sharedMs, request.context.signal, late).catch(() => undefined)
      if (shared === undefined) left.push(...each.places)
      else put(shared, each)
    }
    await fetch(left.toSorted((a, b) => a - b))
    return { data: { _entities: entities }, ...(errors.length === 0 ? {} : { errors }) }
  }

  return {
    ...source,
    fetch(request) {
      const { representations } = request.variables
      if (!Array.isArray(representations) || representations.length > maxRepresentations) return source.fetch(request)
      const query = queryOf(request.query)
      const wanted = query === undefined ? [] : wantedOf(request, query, representations, options)
      return wanted.length === 0 ? source.fetch(request) : answered(request, representations, wanted)
    },
  }
}

/** Those of the entities that may be kept; a change of any of its keys is a change of the entity. */
function wantedOf(
  { variables: { representations: _, ...variables }, context: { principal } }: SourceRequest,
  query: EntityQuery,
  representations: readonly unknown[],
  { name, rules: { keysOf }, schemaHash }: CachedSourceOptions,
): readonly Wanted[] {
  const byKey = new Map<string, Wanted>()
  for (const [place, representation] of representations.entries()) {
    if (typeof representation !== 'object' || representation === null || !('__typename' in representation)) continue
    const type = String(representation.__typename)
    const policy = query.policyOf(type)
    const caller = policy?.scope === 'PRIVATE' ? callerOf(principal) : []
    if (policy === undefined || caller === undefined) continue
    const key = `entities:${digestOf([schemaHash, name, query.text, variables, representation, caller])}`
    const known = byKey.get(key)
    if (known !== undefined) known.places.push(place)
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

/** By all that a subgraph may be told of a caller; undefined for one of whom nothing is known. */
function callerOf({ user, service, forwarded = {} }: Principal): readonly unknown[] | undefined {
  if (user === undefined && service === undefined && Object.keys(forwarded).length === 0) return undefined
  const { issuer, subject, roles, groups, scopes, tenant, citizenCode } = user ?? {}
  return [issuer, subject, roles, groups, scopes, tenant, citizenCode, service, forwarded]
}

/** @returns the entity's text; undefined where it was kept before it changed, or is none */
function keptIn(text: string | undefined, marks: readonly string[]): string | undefined {
  if (text === undefined) return undefined
  try {
    const kept = Kept.safeParse(JSON.parse(text))
    return kept.success && kept.data.marks.join() === marks.join() ? JSON.stringify(kept.data.entity) : undefined
  } catch {
    return undefined
  }
}

/** An error of a fetch of some, as one of the fetch of all. */
function placed(error: GraphQLError, places: readonly number[]): GraphQLError {
  const [root, index, ...rest] = error.path ?? []
  const place = typeof index === 'number' ? places[index] : undefined
  if (root === undefined || place === undefined) return error
  const { message, extensions, originalError } = error
  return new GraphQLError(message, { path: [root, place, ...rest], extensions, originalError })
}

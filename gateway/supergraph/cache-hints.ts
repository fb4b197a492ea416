import { type ConstDirectiveNode, type DocumentNode, isTypeDefinitionNode, isTypeExtensionNode } from 'graphql'
import { z } from 'zod'
import { argumentsOf } from './linked-directives.ts'

/** Lifetime and scope of a cached value, declared by `@cacheControl`. */
export interface CacheHint {
  /** seconds */
  readonly maxAge?: number | undefined
  readonly scope?: 'PUBLIC' | 'PRIVATE' | undefined
  /** inherits the lifetime of the parent */
  readonly inheritMaxAge?: boolean | undefined
}

/** The cache hints of a supergraph; empty without hints. */
export interface CacheHints {
  /** whether there are any hints */
  readonly any: boolean
  ofType(type: string): CacheHint
  ofField(type: string, field: string): CacheHint
}

const Arguments = z.object({
  maxAge: z.int().min(0).optional(),
  scope: z.enum(['PUBLIC', 'PRIVATE']).optional(),
  inheritMaxAge: z.boolean().optional(),
})

/**
 * Reads `@cacheControl`, which composition keeps for subgraphs with `@composeDirective(name: "@cacheControl")`. Of several hints of a repeatable
 * directive the strictest applies; otherwise composition keeps one. @throws {Error} naming the location of a directive with invalid arguments
 * @see https://www.apollographql.com/docs/apollo-server/performance/caching
 */
export function cacheHintsOf(supergraph: DocumentNode): CacheHints {
  const byPlace = new Map<string, CacheHint>()
  const read = (place: string, applied: readonly ConstDirectiveNode[] = []): void => {
    const hints = applied.filter(({ name }) => name.value === 'cacheControl').map((directive) => hintIn(directive, place))
    if (hints.length > 0) byPlace.set(place, hints.reduce(strictest))
  }
  for (const definition of supergraph.definitions) {
    if (!isTypeDefinitionNode(definition) && !isTypeExtensionNode(definition)) continue
    const type = definition.name.value
    read(type, definition.directives)
    if ('fields' in definition) for (const field of definition.fields ?? []) read(`${type}.${field.name.value}`, field.directives)
  }
  return {
    any: byPlace.size > 0,
    ofType: (type) => byPlace.get(type) ?? noHint,
    ofField: (type, field) => byPlace.get(`${type}.${field}`) ?? noHint,
  }
}

const noHint: CacheHint = {}

function hintIn(directive: ConstDirectiveNode, place: string): CacheHint {
  const { data, error } = Arguments.safeParse(argumentsOf(directive))
  if (data === undefined)
    throw new Error(`@cacheControl of ${place}: ${error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join(', ')}`)
  // as in Apollo Server: an inherited lifetime overrides maxAge
  return data.inheritMaxAge === true ? { inheritMaxAge: true, scope: data.scope } : data
}

function strictest(one: CacheHint, other: CacheHint): CacheHint {
  const ages = [one.maxAge, other.maxAge].filter((age) => age !== undefined)
  return {
    maxAge: ages.length === 0 ? undefined : Math.min(...ages),
    scope: [one.scope, other.scope].includes('PRIVATE') ? 'PRIVATE' : (one.scope ?? other.scope),
    inheritMaxAge: ages.length === 0 && (one.inheritMaxAge === true || other.inheritMaxAge === true),
  }
}

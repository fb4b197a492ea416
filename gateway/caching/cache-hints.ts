import { type ConstDirectiveNode, type DocumentNode, isTypeDefinitionNode, isTypeExtensionNode } from 'graphql'
import { z } from 'zod'
import { argumentsOf } from '../supergraph/linked-directives.ts'

/** For how long, and for whom, something may be kept, as `@cacheControl` says it. */
export interface CacheHint {
  /** seconds */
  readonly maxAge?: number | undefined
  readonly scope?: 'PUBLIC' | 'PRIVATE' | undefined
  /** kept as long as what is around it */
  readonly inheritMaxAge?: boolean | undefined
}

/** What a supergraph says of its parts; an empty hint where it says nothing. */
export interface CacheHints {
  /** whether it says anything at all */
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
 * Reads `@cacheControl` in a supergraph, where composition leaves it for subgraphs that say `@composeDirective(name: "@cacheControl")`.
 * Of several hints of one place (where the directive is repeatable) the strictest counts; of one that is not, composition keeps one.
 * @throws {Error} naming the place of a directive whose arguments are not as they should be
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
    ofType: (type) => byPlace.get(type) ?? none,
    ofField: (type, field) => byPlace.get(`${type}.${field}`) ?? none,
  }
}

const none: CacheHint = {}

function hintIn(directive: ConstDirectiveNode, place: string): CacheHint {
  const { data, error } = Arguments.safeParse(argumentsOf(directive))
  if (data === undefined)
    throw new Error(`@cacheControl of ${place}: ${error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join(', ')}`)
  // as Apollo Server reads it: what is inherited has no age of its own
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

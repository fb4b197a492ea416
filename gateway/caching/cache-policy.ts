import {
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import { oncePerOperation, type PreparedOperation } from '../operation/prepared-operation.ts'
import type { CacheHint, CacheHints } from '../supergraph/cache-hints.ts'

/** Lifetime and scope of a cached response. */
export interface CachePolicy {
  /** seconds, at least 1 */
  readonly maxAge: number
  readonly scope: 'PUBLIC' | 'PRIVATE'
}

/** The rules for computing cache policies. */
export interface PolicyRules {
  readonly schema: GraphQLSchema
  readonly hints: CacheHints
  /** Whether it is restricted: it is then cached per caller */
  isProtected(type: string, field?: string): boolean
}

export interface PolicySelection {
  readonly type: GraphQLNamedType
  readonly selectionSet: SelectionSetNode
  readonly fragments: readonly FragmentDefinitionNode[]
  /** whether its fields are root fields, which are not cached without a hint of their own */
  readonly isRoot?: boolean
  /** hint of the object that has the fields */
  readonly parentHint?: CacheHint
}

/**
 * Computes the strictest policy of a selection, as Apollo Server does: root fields and fields of object types are not cached unless they or their
 * types have a lifetime or inherit one; other fields inherit that of their parent. Considers the selection, not the response: every type of an
 * interface or union counts, also fields that a variable excludes. @returns undefined if it must not be cached
 * @see https://www.apollographql.com/docs/apollo-server/performance/caching#calculating-cache-behavior
 */
export function cachePolicyOf(
  { type, selectionSet, fragments, isRoot = false, parentHint = {} }: PolicySelection,
  rules: PolicyRules,
): CachePolicy | undefined {
  const { schema, hints, isProtected } = rules
  const byName = new Map(fragments.map((fragment) => [fragment.name.value, fragment]))
  const spread = new Set<string>()
  let maxAge: number | undefined
  let isPrivate = false
  const restrict = (hint: CacheHint): void => {
    if (hint.maxAge !== undefined) maxAge = Math.min(maxAge ?? hint.maxAge, hint.maxAge)
    if (hint.scope === 'PRIVATE') isPrivate = true
  }

  const ofField = (parent: GraphQLNamedType, name: string, isRootField: boolean): GraphQLNamedType | undefined => {
    const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined
    if (field === undefined) {
      restrict({ maxAge: 0 })
      return undefined
    }
    const fieldType = getNamedType(field.type)
    const [own, whole] = [hints.ofField(parent.name, name), isCompositeType(fieldType) ? hints.ofType(fieldType.name) : {}]
    const age = own.maxAge ?? whole.maxAge
    const inherits = own.inheritMaxAge === true || whole.inheritMaxAge === true
    const refusedByDefault = isRootField || (isCompositeType(fieldType) && !inherits)
    restrict({ maxAge: age ?? (refusedByDefault ? 0 : undefined), scope: own.scope ?? whole.scope })
    if (isProtected(parent.name, name) || isProtected(fieldType.name)) isPrivate = true
    return fieldType
  }

  const visit = (parent: GraphQLNamedType, { selections }: SelectionSetNode, isRootSelection: boolean): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const name = selection.name.value
        if (name.startsWith('__')) continue
        const fieldType = ofField(parent, name, isRootSelection)
        // an object of any of these types may have another hint for its fields
        if (isAbstractType(parent)) for (const each of schema.getPossibleTypes(parent)) ofField(each, name, isRootSelection)
        if (fieldType !== undefined && selection.selectionSet !== undefined) visit(fieldType, selection.selectionSet, false)
      } else {
        const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? byName.get(selection.name.value) : selection
        if (fragment === undefined) continue
        if (selection.kind === Kind.FRAGMENT_SPREAD) {
          const seen = `${selection.name.value} ${parent.name} ${isRootSelection}`
          if (spread.has(seen)) continue
          spread.add(seen)
        }
        const within = fragment.typeCondition === undefined ? parent : schema.getType(fragment.typeCondition.name.value)
        if (within === undefined) continue
        if (isProtected(within.name)) isPrivate = true
        visit(within, fragment.selectionSet, isRootSelection)
      }
    }
  }
  restrict(parentHint)
  visit(type, selectionSet, isRoot)
  return maxAge === undefined || maxAge === 0 ? undefined : { maxAge, scope: isPrivate ? 'PRIVATE' : 'PUBLIC' }
}

/** Returns how long the response to an operation may be cached; never for mutations and subscriptions. */
export function answerPolicy(rules: PolicyRules): (operation: PreparedOperation) => CachePolicy | undefined {
  const type = rules.schema.getQueryType()
  if (!rules.hints.any || !type) return () => undefined
  const policyOf = oncePerOperation(({ document, definition: { selectionSet } }) => {
    const fragments = document.definitions.filter((each): each is FragmentDefinitionNode => each.kind === Kind.FRAGMENT_DEFINITION)
    return { policy: cachePolicyOf({ type, selectionSet, fragments, isRoot: true }, rules) }
  })
  return (operation) => (operation.kind === 'query' ? policyOf(operation).policy : undefined)
}

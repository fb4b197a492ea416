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
import type { CacheHint, CacheHints } from './cache-hints.ts'

/** For how long an answer may be kept, and whether for everybody. */
export interface CachePolicy {
  /** seconds, at least 1 */
  readonly maxAge: number
  readonly scope: 'PUBLIC' | 'PRIVATE'
}

/** What the policy of a selection is read from. */
export interface PolicyRules {
  readonly schema: GraphQLSchema
  readonly hints: CacheHints
  /** whether not everybody may see it: then it is kept for its caller alone */
  isProtected(type: string, field?: string): boolean
}

export interface PolicySelection {
  readonly type: GraphQLNamedType
  readonly selectionSet: SelectionSetNode
  readonly fragments: readonly FragmentDefinitionNode[]
  /** whether its fields are those of a root: they may not be kept unless they say so themselves */
  readonly isRoot?: boolean
  /** what counts besides: of the object whose fields they are */
  readonly around?: CacheHint
}

/**
 * The strictest of all that is selected, computed as Apollo Server does: a field of a root, or one that gives objects, may not be kept
 * unless it or its type says for how long or that it inherits; others may be kept as long as what is around them. Read from what is
 * selected, not from what was answered: of an interface or union every type counts, and what a variable leaves out counts, too.
 * @returns undefined when nothing may be kept
 * @see https://www.apollographql.com/docs/apollo-server/performance/caching#calculating-cache-behavior
 */
export function cachePolicyOf(
  { type, selectionSet, fragments, isRoot = false, around = {} }: PolicySelection,
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
    const given = getNamedType(field.type)
    const [own, whole] = [hints.ofField(parent.name, name), isCompositeType(given) ? hints.ofType(given.name) : {}]
    const age = own.maxAge ?? whole.maxAge
    const inherits = own.inheritMaxAge === true || whole.inheritMaxAge === true
    const refusedByDefault = isRootField || (isCompositeType(given) && !inherits)
    restrict({ maxAge: age ?? (refusedByDefault ? 0 : undefined), scope: own.scope ?? whole.scope })
    if (isProtected(parent.name, name) || isProtected(given.name)) isPrivate = true
    return given
  }

  const visit = (parent: GraphQLNamedType, { selections }: SelectionSetNode, isRootSelection: boolean): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const name = selection.name.value
        if (name.startsWith('__')) continue
        const given = ofField(parent, name, isRootSelection)
        // what stands there is an object of one of these, whose fields may say something else
        if (isAbstractType(parent)) for (const each of schema.getPossibleTypes(parent)) ofField(each, name, isRootSelection)
        if (given !== undefined && selection.selectionSet !== undefined) visit(given, selection.selectionSet, false)
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
  restrict(around)
  visit(type, selectionSet, isRoot)
  return maxAge === undefined || maxAge === 0 ? undefined : { maxAge, scope: isPrivate ? 'PRIVATE' : 'PUBLIC' }
}

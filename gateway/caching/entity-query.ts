import {
  type FragmentDefinitionNode,
  type GraphQLSchema,
  isAbstractType,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  print,
  type SelectionNode,
} from 'graphql'
import { type CachePolicy, cachePolicyOf, type PolicyRules } from './cache-policy.ts'

/** A query of a plan that fetches entities by their representations. */
export interface EntityQuery {
  /** equal for equal selections, independent of the operation name */
  readonly text: string
  /** Returns how long entities of a type may be cached; undefined: not at all */
  policyOf(typename: string): CachePolicy | undefined
}

/** @returns undefined for another query, or if nothing may be cached */
export function entityQuery(query: string, rules: PolicyRules): EntityQuery | undefined {
  const { definitions } = parse(query, { noLocation: true })
  const operation = definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION)
  const fragments = definitions.filter((each): each is FragmentDefinitionNode => each.kind === Kind.FRAGMENT_DEFINITION)
  const [root, ...others] = operation?.selectionSet.selections ?? []
  if (operation === undefined || others.length > 0) return undefined
  if (root?.kind !== Kind.FIELD || root.name.value !== '_entities' || root.alias !== undefined) return undefined
  const { name: _, ...unnamed } = operation
  const entitySelections = root.selectionSet?.selections ?? []
  const policies = new Map<string, CachePolicy | undefined>()

  const policyFor = (typename: string): CachePolicy | undefined => {
    const type = rules.schema.getType(typename)
    const parentHint = rules.hints.ofType(typename)
    if (type === undefined || parentHint.maxAge === undefined) return undefined
    const selections = entitySelections.filter((selection) => mayConcern(selection, typename, rules.schema))
    const selectionSet = { kind: Kind.SELECTION_SET, selections } as const
    const policy = cachePolicyOf({ type, selectionSet, fragments, parentHint }, rules)
    return policy !== undefined && rules.isProtected(typename) ? { ...policy, scope: 'PRIVATE' } : policy
  }
  return {
    text: [print(unnamed), ...fragments.map(print)].join('\n'),
    policyOf(typename) {
      if (!policies.has(typename) && rules.schema.getType(typename) !== undefined) policies.set(typename, policyFor(typename))
      return policies.get(typename)
    },
  }
}

/** Whether a fragment may apply to objects of a type; named fragments always may. */
function mayConcern(selection: SelectionNode, typename: string, schema: GraphQLSchema): boolean {
  if (selection.kind !== Kind.INLINE_FRAGMENT || selection.typeCondition === undefined) return true
  const [type, wider] = [schema.getType(typename), schema.getType(selection.typeCondition.name.value)]
  if (type === wider || !isAbstractType(wider)) return type === wider
  return (isObjectType(type) || isInterfaceType(type)) && schema.isSubType(wider, type)
}

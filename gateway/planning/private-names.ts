import { type DocumentNode, type FieldNode, Kind, type OperationDefinitionNode, visit } from 'graphql'
import { unusedPrefix } from './unused-prefix.ts'

/** An operation as it is planned: no response name of the client's is one that plans use for themselves. */
export interface PrivatelyNamed {
  readonly document: DocumentNode
  readonly definition: OperationDefinitionNode
  /** the client's response name for a private one; absent: none was changed */
  readonly shown?: (name: string) => string
}

/** The planner's own: it gives fields such names that have one name and two types in one fetch. */
const ofPlanner = /__alias_\d+$/

/**
 * Plans fetch keys and requirements by the names of the fields. A client's alias of that name would be taken for the field: its value would
 * be the key, or what a subgraph requires. Such aliases get private names while the operation is executed.
 * @param fetched - names that plans use   @param document - valid: what has one response name in one place is one field
 */
export function privatelyNamed(document: DocumentNode, definition: OperationDefinitionNode, fetched: ReadonlySet<string>): PrivatelyNamed {
  const used = new Set<string>()
  const taken = new Set<string>()
  visit(document, {
    Field: ({ alias, name }) => {
      used.add(name.value)
      if (alias === undefined) return
      used.add(alias.value)
      if (isTaken(alias.value, name.value, fetched)) taken.add(alias.value)
    },
  })
  if (taken.size === 0) return { document, definition }
  const prefix = unusedPrefix([...used, ...fetched], 'client_')
  const Field = (node: FieldNode): FieldNode | undefined =>
    node.alias !== undefined && isTaken(node.alias.value, node.name.value, fetched)
      ? { ...node, alias: { kind: Kind.NAME, value: prefix + node.alias.value } }
      : undefined
  const renamed = visit(definition, { Field })
  return {
    document: { ...document, definitions: document.definitions.map((each) => (each === definition ? renamed : visit(each, { Field }))) },
    definition: renamed,
    shown: (name) => (name.startsWith(prefix) ? name.slice(prefix.length) : name),
  }
}

const isTaken = (alias: string, field: string, fetched: ReadonlySet<string>): boolean =>
  alias !== field && (fetched.has(alias) || ofPlanner.test(alias))

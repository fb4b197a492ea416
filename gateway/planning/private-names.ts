import {
  type ASTVisitor,
  type DocumentNode,
  type FieldNode,
  Kind,
  type NameNode,
  type OperationDefinitionNode,
  type VariableNode,
  visit,
} from 'graphql'
import { unusedPrefix } from './unused-prefix.ts'

type Variables = Readonly<Record<string, unknown>>

/** An operation as it is planned: no response name and no variable of the client's is called like one that plans have themselves. */
export interface PrivatelyNamed {
  readonly document: DocumentNode
  readonly definition: OperationDefinitionNode
  /** the client's response name for a private one; absent: none was changed */
  readonly shown?: (name: string) => string
  /** the client's variables under their private names; absent: none was changed */
  readonly renamed?: (variables: Variables) => Variables
}

/** The planner's own: it gives fields such names that have one name and two types in one fetch. */
const ofPlanner = /__alias_\d+$/

/** The planner's own variables: what a subgraph is told of entities, and of what is around them. */
const variableOfPlanner = /^(?:representations|contextualArgument_\d+_\d+)$/

/**
 * Plans fetch keys and requirements by the names of the fields. A client's alias of that name would be taken for the field: its value would
 * be the key, or what a subgraph requires. Such aliases get private names while the operation is executed, and so do variables.
 * @param fetched - names that plans use   @param document - valid: what has one response name in one place is one field
 */
export function privatelyNamed(document: DocumentNode, definition: OperationDefinitionNode, fetched: ReadonlySet<string>): PrivatelyNamed {
  const used = new Set<string>()
  const takenAliases = new Set<string>()
  const takenVariables = new Set<string>()
  visit(document, {
    Field: ({ alias, name }) => {
      used.add(name.value)
      if (alias === undefined) return
      used.add(alias.value)
      if (isTaken(alias.value, name.value, fetched)) takenAliases.add(alias.value)
    },
    Variable: ({ name }) => {
      used.add(name.value)
      if (variableOfPlanner.test(name.value)) takenVariables.add(name.value)
    },
  })
  if (takenAliases.size + takenVariables.size === 0) return { document, definition }
  const prefix = unusedPrefix([...used, ...fetched], 'client_')
  const privateName = ({ value }: NameNode): NameNode => ({ kind: Kind.NAME, value: prefix + value })
  const renaming: ASTVisitor = {
    Field: (node): FieldNode | undefined =>
      node.alias !== undefined && isTaken(node.alias.value, node.name.value, fetched)
        ? { ...node, alias: privateName(node.alias) }
        : undefined,
    Variable: (node): VariableNode | undefined =>
      takenVariables.has(node.name.value) ? { ...node, name: privateName(node.name) } : undefined,
  }
  const renamed = visit(definition, renaming)
  return {
    document: { ...document, definitions: document.definitions.map((each) => (each === definition ? renamed : visit(each, renaming))) },
    definition: renamed,
    ...(takenAliases.size > 0 && { shown: (name) => (name.startsWith(prefix) ? name.slice(prefix.length) : name) }),
    ...(takenVariables.size > 0 && {
      renamed: (variables) =>
        Object.fromEntries(Object.entries(variables).map(([name, value]) => [takenVariables.has(name) ? prefix + name : name, value])),
    }),
  }
}

const isTaken = (alias: string, field: string, fetched: ReadonlySet<string>): boolean =>
  alias !== field && (fetched.has(alias) || ofPlanner.test(alias))

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
import type { Variables } from '../operation/declared-variables.ts'
import { unusedPrefix } from '../operation/unused-prefix.ts'

/** An operation for planning, without response names and variables that plans use themselves. */
export interface PrivateOperation {
  readonly document: DocumentNode
  readonly definition: OperationDefinitionNode
  /** returns the client's response name of a private one; absent: unchanged */
  readonly shown?: (name: string) => string
  /** maps the client's variables to private names; absent: unchanged */
  readonly renamed?: (variables: Variables) => Variables
}

/** Response names of the planner for fields with one name and two types in a fetch. */
const ofPlanner = /__alias_\d+$/

/** Variables of the planner: representations of entities and contextual arguments. */
const variableOfPlanner = /^(?:representations|contextualArgument_\d+_\d+)$/

/**
 * Renames conflicting aliases and variables during execution. Plans fetch keys and required fields by field name, so a client alias with that name
 * would be used as the key or requirement. @param fetched - names that plans use
 * @param document - valid: one response name in one place is one field
 */
export function privatelyNamed(
  document: DocumentNode,
  definition: OperationDefinitionNode,
  fetched: ReadonlySet<string>,
): PrivateOperation {
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

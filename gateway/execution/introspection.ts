import {
  type DocumentNode,
  executeSync,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  separateOperations,
} from 'graphql'
import { fragmentsOf } from '../operation/fragments.ts'
import type { Execution } from './steps/execution.ts'

/** An operation split in two: introspection is answered here, everything else by subgraphs. */
export interface IntrospectionSplit {
  /** undefined: only introspection */
  readonly rest: { readonly document: DocumentNode; readonly definition: OperationDefinitionNode } | undefined
  /** undefined: no introspection */
  readonly introspect: ((variables: Readonly<Record<string, unknown>>) => Pick<Execution, 'data' | 'errors'>) | undefined
  /** response names of the root, in requested order */
  readonly order: readonly string[]
}

/** Splits an operation; graphql-js answers introspection. */
export function splitIntrospection(schema: GraphQLSchema, document: DocumentNode, definition: OperationDefinitionNode): IntrospectionSplit {
  const fragments = fragmentsOf(document)
  const order: string[] = []
  const root = inlined(definition.selectionSet, fragments, order)
  const [schemaFields, others] = [selected(root, true), selected(root, false)]
  if (schemaFields.selections.length === 0) return { rest: { document, definition }, introspect: undefined, order }

  const replaced = (selectionSet: SelectionSetNode): { document: DocumentNode; definition: OperationDefinitionNode } => {
    const changed = { ...definition, selectionSet }
    const all = { ...document, definitions: document.definitions.map((each) => (each === definition ? changed : each)) }
    // removes fragments that only the other part needs
    return { definition: changed, document: separateOperations(all)[definition.name?.value ?? ''] ?? all }
  }
  const { document: introspection } = replaced(schemaFields)
  const operationName = definition.name?.value
  return {
    rest: others.selections.length === 0 ? undefined : replaced(others),
    introspect: (variableValues) => {
      const { data, errors = [] } = executeSync({ schema, document: introspection, variableValues, operationName })
      return { data, errors }
    },
    order,
  }
}

/** Expands the fragments of the root selection. */
function inlined(set: SelectionSetNode, fragments: ReadonlyMap<string, FragmentDefinitionNode>, order: string[]): SelectionSetNode {
  return {
    ...set,
    selections: set.selections.flatMap((selection): SelectionNode[] => {
      if (selection.kind === Kind.FIELD) {
        order.push((selection.alias ?? selection.name).value)
        return [selection]
      }
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
      if (fragment === undefined) return []
      const { typeCondition, selectionSet } = fragment
      return [
        {
          kind: Kind.INLINE_FRAGMENT,
          ...(typeCondition === undefined ? {} : { typeCondition }),
          directives: selection.directives ?? [],
          selectionSet: inlined(selectionSet, fragments, order),
        },
      ]
    }),
  }
}

function selected(set: SelectionSetNode, introspection: boolean): SelectionSetNode {
  return {
    ...set,
    selections: set.selections.flatMap((selection): SelectionNode[] => {
      if (selection.kind === Kind.FIELD) return isOfSchema(selection.name.value) === introspection ? [selection] : []
      if (selection.kind === Kind.FRAGMENT_SPREAD) return []
      const selectionSet = selected(selection.selectionSet, introspection)
      return selectionSet.selections.length === 0 ? [] : [{ ...selection, selectionSet }]
    }),
  }
}

const isOfSchema = (name: string): boolean => name === '__schema' || name === '__type'

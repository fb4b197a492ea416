import {
  type ConstDirectiveNode,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  getNamedType,
  type InlineFragmentNode,
  isAbstractType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
  visit,
} from 'graphql'
import { fragmentsOf } from './fragments.ts'

/** An operation with `@defer`. */
export interface DeferrableOperation {
  /** Returns whether each deferred fragment is deferred with these variables, in document order. */
  held(variables: Readonly<Record<string, unknown>>): readonly boolean[]
  /** Returns the operation with expanded fragments, in which exactly the held ones carry `@defer` with a private label. */
  divided(held: readonly boolean[]): { readonly document: DocumentNode; readonly definition: OperationDefinitionNode }
  readonly labelOf: PartLabels
}

/** Returns the client's label of a private one, if any. */
export type PartLabels = (label: string) => string | undefined

/** A location of a deferred fragment; a fragment that is spread twice has two. */
interface Place {
  readonly label: string | undefined
  readonly condition: ValueNode | undefined
}

/**
 * @param document - valid against the schema
 * @returns undefined for an operation without `@defer`
 */
export function deferrableOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  definition: OperationDefinitionNode,
): DeferrableOperation | undefined {
  if (!hasDefer(document)) return undefined
  const fragments = fragmentsOf(document)
  const places: Place[] = []

  const written = (set: SelectionSetNode, parent: string): SelectionSetNode => ({
    ...set,
    selections: set.selections.flatMap((selection) => writtenOut(selection, parent)),
  })
  const writtenOut = (selection: SelectionNode, parent: string): SelectionNode[] => {
    if (selection.kind === Kind.FIELD) {
      if (selection.selectionSet === undefined) return [selection]
      const inner = written(selection.selectionSet, fieldType(schema, parent, selection))
      return [{ ...selection, selectionSet: inner.selections.length === 0 ? { ...inner, selections: [placeholderField] } : inner }]
    }
    const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
    if (fragment === undefined) return []
    const condition = fragment.typeCondition?.name.value ?? parent
    if (isNeverMet(schema, condition, parent)) return []
    // the planner drops a condition that all objects meet, and then cannot place the fields below it
    const isMet = condition === parent || isObjectType(schema.getType(parent))
    const directives = (selection.directives ?? []).map((directive) => {
      if (!isDefer(directive)) return directive
      places.push({ label: labelIn(directive), condition: argumentOf(directive, 'if') })
      return deferred(String(places.length - 1))
    })
    const selectionSet = written(fragment.selectionSet, isMet ? parent : condition)
    if (selectionSet.selections.length === 0) return []
    const { typeCondition } = fragment
    return [{ kind: Kind.INLINE_FRAGMENT, ...(typeCondition === undefined || isMet ? {} : { typeCondition }), directives, selectionSet }]
  }

  const all: OperationDefinitionNode = {
    ...definition,
    selectionSet: written(definition.selectionSet, schema.getRootType(definition.operation)?.name ?? ''),
  }
  if (places.length === 0) return undefined
  const defaults = new Map(
    (definition.variableDefinitions ?? []).map(({ variable, defaultValue }) => [variable.name.value, defaultValue] as const),
  )
  return {
    held: (variables) =>
      places.map(({ condition }) => {
        if (condition?.kind !== Kind.VARIABLE) return condition?.kind !== Kind.BOOLEAN || condition.value
        const { value: name } = condition.name
        const defaultValue = defaults.get(name)
        return Object.hasOwn(variables, name) ? variables[name] === true : defaultValue?.kind === Kind.BOOLEAN && defaultValue.value
      }),
    divided: (held) => {
      const divided = visit(all, {
        Directive: (directive) => (isDefer(directive) && held[Number(labelIn(directive))] !== true ? null : undefined),
      })
      return { document: { kind: Kind.DOCUMENT, definitions: [divided] }, definition: divided }
    },
    labelOf: (label) => places[Number(label)]?.label,
  }
}

/** Returns the type of a field without list and non-null wrappers. */
function fieldType(schema: GraphQLSchema, parent: string, { name }: FieldNode): string {
  const type = schema.getType(parent)
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name.value] : undefined
  return field === undefined ? '' : getNamedType(field.type).name
}

/** Whether no object has both types; a wider fragment between them may have made this valid. */
function isNeverMet(schema: GraphQLSchema, condition: string, parent: string): boolean {
  const [wanted, type] = [schema.getType(condition), schema.getType(parent)]
  return condition !== parent && isObjectType(type) && !(isAbstractType(wanted) && schema.isSubType(wanted, type))
}

/** Whether a document contains `@defer`. */
export function hasDefer(document: DocumentNode): boolean {
  let hasDirective = false
  visit(document, {
    Directive(directive) {
      if (isDefer(directive)) hasDirective = true
    },
  })
  return hasDirective
}

export const isDefer = ({ name }: DirectiveNode): boolean => name.value === 'defer'

export const argumentOf = ({ arguments: args = [] }: DirectiveNode, wanted: string): ValueNode | undefined =>
  args.find(({ name }) => name.value === wanted)?.value

/** Returns the label of a deferred fragment. */
export function deferLabel({ directives = [] }: InlineFragmentNode): string | undefined {
  const directive = directives.find(isDefer)
  return directive && labelIn(directive)
}

export function labelIn(directive: DirectiveNode): string | undefined {
  const label = argumentOf(directive, 'label')
  return label?.kind === Kind.STRING ? label.value : undefined
}

const deferred = (label: string): ConstDirectiveNode => ({
  kind: Kind.DIRECTIVE,
  name: { kind: Kind.NAME, value: 'defer' },
  arguments: [{ kind: Kind.ARGUMENT, name: { kind: Kind.NAME, value: 'label' }, value: { kind: Kind.STRING, value: label } }],
})

/** Placeholder in an empty selection set. */
const placeholderField: FieldNode = {
  kind: Kind.FIELD,
  name: { kind: Kind.NAME, value: '__typename' },
  directives: [
    {
      kind: Kind.DIRECTIVE,
      name: { kind: Kind.NAME, value: 'skip' },
      arguments: [{ kind: Kind.ARGUMENT, name: { kind: Kind.NAME, value: 'if' }, value: { kind: Kind.BOOLEAN, value: true } }],
    },
  ],
}

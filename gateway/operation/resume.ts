import type { FetchNode } from '@apollo/query-planner'
import {
  coerceInputValue,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isObjectType,
  Kind,
  type NameNode,
  type OperationDefinitionNode,
  parse,
  parseType,
  type SelectionNode,
  type VariableNode,
  valueFromASTUntyped,
  visit,
} from 'graphql'
import { declaredVariables } from './declared-variables.ts'
import { subscriptionRoot } from './subscription-root.ts'
import { unusedPrefix } from './unused-prefix.ts'

/** How a subscription resumes: its events are numbered, and an argument selects those after a number. */
export interface ResumeRule {
  /** variable of the number */
  readonly variable: string
  /** response path of the number in an event */
  readonly path: readonly [field: string, member: string]
  /** response path of the kind of an event; undefined if events have none */
  readonly kindPath: readonly [field: string, member: string] | undefined
  /** Returns the number that the client requested; undefined without one */
  start(variables: Readonly<Record<string, unknown>>): unknown
  /** name of the subscription field */
  readonly field: string
  /** whether a value is a valid event number */
  isNumber(value: unknown): boolean
}

/** A subscription with event numbers added. */
export interface Resumable {
  readonly document: DocumentNode
  readonly definition: OperationDefinitionNode
  /** undefined if the numbers come from another subgraph than the events */
  ruleIn(primary: FetchNode): ResumeRule | undefined
}

interface EventNumbering {
  /** selects the events after a number */
  readonly argument: string
  /** the number of an event */
  readonly member: string
}

/** in order of preference: an Int ends at 2^31 - 1 */
const numberings: readonly EventNumbering[] = [
  { argument: 'afterPosition', member: 'position' },
  { argument: 'after', member: 'seq' },
]
const kind = 'kind'

/**
 * Adds event numbers to a subscription field that has an argument `afterPosition` (else `after`) and returns objects with a `position` (else `seq`) of
 * the same type, so that it can resume without a gap; the client need not select the number. @returns undefined for other subscriptions
 */
export function resumable(schema: GraphQLSchema, document: DocumentNode, definition: OperationDefinitionNode): Resumable | undefined {
  const root = onlyField(document, definition)
  const field = root && schema.getSubscriptionType()?.getFields()[root.name.value]
  const event = field && getNamedType(field.type)
  if (root === undefined || field === undefined || !(isObjectType(event) || isInterfaceType(event))) return undefined
  const usable = numberings.flatMap(({ argument, member }) => {
    const startArgument = field.args.find(({ name }) => name === argument)
    const numbered = event.getFields()[member]
    const isUsable = startArgument && numbered && String(getNamedType(numbered.type)) === String(getNamedType(startArgument.type))
    return isUsable ? [{ argument, member, startArgument }] : []
  })
  const [numbering] = usable
  const starts = (root.arguments ?? []).filter(({ name }) => usable.some(({ argument }) => name.value === argument))
  // the subgraph refuses a start under both names
  if (numbering === undefined || starts.length > 1) return undefined
  const { argument, member, startArgument } = numbering

  const { variable, alias, kindAlias } = ownNames(document, numbering)
  const after: VariableNode = { kind: Kind.VARIABLE, name: nameNode(variable) }
  const hasKind = event.getFields()[kind]?.args.length === 0
  // an argument with a default may be omitted
  const type = startArgument.defaultValue === undefined ? startArgument.type : getNullableType(startArgument.type)
  const start = starts[0]?.value
  const declaredIn = declaredVariables(definition)
  const numberedField: FieldNode = {
    ...root,
    arguments: [
      ...(root.arguments ?? []).filter((each) => !starts.includes(each)),
      { kind: Kind.ARGUMENT, name: nameNode(argument), value: after },
    ],
    selectionSet: {
      kind: Kind.SELECTION_SET,
      selections: [...(root.selectionSet?.selections ?? []), aliased(alias, member), ...(hasKind ? [aliased(kindAlias, kind)] : [])],
    },
  }
  const changed: OperationDefinitionNode = {
    ...definition,
    variableDefinitions: [
      ...(definition.variableDefinitions ?? []),
      { kind: Kind.VARIABLE_DEFINITION, variable: after, type: parseType(String(type)) },
    ],
    selectionSet: { kind: Kind.SELECTION_SET, selections: [numberedField] },
  }
  const name = root.alias?.value ?? root.name.value
  return {
    document: { ...document, definitions: document.definitions.map((each) => (each === definition ? changed : each)) },
    definition: changed,
    ruleIn: (primary) =>
      primary.variableUsages?.includes(variable) && selects(primary, alias)
        ? {
            variable,
            path: [name, alias],
            kindPath: selects(primary, kindAlias) ? [name, kindAlias] : undefined,
            start: (variables) => start && valueFromASTUntyped(start, declaredIn(variables)),
            field: root.name.value,
            isNumber: (value) => {
              // the gateway cannot read custom scalars
              let fits = argument === 'afterPosition' ? isWholeNumber(value) : value !== null && value !== undefined
              if (fits) coerceInputValue(value, startArgument.type, () => (fits = false))
              return fits
            },
          }
        : undefined,
  }
}

const isWholeNumber = (value: unknown): boolean => Number.isSafeInteger(value) || (typeof value === 'string' && /^\d+$/.test(value))

/** Returns the number after which a subscription starts; undefined: now. */
export function beginning(
  document: DocumentNode,
  definition: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): unknown {
  // repeated fields have equal arguments, which validation checks
  const [field] = subscriptionRoot(document, definition).fields
  const starts = (field?.arguments ?? []).filter(({ name }) => numberings.some(({ argument }) => name.value === argument))
  const declared = declaredVariables(definition)(variables)
  return starts.map(({ value }) => valueFromASTUntyped(value, declared)).find((value) => value != null)
}

/** Returns names for added fields and variables that the client does not use. */
function ownNames(document: DocumentNode, { argument, member }: EventNumbering) {
  const used = new Set<string>()
  visit(document, { Name: ({ value }) => void used.add(value) })
  const prefix = unusedPrefix(used, 'civigraph_')
  return { variable: `${prefix}${argument}`, alias: `${prefix}${member}`, kindAlias: `${prefix}${kind}` }
}

const nameNode = (value: string): NameNode => ({ kind: Kind.NAME, value })

const aliased = (alias: string, name: string): FieldNode => ({ kind: Kind.FIELD, alias: nameNode(alias), name: nameNode(name) })

/** Returns undefined for a repeated field, whose selections would have to be merged. */
function onlyField(document: DocumentNode, definition: OperationDefinitionNode): FieldNode | undefined {
  const { fields } = subscriptionRoot(document, definition)
  return fields.length === 1 ? fields[0] : undefined
}

/** Whether the subgraph of the events also resolves the number. */
function selects(primary: FetchNode, alias: string): boolean {
  const document = parse(primary.operation, { noLocation: true })
  const [operation] = document.definitions
  if (operation?.kind !== Kind.OPERATION_DEFINITION) return false
  const isWanted = (selection: SelectionNode): boolean => selection.kind === Kind.FIELD && selection.alias?.value === alias
  return onlyField(document, operation)?.selectionSet?.selections.some(isWanted) === true
}

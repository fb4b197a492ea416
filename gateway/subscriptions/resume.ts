import type { FetchNode } from '@apollo/query-planner'
import {
  type ArgumentNode,
  coerceInputValue,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  parseType,
  type SelectionNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql'
import { subscriptionRoot } from './subscription-root.ts'

/** How a subscription is continued where it broke off: its events are numbered, and it can be asked for those after a number. */
export interface ResumeRule {
  /** the variable that takes the number */
  readonly variable: string
  /** response names under which an event has its number */
  readonly path: readonly [field: string, member: string]
  /** the response name under which an event says what it tells; undefined where events of this kind do not say it */
  readonly kindPath: readonly [field: string, member: string] | undefined
  /** the number that the client itself asked for; undefined: none */
  start(variables: Readonly<Record<string, unknown>>): unknown
  /** name of the field that is subscribed to */
  readonly field: string
  /** whether a value can be a number of its events */
  isNumber(value: unknown): boolean
}

/** A subscription that is asked for together with the numbers of its events. */
export interface Resumable {
  readonly document: DocumentNode
  readonly definition: OperationDefinitionNode
  /** undefined when the numbers come from another subgraph than the events */
  ruleIn(primary: FetchNode): ResumeRule | undefined
}

const argument = 'after'
const member = 'seq'
const variable = 'civigraph_after'
const alias = 'civigraph_seq'
const kind = 'kind'
const kindAlias = 'civigraph_kind'

/**
 * A subscription field that has an argument `after` and yields objects with a `seq` of the same type can be continued without a gap after
 * its connection was lost. The client's own operation need not ask for `seq`.
 * @returns undefined for any other subscription
 */
export function resumable(schema: GraphQLSchema, document: DocumentNode, definition: OperationDefinitionNode): Resumable | undefined {
  const root = onlyField(document, definition)
  const field = root && schema.getSubscriptionType()?.getFields()[root.name.value]
  const wanted = field?.args.find(({ name }) => name === argument)
  const event = field && getNamedType(field.type)
  if (root === undefined || wanted === undefined || !(isObjectType(event) || isInterfaceType(event))) return undefined
  const numbered = event.getFields()[member]
  if (numbered === undefined || String(getNamedType(numbered.type)) !== String(getNamedType(wanted.type))) return undefined

  const hasKind = event.getFields()[kind]?.args.length === 0
  // What has a default may be left out, and is when nobody says where to begin.
  const type = wanted.defaultValue === undefined ? wanted.type : getNullableType(wanted.type)
  const given = root.arguments?.find(({ name }) => name.value === argument)?.value
  const numberedField: FieldNode = {
    ...root,
    arguments: [...(root.arguments ?? []).filter(({ name }) => name.value !== argument), after],
    selectionSet: { kind: Kind.SELECTION_SET, selections: [...(root.selectionSet?.selections ?? []), number, ...(hasKind ? [told] : [])] },
  }
  const changed: OperationDefinitionNode = {
    ...definition,
    variableDefinitions: [
      ...(definition.variableDefinitions ?? []),
      { kind: Kind.VARIABLE_DEFINITION, variable: after.value, type: parseType(String(type)) },
    ],
    selectionSet: { kind: Kind.SELECTION_SET, selections: [numberedField] },
  }
  const name = root.alias?.value ?? root.name.value
  return {
    document: { ...document, definitions: document.definitions.map((each) => (each === definition ? changed : each)) },
    definition: changed,
    ruleIn: (primary) =>
      selects(primary, alias)
        ? {
            variable,
            path: [name, alias],
            kindPath: selects(primary, kindAlias) ? [name, kindAlias] : undefined,
            start: (variables) => given && valueIn(given, definition, variables),
            field: root.name.value,
            isNumber: (value) => {
              let fits = value !== null && value !== undefined
              if (fits) coerceInputValue(value, wanted.type, () => (fits = false))
              return fits
            },
          }
        : undefined,
  }
}

/** Where in the numbered events a subscription wants to begin; undefined: with what happens from now on. */
export function beginning(
  document: DocumentNode,
  definition: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): unknown {
  // Where the field is written twice, both have the same arguments: validation sees to it.
  const [field] = subscriptionRoot(document, definition).fields
  const given = field?.arguments?.find(({ name }) => name.value === argument)?.value
  return (given && valueIn(given, definition, variables)) ?? undefined
}

const after: ArgumentNode & { readonly value: { readonly kind: Kind.VARIABLE } & Extract<ValueNode, { kind: Kind.VARIABLE }> } = {
  kind: Kind.ARGUMENT,
  name: { kind: Kind.NAME, value: argument },
  value: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: variable } },
}
const number: FieldNode = {
  kind: Kind.FIELD,
  alias: { kind: Kind.NAME, value: alias },
  name: { kind: Kind.NAME, value: member },
}

const told: FieldNode = {
  kind: Kind.FIELD,
  alias: { kind: Kind.NAME, value: kindAlias },
  name: { kind: Kind.NAME, value: kind },
}

/** undefined for a field that is written more than once: its selections would have to be merged. */
function onlyField(document: DocumentNode, definition: OperationDefinitionNode): FieldNode | undefined {
  const { fields } = subscriptionRoot(document, definition)
  return fields.length === 1 ? fields[0] : undefined
}

function valueIn(
  node: ValueNode,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): unknown {
  const defaults = variableDefinitions.map(({ variable, defaultValue }) => [
    variable.name.value,
    defaultValue && valueFromASTUntyped(defaultValue),
  ])
  return valueFromASTUntyped(node, { ...Object.fromEntries(defaults), ...variables })
}

/** Whether the subgraph that gives the events gives this of them too. */
function selects(primary: FetchNode, wanted: string): boolean {
  if (!primary.variableUsages?.includes(variable)) return false
  const document = parse(primary.operation, { noLocation: true })
  const [operation] = document.definitions
  if (operation?.kind !== Kind.OPERATION_DEFINITION) return false
  const isWanted = (selection: SelectionNode): boolean => selection.kind === Kind.FIELD && selection.alias?.value === wanted
  return onlyField(document, operation)?.selectionSet?.selections.some(isWanted) === true
}

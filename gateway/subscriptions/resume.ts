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
  type ValueNode,
  type VariableNode,
  valueFromASTUntyped,
  visit,
} from 'graphql'
import { unusedPrefix } from '../planning/unused-prefix.ts'
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
const kind = 'kind'

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

  const { variable, alias, kindAlias } = ownNames(document)
  const after: VariableNode = { kind: Kind.VARIABLE, name: nameNode(variable) }
  const hasKind = event.getFields()[kind]?.args.length === 0
  // What has a default may be left out, and is when nobody says where to begin.
  const type = wanted.defaultValue === undefined ? wanted.type : getNullableType(wanted.type)
  const given = root.arguments?.find(({ name }) => name.value === argument)?.value
  const numberedField: FieldNode = {
    ...root,
    arguments: [
      ...(root.arguments ?? []).filter(({ name }) => name.value !== argument),
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

/** How what is asked for besides is called: as nothing of the client's is. */
function ownNames(document: DocumentNode) {
  const used = new Set<string>()
  visit(document, { Name: ({ value }) => void used.add(value) })
  const prefix = unusedPrefix(used, 'civigraph_')
  return { variable: `${prefix}${argument}`, alias: `${prefix}${member}`, kindAlias: `${prefix}${kind}` }
}

const nameNode = (value: string): NameNode => ({ kind: Kind.NAME, value })

const aliased = (alias: string, name: string): FieldNode => ({ kind: Kind.FIELD, alias: nameNode(alias), name: nameNode(name) })

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
  const document = parse(primary.operation, { noLocation: true })
  const [operation] = document.definitions
  if (operation?.kind !== Kind.OPERATION_DEFINITION) return false
  const isWanted = (selection: SelectionNode): boolean => selection.kind === Kind.FIELD && selection.alias?.value === wanted
  return onlyField(document, operation)?.selectionSet?.selections.some(isWanted) === true
}

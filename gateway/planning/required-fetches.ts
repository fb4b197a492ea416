import type { FetchNode, PlanNode, QueryPlanSelectionNode, SubscriptionNode } from '@apollo/query-planner'
import { type DocumentNode, Kind, parse, print, type SelectionNode, type SelectionSetNode, stripIgnoredCharacters, visit } from 'graphql'
import { withoutSpreads } from './fragments.ts'
import { type StandIns, withRequiredFields } from './supergraph/stand-ins.ts'

/**
 * A plan in which fetches ask for the fields that stand-ins stand for, and in which no fetch tells a subgraph two values of one required
 * field: fields whose requirements contradict each other are fetched apart.
 */
export function withRequirements(node: PlanNode | SubscriptionNode, standIns: StandIns): PlanNode | SubscriptionNode {
  if (standIns.fields.size === 0) return node
  if (node.kind !== 'Subscription') return changed(node, standIns)
  const { primary, rest } = node
  return { ...node, primary: asking(primary, standIns), ...(rest === undefined ? {} : { rest: changed(rest, standIns) }) }
}

function changed(node: PlanNode, standIns: StandIns): PlanNode {
  const through = (each: PlanNode): PlanNode => changed(each, standIns)
  switch (node.kind) {
    case 'Fetch': {
      const nodes = apart(node, standIns).map((each) => asking(each, standIns))
      const [only] = nodes
      if (nodes.length === 1 && only !== undefined) return only
      // what waits for the fetch waits for all of it: none of these has its id
      return { kind: 'Parallel', nodes: nodes.map(({ id: _, ...each }) => each) }
    }
    case 'Flatten':
      return { ...node, node: through(node.node) }
    case 'Sequence':
    case 'Parallel':
      return { ...node, nodes: node.nodes.map(through) }
    case 'Condition':
      return {
        ...node,
        ...(node.ifClause === undefined ? {} : { ifClause: through(node.ifClause) }),
        ...(node.elseClause === undefined ? {} : { elseClause: through(node.elseClause) }),
      }
    case 'Defer':
      return { ...node, primary: changedPart(node.primary, through), deferred: node.deferred.map((each) => changedPart(each, through)) }
    default:
      return node
  }
}

const changedPart = <Part extends { readonly node?: PlanNode }>(part: Part, change: (node: PlanNode) => PlanNode): Part =>
  part.node === undefined ? part : { ...part, node: change(part.node) }

function asking(node: FetchNode, { fields }: StandIns): FetchNode {
  if (![...fields.keys()].some((name) => node.operation.includes(name))) return node
  return rewritten(node, withRequiredFields(parse(node.operation, { noLocation: true }), fields))
}

function rewritten({ operationDocumentNode, ...node }: FetchNode, document: DocumentNode): FetchNode {
  return { ...node, operation: stripIgnoredCharacters(print(document)) }
}

/** The fetch in as many parts as its requirements contradict each other. */
function apart(node: FetchNode, { fields, requiredBy }: StandIns): readonly FetchNode[] {
  const told = standInsIn(node.requires ?? [], fields)
  if (!contradict(told, fields)) return [node]
  const document = withoutSpreads(parse(node.operation, { noLocation: true }))
  const parts: { readonly fields: Set<string>; readonly told: Set<string> }[] = []
  const assigned = new Set<string>()
  eachEntityField(document, (field) => {
    if (assigned.has(field)) return
    assigned.add(field)
    const needs = new Set([...(requiredBy.get(field) ?? [])].filter((name) => told.has(name)))
    const part = parts.find((each) => !contradict(new Set([...each.told, ...needs]), fields))
    if (part === undefined) parts.push({ fields: new Set([field]), told: needs })
    else {
      part.fields.add(field)
      for (const name of needs) part.told.add(name)
    }
  })
  return parts.map((part) => only(node, document, part.fields, new Set([...told].filter((name) => !part.told.has(name)))))
}

function standInsIn(selections: readonly QueryPlanSelectionNode[], fields: StandIns['fields'], into = new Set<string>()): Set<string> {
  for (const selection of selections) {
    if (selection.kind === 'Field' && fields.has(selection.name)) into.add(selection.name)
    standInsIn(selection.selections ?? [], fields, into)
  }
  return into
}

/** Whether two of them stand for one field. */
const contradict = (told: ReadonlySet<string>, fields: StandIns['fields']): boolean =>
  new Set([...told].map((name) => fields.get(name)?.name)).size < told.size

/** The part of a fetch of entities that has these fields, each as `Type.field`, and does not tell these stand-ins. */
function only(node: FetchNode, document: DocumentNode, fields: ReadonlySet<string>, untold: ReadonlySet<string>): FetchNode {
  const kept = (set: SelectionSetNode, type: string): SelectionSetNode => ({
    ...set,
    selections: set.selections.flatMap((selection): SelectionNode[] => {
      if (selection.kind === Kind.FRAGMENT_SPREAD) return []
      if (selection.kind === Kind.FIELD)
        return selection.name.value === '__typename' || fields.has(`${type}.${selection.name.value}`) ? [selection] : []
      const selectionSet = kept(selection.selectionSet, selection.typeCondition?.name.value ?? type)
      return selectionSet.selections.length === 0 ? [] : [{ ...selection, selectionSet }]
    }),
  })
  const entities = visit(document, {
    Field: (field) => {
      if (field.name.value !== '_entities' || field.selectionSet === undefined) return undefined
      return { ...field, selectionSet: kept(field.selectionSet, '') }
    },
  })
  const variables = new Set<string>()
  visit(entities, { VariableDefinition: () => false, Variable: ({ name }) => void variables.add(name.value) })
  const narrowed = visit(entities, {
    VariableDefinition: (definition) => (variables.has(definition.variable.name.value) ? false : null),
  })
  return {
    ...rewritten(node, narrowed),
    ...(node.variableUsages === undefined ? {} : { variableUsages: node.variableUsages.filter((name) => variables.has(name)) }),
    requires: without(node.requires ?? [], untold),
  }
}

const without = <Node extends QueryPlanSelectionNode>(selections: readonly Node[], untold: ReadonlySet<string>): Node[] =>
  selections
    .filter((selection) => selection.kind !== 'Field' || !untold.has(selection.name))
    .map((selection) =>
      selection.selections === undefined ? selection : { ...selection, selections: without(selection.selections, untold) },
    )

/** Every field that is fetched of the entities themselves, as `Type.field`. */
function eachEntityField(document: DocumentNode, visited: (field: string) => void): void {
  const walk = (set: SelectionSetNode, type: string): void => {
    for (const selection of set.selections) {
      if (selection.kind === Kind.INLINE_FRAGMENT) walk(selection.selectionSet, selection.typeCondition?.name.value ?? type)
      else if (selection.kind === Kind.FIELD && selection.name.value !== '__typename') visited(`${type}.${selection.name.value}`)
    }
  }
  visit(document, {
    Field: (field) => {
      if (field.name.value !== '_entities' || field.selectionSet === undefined) return undefined
      walk(field.selectionSet, '')
      return false
    },
  })
}

import type { FetchNode, PlanNode, QueryPlanSelectionNode, SubscriptionNode } from '@apollo/query-planner'
import { parse } from 'graphql'
import { withoutSpreads } from '../operation/fragments.ts'
import type { RequiredPaths } from '../supergraph/required-paths.ts'
import { fetchedFields, narrowedFetch, withDocument } from './fetched-fields.ts'
import { type PlaceholderFields, withRequiredFields } from './placeholder-fields.ts'

/** The requirements of fields. */
interface Requirements {
  readonly placeholders: PlaceholderFields
  readonly required: RequiredPaths
}

interface Change extends Requirements {
  /** ids of the fetches that replace one, by its id: deferred results wait for all of them */
  readonly divided: Map<string, readonly string[]>
}

/** Replaces placeholders in a plan by the required fields, and splits fetches that would send a subgraph two values of one required field. */
export function withRequirements(node: PlanNode | SubscriptionNode, requirements: Requirements): PlanNode | SubscriptionNode {
  if (requirements.placeholders.size === 0) return node
  const change: Change = { ...requirements, divided: new Map() }
  if (node.kind !== 'Subscription') return changed(node, change)
  const { primary, rest } = node
  return { ...node, primary: withoutPlaceholders(primary, requirements), ...(rest === undefined ? {} : { rest: changed(rest, change) }) }
}

function changed(node: PlanNode, change: Change): PlanNode {
  const through = (each: PlanNode): PlanNode => changed(each, change)
  switch (node.kind) {
    case 'Fetch': {
      const nodes = splitFetch(node, change).map((each) => withoutPlaceholders(each, change))
      const [only] = nodes
      if (nodes.length === 1 && only !== undefined) return only
      const { id } = node
      if (id === undefined) return { kind: 'Parallel', nodes: [...nodes] }
      const numbered = nodes.map((each, index) => ({ ...each, id: `${id}.${index}` }))
      change.divided.set(
        id,
        numbered.map((each) => each.id),
      )
      return { kind: 'Parallel', nodes: numbered }
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
    case 'Defer': {
      const primary = changedPart(node.primary, through)
      const deferred = node.deferred.map((each) => changedPart(each, through))
      return {
        ...node,
        primary,
        deferred: deferred.map((each) => ({ ...each, depends: each.depends.flatMap((one) => allOf(one, change)) })),
      }
    }
    default:
      return node
  }
}

const changedPart = <Part extends { readonly node?: PlanNode }>(part: Part, change: (node: PlanNode) => PlanNode): Part =>
  part.node === undefined ? part : { ...part, node: change(part.node) }

const allOf = <Dependency extends { readonly id: string }>(one: Dependency, { divided }: Change): readonly Dependency[] =>
  divided.get(one.id)?.map((id) => ({ ...one, id })) ?? [one]

function withoutPlaceholders(node: FetchNode, { placeholders }: Requirements): FetchNode {
  if (![...placeholders.keys()].some((name) => node.operation.includes(name))) return node
  return withDocument(node, withRequiredFields(parse(node.operation, { noLocation: true }), placeholders))
}

/** Splits a fetch whose representations would contradict each other. */
function splitFetch(node: FetchNode, { placeholders, required }: Requirements): readonly FetchNode[] {
  if (!hasTwins(new Set(namesIn(node.requires ?? [])), placeholders)) return [node]
  const document = withoutSpreads(parse(node.operation, { noLocation: true }))
  const parts: { readonly fields: Set<string>; readonly sent: Set<string> }[] = []
  const sent = new Set<string>()
  const assigned = new Set<string>()
  for (const { type, name } of fetchedFields(document)) {
    const field = `${type}.${name}`
    if (name === '__typename' || assigned.has(field)) continue
    assigned.add(field)
    const needs = required(node.serviceName, type, name)
    for (const path of needs) sent.add(path)
    const part = parts.find((each) => !hasTwins(new Set([...each.sent, ...needs]), placeholders))
    if (part === undefined) parts.push({ fields: new Set([field]), sent: new Set(needs) })
    else {
      part.fields.add(field)
      for (const path of needs) part.sent.add(path)
    }
  }
  if (parts.length < 2) return [node]
  return parts.map((part) => ({
    ...narrowedFetch(node, document, (type, name) => part.fields.has(`${type}.${name}`)),
    requires: without(node.requires ?? [], (path) => sent.has(path) && !part.sent.has(path)),
  }))
}

const namesIn = (selections: readonly QueryPlanSelectionNode[]): readonly string[] =>
  selections.flatMap((selection) => [...(selection.kind === 'Field' ? [selection.name] : []), ...namesIn(selection.selections ?? [])])

/** Whether two of these paths lead to one field with different arguments. */
function hasTwins(paths: ReadonlySet<string>, placeholders: PlaceholderFields): boolean {
  const placeOf = (path: string): string =>
    path
      .split('.')
      .map((name) => placeholders.get(name)?.name ?? name)
      .join('.')
  return new Set([...paths].map(placeOf)).size < paths.size
}

const without = <Node extends QueryPlanSelectionNode>(
  selections: readonly Node[],
  isOmitted: (path: string) => boolean,
  around = '',
): Node[] =>
  selections.flatMap((selection) => {
    const path = selection.kind === 'Field' ? around + selection.name : around
    if (selection.kind === 'Field' && isOmitted(path)) return []
    if (selection.selections === undefined) return [selection]
    const inner = selection.kind === 'Field' ? `${path}.` : around
    return [{ ...selection, selections: without(selection.selections, isOmitted, inner) }]
  })

import '../../supergraph/apollo-opt-out.ts'
import { type Operation, type SelectionSet, Variable } from '@apollo/federation-internals'
import type { GraphQLError } from 'graphql'
import type { RefusedPath } from '../../authorization/allowed-operation.ts'
import { type Entity, isEntity, ownValue } from '../../operation/entity.ts'
import {
  bubble,
  type Complete,
  completion,
  type DeferredObject,
  plainNaming,
  type ResponseNames,
  reported,
  type Trail,
} from './value-completion.ts'

/**
 * Completes the merged data of subgraphs to the client's response.
 * @param passesNewValues - passes enum values that the supergraph lacks, from subgraphs of a newer release, to REST, which maps them to documented
 * ones; in GraphQL they are problems
 * @returns data, and problems of non-null or mistyped values
 */
export type ResultShape = (data: Entity, variables: Readonly<Record<string, unknown>>, passesNewValues?: boolean) => CompletedResult

/** A completed response or deferred result. */
export interface CompletedResult {
  readonly data: Entity | null
  readonly problems: readonly GraphQLError[]
  /** paths where the name of a hidden type would be revealed */
  readonly hidden: readonly RefusedPath[]
  /** deferred objects */
  readonly deferred: readonly DeferredObject[]
}

/** Maximum cached combinations of @skip and @include values per operation. */
const maxVariants = 16

/**
 * Computes the response shape once per combination of @skip and @include values; @apollo/gateway computes it per response, which takes most of its
 * time. @param operation - without introspection
 * @param naming - maps response names of the operation
 */
export function resultShape(operation: Operation, naming: ResponseNames = plainNaming): ResultShape {
  const root = operation.schema().schemaDefinition.rootType(operation.rootKind)
  if (root === undefined) throw new RangeError(`the schema has no ${operation.rootKind}`)
  const names = [...conditionsOf(operation.selectionSet)]
  const defaults = operation.collectDefaultedVariableValues()
  const variants = new Map<string, Complete>()

  const variant = (values: readonly unknown[]): Complete => {
    const key = values.join()
    const cached = variants.get(key)
    if (cached !== undefined) return cached
    const byName = new Map(names.map((name, index) => [name, values[index] === true]))
    const complete = completion(operation.schema(), byName, naming).object(root, [operation.selectionSet])
    if (variants.size < maxVariants) variants.set(key, complete)
    return complete
  }

  return (data, variables, passesNewValues = false) => {
    return shaped(variant(names.map((name) => ownValue(variables, name) ?? defaults[name])), data, [], passesNewValues)
  }
}

/** Completes a deferred object after its fetch. */
export const deferredShape = ({ value, path, complete }: DeferredObject): CompletedResult => shaped(complete, value, path)

function shaped(complete: Complete, data: Entity, path: readonly (string | number)[], passesNewValues = false): CompletedResult {
  const trail: Trail = { path: [...path], problems: [], hidden: new Map(), deferred: [], passesNewValues }
  const value = complete(data, trail)
  const isAnswer = value !== bubble && value !== reported && isEntity(value)
  const hidden = [...trail.hidden.values()].map((place) => [...path, ...place.slice(path.length)])
  return { data: isAnswer ? value : null, problems: trail.problems, hidden, deferred: trail.deferred }
}

/** Returns the names of the variables of @skip and @include. */
function conditionsOf(set: SelectionSet, into = new Set<string>()): ReadonlySet<string> {
  for (const selection of set.selections()) {
    for (const directive of selection.element.appliedDirectives) {
      const condition: unknown = directive.arguments().if
      if (condition instanceof Variable) into.add(condition.name)
    }
    if (selection.selectionSet !== undefined) conditionsOf(selection.selectionSet, into)
  }
  return into
}

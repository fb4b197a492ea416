import '../../telemetry/apollo-opt-out.ts'
import { type Operation, type SelectionSet, Variable } from '@apollo/federation-internals'
import type { GraphQLError } from 'graphql'
import type { RefusedPath } from '../../authorization/allowed-operation.ts'
import { type Entity, isEntity, ownValue } from '../steps/entity.ts'
import {
  bubble,
  type Complete,
  completion,
  type DeferredObject,
  type Naming,
  plainNaming,
  reported,
  type Trail,
} from './value-completion.ts'

/**
 * Turns what the subgraphs gave together into what the client asked for.
 * @returns the answer's data, and why something in it that must not be null is (or is not what its type says)
 */
export type ResultShape = (data: Entity, variables: Readonly<Record<string, unknown>>) => Shaped

/** An answer, or a part of one. */
export interface Shaped {
  readonly data: Entity | null
  readonly problems: readonly GraphQLError[]
  /** where an object of a type that the caller may not see would have been told by its name */
  readonly hidden: readonly RefusedPath[]
  /** what comes later */
  readonly deferred: readonly DeferredObject[]
}

/** Combinations of @skip and @include variables whose shape is kept for one operation. */
const maxVariants = 16

/**
 * Works the shape of an operation out once for each combination of the variables in its @skip and @include; @apollo/gateway does it for
 * every answer anew, which is most of its time.
 * @param operation - that does not ask for the schema itself   @param naming - what becomes of the operation's response names
 */
export function resultShape(operation: Operation, naming: Naming = plainNaming): ResultShape {
  const root = operation.schema().schemaDefinition.rootType(operation.rootKind)
  if (root === undefined) throw new RangeError(`the schema has no ${operation.rootKind}`)
  const names = [...conditionsOf(operation.selectionSet)]
  const defaults = operation.collectDefaultedVariableValues()
  const variants = new Map<string, Complete>()

  const variant = (values: readonly unknown[]): Complete => {
    const key = values.join()
    const known = variants.get(key)
    if (known !== undefined) return known
    const byName = new Map(names.map((name, index) => [name, values[index] === true]))
    const made = completion(operation.schema(), byName, naming).object(root, [operation.selectionSet])
    if (variants.size < maxVariants) variants.set(key, made)
    return made
  }

  return (data, variables) => {
    return shaped(variant(names.map((name) => ownValue(variables, name) ?? defaults[name])), data, [])
  }
}

/** What comes later of an object, as soon as it has been fetched. */
export const shapedLater = ({ value, path, complete }: DeferredObject): Shaped => shaped(complete, value, path)

function shaped(complete: Complete, data: Entity, path: readonly (string | number)[]): Shaped {
  const trail: Trail = { path: [...path], problems: [], hidden: new Map(), deferred: [] }
  const made = complete(data, trail)
  const isAnswer = made !== bubble && made !== reported && isEntity(made)
  const hidden = [...trail.hidden.values()].map((place) => [...path, ...place.slice(path.length)])
  return { data: isAnswer ? made : null, problems: trail.problems, hidden, deferred: trail.deferred }
}

/** Names of the variables that @skip and @include depend on. */
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

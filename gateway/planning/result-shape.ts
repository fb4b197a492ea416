import '../no-telemetry.ts'
import { type Operation, type SelectionSet, Variable } from '@apollo/federation-internals'
import type { GraphQLError } from 'graphql'
import { type Entity, isEntity, ownValue } from './entity.ts'
import { bubble, type Complete, completion, reported, type Trail } from './value-completion.ts'

/**
 * Turns what the subgraphs gave together into what the client asked for.
 * @returns the answer's data, and why something in it that must not be null is (or is not what its type says)
 */
export type ResultShape = (
  data: Entity,
  variables: Readonly<Record<string, unknown>>,
) => { readonly data: Entity | null; readonly problems: readonly GraphQLError[] }

/** Combinations of @skip and @include variables whose shape is kept for one operation. */
const maxVariants = 16

/**
 * Works the shape of an operation out once for each combination of the variables in its @skip and @include; @apollo/gateway does it for
 * every answer anew, which is most of its time.
 * @returns undefined for an operation that asks for the schema itself
 */
export function resultShape(operation: Operation): ResultShape | undefined {
  const { introspects, conditions } = survey(operation.selectionSet)
  const root = operation.schema().schemaDefinition.rootType(operation.rootKind)
  if (introspects || root === undefined) return undefined
  const names = [...conditions]
  const defaults = operation.collectDefaultedVariableValues()
  const variants = new Map<string, Complete>()

  const variant = (values: readonly unknown[]): Complete => {
    const key = values.join()
    const known = variants.get(key)
    if (known !== undefined) return known
    const byName = new Map(names.map((name, index) => [name, values[index] === true]))
    const made = completion(operation.schema(), byName).object(root, [operation.selectionSet])
    if (variants.size < maxVariants) variants.set(key, made)
    return made
  }

  return (data, variables) => {
    const trail: Trail = { path: [], problems: [] }
    const shaped = variant(names.map((name) => ownValue(variables, name) ?? defaults[name]))(data, trail)
    return { data: shaped !== bubble && shaped !== reported && isEntity(shaped) ? shaped : null, problems: trail.problems }
  }
}

interface Survey {
  readonly introspects: boolean
  /** names of the variables that @skip and @include depend on */
  readonly conditions: ReadonlySet<string>
}

function survey(set: SelectionSet, conditions = new Set<string>()): Survey {
  let introspects = false
  for (const selection of set.selections()) {
    for (const directive of selection.element.appliedDirectives) {
      const condition: unknown = directive.arguments().if
      if (condition instanceof Variable) conditions.add(condition.name)
    }
    if (selection.kind === 'FieldSelection' && selection.element.definition.isSchemaIntrospectionField()) introspects = true
    if (selection.selectionSet !== undefined && survey(selection.selectionSet, conditions).introspects) introspects = true
  }
  return { introspects, conditions }
}

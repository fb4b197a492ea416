import type { QueryPlanSelectionNode } from '@apollo/query-planner'
import { type GraphQLSchema, isAbstractType, isInterfaceType, isObjectType } from 'graphql'
import { type Entity, isEntity, merge, ownValue, setOwn } from '../../operation/entity.ts'
import type { PlaceholderFields } from '../../planning/placeholder-fields.ts'
import type { OmittedFields } from './omitted-fields.ts'

/**
 * Builds the representation of an entity. @param omitted - omissions of the fetch
 * @param lacking - receives the paths of missing fields
 * @returns null if a required field is missing
 */
export type Representation = (entity: Entity, omitted: OmittedFields | undefined, lacking: string[]) => Entity | null

/** Creates the function that builds representations for a subgraph: the key, and the fields of `@requires`. */
export function representing(
  selections: readonly QueryPlanSelectionNode[],
  supergraph: GraphQLSchema,
  placeholders: PlaceholderFields,
): Representation {
  const isOf = typeTest(supergraph)

  const picked = (value: unknown, inner: readonly QueryPlanSelectionNode[], path: string, picking: PickOptions): unknown => {
    if (Array.isArray(value)) return value.map((element) => picked(element, inner, path, picking))
    return isEntity(value) ? pick(value, inner, path, picking) : value
  }
  const pick = (entity: Entity, wanted: readonly QueryPlanSelectionNode[], around: string, picking: PickOptions): Entity | null => {
    const made: Entity = {}
    let isWhole = true
    for (const selection of wanted) {
      if (selection.kind === 'Field') {
        const name = selection.alias ?? selection.name
        const value = ownValue(entity, name)
        const path = around + selection.name
        const { selections: inner } = selection
        if (value !== undefined)
          setOwn(made, placeholders.get(name)?.name ?? name, inner === undefined ? value : picked(value, inner, `${path}.`, picking))
        else if (picking.omitted?.mayBeMissing(path) !== true) {
          picking.lacking.push(path)
          isWhole = false
        }
      } else if (selection.typeCondition !== undefined && isOf(entity.__typename, selection.typeCondition)) {
        const more = pick(entity, selection.selections, around, picking)
        if (more !== null) merge(made, more)
      }
    }
    return isWhole ? made : null
  }
  return (entity, omitted, lacking) => pick(entity, selections, '', { omitted, lacking })
}

interface PickOptions {
  readonly omitted: OmittedFields | undefined
  readonly lacking: string[]
}

/** Whether an object of one type is also of the other. */
export function typeTest(schema: GraphQLSchema): (typename: unknown, condition: string) => boolean {
  return (typename, condition) => {
    if (typename === condition) return true
    if (typeof typename !== 'string') return false
    const type = schema.getType(typename)
    const wider = schema.getType(condition)
    return isAbstractType(wider) && (isObjectType(type) || isInterfaceType(type)) && schema.isSubType(wider, type)
  }
}

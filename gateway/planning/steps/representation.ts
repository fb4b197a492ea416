import type { QueryPlanSelectionNode } from '@apollo/query-planner'
import { type GraphQLSchema, isAbstractType, isInterfaceType, isObjectType } from 'graphql'
import type { StandIns } from '../supergraph/stand-ins.ts'
import { type Entity, isEntity, merge, ownValue, setOwn } from './entity.ts'

/**
 * What a subgraph has to be told of an object so that it can find it: its key and the fields that `@requires` names.
 * @returns a function that gives null when a field of it is not there
 */
export function representing(
  selections: readonly QueryPlanSelectionNode[],
  supergraph: GraphQLSchema,
  standIns: StandIns['fields'],
): (entity: Entity) => Entity | null {
  const isOf = typeTest(supergraph)

  const picked = (value: unknown, inner: readonly QueryPlanSelectionNode[]): unknown => {
    if (Array.isArray(value)) return value.map((element) => picked(element, inner))
    return isEntity(value) ? pick(value, inner) : value
  }
  const pick = (entity: Entity, wanted: readonly QueryPlanSelectionNode[]): Entity | null => {
    const made: Entity = {}
    for (const selection of wanted) {
      if (selection.kind === 'Field') {
        const name = selection.alias ?? selection.name
        const value = ownValue(entity, name)
        if (value === undefined) return null
        setOwn(made, standIns.get(name)?.name ?? name, selection.selections === undefined ? value : picked(value, selection.selections))
      } else if (selection.typeCondition !== undefined && isOf(entity.__typename, selection.typeCondition)) {
        const more = pick(entity, selection.selections)
        if (more !== null) merge(made, more)
      }
    }
    return made
  }
  return (entity) => pick(entity, selections)
}

/** Whether an object of the one type is also of the other. */
export function typeTest(schema: GraphQLSchema): (typename: unknown, condition: string) => boolean {
  return (typename, condition) => {
    if (typename === condition) return true
    if (typeof typename !== 'string') return false
    const type = schema.getType(typename)
    const wider = schema.getType(condition)
    return isAbstractType(wider) && (isObjectType(type) || isInterfaceType(type)) && schema.isSubType(wider, type)
  }
}

import type { QueryPlanSelectionNode } from '@apollo/query-planner'
import { type GraphQLSchema, isAbstractType, isInterfaceType, isObjectType } from 'graphql'
import type { StandIns } from '../supergraph/stand-ins.ts'
import { type Entity, isEntity, merge, ownValue, setOwn } from './entity.ts'
import type { LeftOut } from './left-out.ts'

/** Tells what a subgraph is told of an entity. @param leftOut - of the fetch @returns null when a field of it is not there */
export type Representation = (entity: Entity, leftOut: LeftOut | undefined) => Entity | null

/** What a subgraph has to be told of an object so that it can find it: its key and the fields that `@requires` names. */
export function representing(
  selections: readonly QueryPlanSelectionNode[],
  supergraph: GraphQLSchema,
  standIns: StandIns['fields'],
): Representation {
  const isOf = typeTest(supergraph)

  const picked = (value: unknown, inner: readonly QueryPlanSelectionNode[], path: string, leftOut: LeftOut | undefined): unknown => {
    if (Array.isArray(value)) return value.map((element) => picked(element, inner, path, leftOut))
    return isEntity(value) ? pick(value, inner, path, leftOut) : value
  }
  const pick = (entity: Entity, wanted: readonly QueryPlanSelectionNode[], around: string, leftOut: LeftOut | undefined): Entity | null => {
    const made: Entity = {}
    for (const selection of wanted) {
      if (selection.kind === 'Field') {
        const name = selection.alias ?? selection.name
        const value = ownValue(entity, name)
        const path = around + selection.name
        if (value === undefined) {
          if (leftOut?.isSpared(path) === true) continue
          return null
        }
        const { selections: inner } = selection
        setOwn(made, standIns.get(name)?.name ?? name, inner === undefined ? value : picked(value, inner, `${path}.`, leftOut))
      } else if (selection.typeCondition !== undefined && isOf(entity.__typename, selection.typeCondition)) {
        const more = pick(entity, selection.selections, around, leftOut)
        if (more !== null) merge(made, more)
      }
    }
    return made
  }
  return (entity, leftOut) => pick(entity, selections, '', leftOut)
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

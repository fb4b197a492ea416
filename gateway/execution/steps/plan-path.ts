import type { ResponsePath } from '@apollo/query-planner'
import { type Entity, isEntity, ownValue } from '../../operation/entity.ts'

/** The objects at a path of a query plan; none or several because of nulls and lists. */
export interface ObjectsAtPath {
  readonly entities: readonly Entity[]
  /** Returns the response path of one of them; computed on demand, for errors only */
  pathOf(entity: Entity): ResponsePath
}

/** @param path - response names; `@` stands for every element of a list */
export function objectsAt(data: Entity, path: ResponsePath): ObjectsAtPath {
  const entities: Entity[] = []
  gather(data, path, 0, entities)
  return {
    entities,
    pathOf: (entity) => search(data, path, 0, entity) ?? [],
  }
}

/** Returns the objects from the root to each object at a path, in order. Lists within the path are replaced by their elements. */
export function objectTrails(data: Entity, path: ResponsePath): readonly (readonly Entity[])[] {
  const into: (readonly Entity[])[] = []
  const gatherTrails = (value: unknown, from: number, around: readonly Entity[]): void => {
    const step = path[from]
    if (Array.isArray(value)) for (const element of value) gatherTrails(element, step === '@' ? from + 1 : from, around)
    else if (isEntity(value) && step !== '@') {
      const trail = [...around, value]
      if (step === undefined) into.push(trail)
      else gatherTrails(ownValue(value, String(step)), from + 1, trail)
    }
  }
  gatherTrails(data, 0, [])
  return into
}

function gather(value: unknown, path: ResponsePath, from: number, into: Entity[]): void {
  if (value === null || value === undefined) return
  const step = path[from]
  if (step === '@') {
    if (Array.isArray(value)) for (const element of value) gather(element, path, from + 1, into)
  } else if (Array.isArray(value)) for (const element of value) gather(element, path, from, into)
  else if (!isEntity(value)) return
  else if (step === undefined) into.push(value)
  else gather(ownValue(value, String(step)), path, from + 1, into)
}

function search(value: unknown, path: ResponsePath, from: number, wanted: Entity): ResponsePath | undefined {
  const step = path[from]
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      const rest = search(element, path, step === '@' ? from + 1 : from, wanted)
      if (rest !== undefined) return [index, ...rest]
    }
    return undefined
  }
  if (!isEntity(value)) return undefined
  if (step === undefined) return value === wanted ? [] : undefined
  const rest = search(ownValue(value, String(step)), path, from + 1, wanted)
  return rest && [step, ...rest]
}

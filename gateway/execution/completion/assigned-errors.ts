import type { GraphQLError } from 'graphql'
import { isEntity } from '../../operation/entity.ts'
import type { DeferredObject } from './value-completion.ts'

/** A path in a response, with the response names of the client. */
type Path = readonly (string | number)[]

/** Errors of a result: those reported with it, and those of later results. */
export interface AssignedErrors {
  readonly now: readonly GraphQLError[]
  readonly later: readonly GraphQLError[]
}

/**
 * Assigns errors to the result that they concern: a fetch may serve several results. @param data - at `path` in the response
 * @param deferred - deferred objects in it
 */
export function assignedErrors(
  errors: readonly GraphQLError[],
  path: Path,
  data: unknown,
  deferred: readonly DeferredObject[],
): AssignedErrors {
  if (errors.length === 0 || deferred.length === 0) return { now: errors, later: [] }
  const places = new Set(deferred.map((each) => placeKey(each.path)))
  const isLater = ({ path: at }: GraphQLError): boolean =>
    at !== undefined && !reaches(data, at.slice(path.length)) && at.some((_, length) => places.has(placeKey(at.slice(0, length))))
  const later = new Set(errors.filter(isLater))
  return { now: errors.filter((error) => !later.has(error)), later: [...later] }
}

/** Whether data has a value at a path, or null on the way. */
export function reaches(data: unknown, path: Path): boolean {
  let here = data
  for (const step of path) {
    if (here === null) return true
    if (!(isEntity(here) || Array.isArray(here)) || !Object.hasOwn(here, step)) return false
    here = Reflect.get(here, step)
  }
  return true
}

export const placeKey = (path: Path): string => JSON.stringify(path)

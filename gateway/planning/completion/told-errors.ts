import type { GraphQLError } from 'graphql'
import { isEntity } from '../steps/entity.ts'
import type { DeferredObject } from './value-completion.ts'

/** A place in an answer, under the response names of the client. */
type Path = readonly (string | number)[]

/** Errors of an answer, or of a part of one: those to be told with it, and those of what comes later. */
export interface ToldErrors {
  readonly now: readonly GraphQLError[]
  readonly later: readonly GraphQLError[]
}

/**
 * An error is told with what it is about: a fetch for one part of an answer may have been for a later one, too.
 * @param data - at `path` in the answer   @param deferred - objects in it of which more comes later
 */
export function toldErrors(errors: readonly GraphQLError[], path: Path, data: unknown, deferred: readonly DeferredObject[]): ToldErrors {
  if (errors.length === 0 || deferred.length === 0) return { now: errors, later: [] }
  const places = new Set(deferred.map((each) => placeKey(each.path)))
  const isLater = ({ path: at }: GraphQLError): boolean =>
    at !== undefined && !reaches(data, at.slice(path.length)) && at.some((_, length) => places.has(placeKey(at.slice(0, length))))
  const later = new Set(errors.filter(isLater))
  return { now: errors.filter((error) => !later.has(error)), later: [...later] }
}

/** Whether data has what a path leads to, or null on the way there. */
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

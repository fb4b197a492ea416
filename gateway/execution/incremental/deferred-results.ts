import type { GraphQLError } from 'graphql'
import type { RefusedPath, RefusedPlace } from '../../authorization/allowed-operation.ts'
import type { PartLabels } from '../../operation/deferred-fragments.ts'
import { assignedErrors, placeKey, reaches } from '../completion/assigned-errors.ts'
import { type CompletedResult, deferredShape } from '../completion/result-shape.ts'
import type { DeferredObject } from '../completion/value-completion.ts'
import type { DeferredFetches } from '../steps/deferred-fetches.ts'
import type { DeferredExecution, ExecutedPart, ExecutedParts, PartPlace } from '../steps/execution.ts'

export interface DeferredResultsOptions {
  /** objects of the first result with deferred fields */
  readonly deferred: readonly DeferredObject[]
  /** errors so far */
  readonly errors: readonly GraphQLError[]
  readonly fetches: DeferredFetches
  /** converts an error to the client's response names */
  shown(error: GraphQLError): GraphQLError
  readonly labelOf: PartLabels
  /** paths that the caller may not see in any deferred result */
  readonly refused: readonly RefusedPlace[]
}

/** Yields deferred results as they are fetched: simultaneous ones together, nested ones after the outer one. */
export function deferredResults(options: DeferredResultsOptions): DeferredExecution {
  const places = new Map<DeferredObject, PartPlace>()
  const placeOf = (object: DeferredObject): PartPlace => {
    const { path, label } = object
    const place = places.get(object) ?? { id: String(places.size), path, label: options.labelOf(label) }
    places.set(object, place)
    return place
  }
  return { pending: options.deferred.map(placeOf), parts: arriving(options, placeOf) }
}

async function* arriving(
  { deferred, errors, fetches, shown, refused }: DeferredResultsOptions,
  placeOf: (object: DeferredObject) => PartPlace,
): AsyncGenerator<ExecutedParts, void> {
  /** by label: a fragment is fetched for all of its objects at once */
  const waiting = new Map<string, DeferredObject[]>()
  const arrived = new Map<string, readonly GraphQLError[]>()
  let arrival = Promise.withResolvers<void>()
  let unassigned = errors

  const refusedIn = ({ label, path: at }: DeferredObject): readonly RefusedPath[] =>
    refused.flatMap(({ path, part }) => (part?.label === label ? [[...at, ...path.slice(part.depth)]] : []))
  const expect = (objects: readonly DeferredObject[]): void => {
    for (const [label, ofLabel] of Map.groupBy(objects, (object) => object.label)) {
      waiting.set(label, ofLabel)
      void fetches.fetched(label).then((fetchErrors) => {
        arrived.set(label, fetchErrors)
        arrival.resolve()
      })
    }
  }

  expect(deferred)
  while (waiting.size > 0) {
    await arrival.promise
    arrival = Promise.withResolvers()
    const parts: ExecutedPart[] = []
    const pending: DeferredObject[] = []
    for (const [label, fetchErrors] of arrived) {
      const shaped = (waiting.get(label) ?? []).map((object) => ({ object, made: deferredShape(object) }))
      const { own, later } = errorsOf(shaped, fetchErrors.map(shown), unassigned)
      unassigned = later
      shaped.forEach(({ object, made }, index) => {
        const { [index]: errors = [] } = own
        const problems = fetchErrors.length + errors.length > 0 ? [] : made.problems
        parts.push({ ...placeOf(object), data: made.data, errors, problems, refused: [...refusedIn(object), ...made.hidden] })
        pending.push(...made.deferred)
      })
      waiting.delete(label)
    }
    arrived.clear()
    expect(pending)
    yield { parts: waiting.size > 0 ? parts : withErrors(parts, unassigned), pending: pending.map(placeOf), hasNext: waiting.size > 0 }
  }
}

interface ShapedPart {
  readonly object: DeferredObject
  readonly made: CompletedResult
}

/**
 * @param fetchErrors - errors while the fragment was fetched
 * @param unassigned - errors while others were fetched
 * @returns the errors of each result, and those of later ones
 */
function errorsOf(parts: readonly ShapedPart[], fetchErrors: readonly GraphQLError[], unassigned: readonly GraphQLError[]) {
  const later: GraphQLError[] = []
  const own = parts.map((): GraphQLError[] => [])
  if (fetchErrors.length + unassigned.length === 0) return { own, later }
  const indexes = new Map(parts.map(({ object }, index) => [placeKey(object.path), index]))
  const length = parts[0]?.object.path.length ?? 0
  const indexOf = ({ path }: GraphQLError): number | undefined => path && indexes.get(placeKey(path.slice(0, length)))

  for (const error of unassigned) {
    const index = indexOf(error)
    const data = index === undefined ? undefined : parts[index]?.made.data
    if (index !== undefined && reaches(data, (error.path ?? []).slice(length))) own[index]?.push(error)
    else later.push(error)
  }
  // an error without a path is reported once
  for (const error of fetchErrors) own[indexOf(error) ?? 0]?.push(error)
  return {
    later: [
      ...later,
      ...parts.flatMap(({ object, made }, index) => assignedErrors(own[index] ?? [], object.path, made.data, made.deferred).later),
    ],
    own: parts.map(({ object, made }, index) => assignedErrors(own[index] ?? [], object.path, made.data, made.deferred).now),
  }
}

/** Errors that belong to no delivered result are reported with the last one. */
function withErrors([first, ...others]: readonly ExecutedPart[], errors: readonly GraphQLError[]): readonly ExecutedPart[] {
  return first === undefined ? [] : [{ ...first, errors: [...first.errors, ...errors] }, ...others]
}

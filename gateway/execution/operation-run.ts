import { GraphQLError } from 'graphql'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import type { RefusedPlace } from '../authorization/allowed-operation.ts'
import type { PartLabels } from '../operation/deferred-fragments.ts'
import { assignedErrors } from './completion/assigned-errors.ts'
import type { ResultShape } from './completion/result-shape.ts'
import { deferredResults } from './incremental/deferred-results.ts'
import type { IntrospectionSplit } from './introspection.ts'
import { DeferredFetches } from './steps/deferred-fetches.ts'
import type { Execution, Fetchers, PlanRun, PlanStep } from './steps/execution.ts'

/** Executes one operation. */
export type Run = (variables: Readonly<Record<string, unknown>>, context: RequestContext, sources: Fetchers) => Promise<Execution>

interface RunOptions {
  /** the fetches */
  readonly step: PlanStep
  /** completion of the response */
  readonly shape: ResultShape
  /** returns the client's response name of a private one; absent: they are equal */
  readonly shown: ((name: string) => string) | undefined
  /** returns the paths that the caller may not see */
  refusedPlaces(variables: Readonly<Record<string, unknown>>): readonly RefusedPlace[]
  /** returns the client's label of a private one, for deferred results */
  readonly labelOf: PartLabels | undefined
}

/** Executes a plan and completes its response. */
export const running =
  ({ step, shape, shown, refusedPlaces, labelOf }: RunOptions): Run =>
  async (variables, context, sources) => {
    const deferral = labelOf && new DeferredFetches()
    const run: PlanRun = { variables, context, sources, data: {}, errors: [], deferral }
    await step(run)
    const { data, problems, hidden, deferred } = shape(run.data, variables, context.interface === 'rest')
    const asShown = (error: GraphQLError): GraphQLError => (shown === undefined ? error : pathShown(error, shown))
    const { now: errors, later } = assignedErrors(shown === undefined ? run.errors : run.errors.map(asShown), [], data, deferred)
    const refused = refusedPlaces(variables)
    const refusedNow = refused.flatMap(({ path, part }) => (part === undefined ? [path] : []))
    // missing data was reported by the error that caused it
    const first = { data, errors, problems: errors.length > 0 ? [] : problems, refused: [...refusedNow, ...hidden] }
    if (deferral === undefined || labelOf === undefined || deferred.length === 0) return first
    return { ...first, later: deferredResults({ deferred, errors: later, fetches: deferral, shown: asShown, labelOf, refused }) }
  }

function pathShown(error: GraphQLError, shown: (name: string) => string): GraphQLError {
  const { message, path, extensions, originalError } = error
  if (path === undefined) return error
  return new GraphQLError(message, { path: path.map((step) => (typeof step === 'string' ? shown(step) : step)), extensions, originalError })
}

/** Merges introspection and subgraph results in requested order. */
export const withIntrospection =
  ({ introspect, order }: IntrospectionSplit, rest: Run | undefined): Run =>
  async (variables, context, sources) => {
    const own = introspect?.(variables) ?? { data: {}, errors: [] }
    const fetched = await rest?.(variables, context, sources)
    const { data, errors, problems, refused } = fetched ?? { data: {}, errors: [], problems: [], refused: [] }
    const both = data && own.data && { ...data, ...own.data }
    return {
      data: both && Object.fromEntries([...new Set(order)].filter((name) => Object.hasOwn(both, name)).map((name) => [name, both[name]])),
      errors: [...own.errors, ...errors],
      problems,
      refused,
      ...(fetched?.later === undefined ? {} : { later: fetched.later }),
    }
  }

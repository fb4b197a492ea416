import type { FetchNode, PlanNode, ResponsePath } from '@apollo/query-planner'
import { type ExecutionResult, GraphQLError, type GraphQLFormattedError, type GraphQLSchema, isObjectType } from 'graphql'
import { maxErrors } from '../../../foundation/subgraph/limited-errors.ts'
import { graphqlErrorOf } from '../../errors/masked-error.ts'
import { type Entity, isEntity, merge, ownValue, setOwn } from '../../operation/entity.ts'
import type { PlaceholderFields } from '../../planning/placeholder-fields.ts'
import type { RequiredPaths } from '../../supergraph/required-paths.ts'
import type { ResolvableEntities } from '../../supergraph/resolvable-entities.ts'
import { contextArguments } from './context-arguments.ts'
import { deferring } from './deferred-steps.ts'
import type { PlanRun, PlanStep } from './execution.ts'
import { omittableFields } from './omitted-fields.ts'
import { type ObjectsAtPath, objectsAt, objectTrails } from './plan-path.ts'
import { representing } from './representation.ts'
import { rewriting } from './rewrites.ts'
import { typenameSetter } from './typename-setter.ts'

export interface CompileOptions {
  /** the supergraph of the plan, with the implementing types of interfaces */
  readonly supergraph: GraphQLSchema
  readonly placeholders: PlaceholderFields
  readonly required: RequiredPaths
  readonly entities: ResolvableEntities
  /** default values of the operation's variables */
  readonly defaults: Readonly<Record<string, unknown>>
}

/** Makes a query plan executable. */
export function compilePlan(node: PlanNode | undefined, options: CompileOptions): PlanStep {
  return compilePart(node, [], options)
}

const compilePart = (node: PlanNode | undefined, path: ResponsePath, options: CompileOptions): PlanStep =>
  node === undefined ? () => undefined : compiled(node, path, options)

function compiled(node: PlanNode, path: ResponsePath, options: CompileOptions): PlanStep {
  switch (node.kind) {
    case 'Fetch':
      return node.id === undefined ? fetching(node, path, options) : reportingEnd(node.id, fetching(node, path, options))
    case 'Flatten':
      return compiled(node.node, [...path, ...node.path], options)
    case 'Sequence':
      return inSequence(node.nodes.map((each) => compiled(each, path, options)))
    case 'Parallel': {
      const steps = node.nodes.map((each) => compiled(each, path, options))
      return async (run) => void (await Promise.all(steps.map((step) => step(run))))
    }
    case 'Condition': {
      const { condition, ifClause, elseClause } = node
      const [then, otherwise] = [compilePart(ifClause, path, options), compilePart(elseClause, path, options)]
      return (run) => (variableOf(run, options, condition) === true ? then : otherwise)(run)
    }
    case 'Defer':
      return deferring(node, (part) => compilePart(part, path, options))
  }
}

const variableOf = ({ variables }: PlanRun, { defaults }: CompileOptions, name: string): unknown =>
  ownValue(variables, name) ?? defaults[name]

/** Reports the end of a fetch on which deferred results depend. */
function reportingEnd(id: string, step: PlanStep): PlanStep {
  return async (run) => {
    await step(run)
    run.deferral?.done(id)
  }
}

function inSequence(steps: readonly PlanStep[]): PlanStep {
  return async (run) => {
    for (const step of steps) {
      const waiting = step(run)
      if (waiting !== undefined) await waiting
    }
  }
}

function fetching(node: FetchNode, path: ResponsePath, options: CompileOptions): PlanStep {
  const { serviceName } = node
  const representation = node.requires && representing(node.requires, options.supergraph, options.placeholders)
  const isConcrete = (typename: unknown): boolean => isObjectType(options.supergraph.getType(String(typename)))
  const { byVariables, byLack } = omittableFields(node, options.required)
  const argumentsFor = contextArguments(node.contextRewrites, options.supergraph)
  const canBeFound = typenameSetter(node, options.supergraph, options.entities)
  const after = rewriting(node.outputRewrites, options.supergraph)

  const send = (
    run: PlanRun,
    { operation: query, operationName, variableUsages = [] }: FetchNode,
    more: Readonly<Record<string, unknown>>,
  ): Promise<ExecutionResult> | ExecutionResult => {
    const source = run.sources[serviceName]
    if (source === undefined) throw new Error(`no source for the subgraph ${serviceName}`)
    const variables: Entity = { ...more }
    for (const name of variableUsages) {
      const value = ownValue(run.variables, name)
      if (value === undefined) continue
      if (Object.hasOwn(more, name)) throw new Error(`Variables cannot contain key "${name}"`)
      setOwn(variables, name, value)
    }
    return source.fetch({ query, operationName, variables, context: run.context })
  }

  /** @param represented - entities of the fetch, in the order of its representations */
  const receive = (
    run: PlanRun,
    places: ObjectsAtPath,
    represented: readonly Entity[] | undefined,
    { data, errors }: ExecutionResult,
  ): void => {
    if (errors !== undefined)
      for (const error of errors.slice(0, maxErrors + 1))
        run.errors.push(located(error, serviceName, path, represented && places, represented))
    if (data === undefined || data === null) return
    if (represented === undefined) {
      after(data)
      for (const entity of places.entities) merge(entity, data)
      return
    }
    const results: unknown = data._entities
    if (!Array.isArray(results)) throw new Error('Expected "data._entities" in response to be an array')
    if (results.length !== represented.length) throw new Error(`Expected "data._entities" to contain ${represented.length} elements`)
    represented.forEach((entity, index) => {
      const more: unknown = results[index]
      if (!isEntity(more)) return
      // an @interfaceObject uses the name of the interface for every object
      if (more.__typename !== entity.__typename && (!more.__typename || isConcrete(entity.__typename))) more.__typename = entity.__typename
      after(more)
      merge(entity, more)
    })
  }

  return (run) => {
    const failed = (error: unknown): void => void run.errors.push(graphqlErrorOf(error))
    try {
      const places = objectsAt(run.data, path)
      if (places.entities.length === 0) return
      const variable = (name: string): unknown => variableOf(run, options, name)
      const omitted = byVariables(variable)
      if (omitted?.isAll === true) return
      const exchange = (
        fetch: FetchNode,
        contextValues: Readonly<Entity>,
        represented: readonly Entity[] | undefined,
      ): Promise<void> | void => {
        const answer = send(run, fetch, contextValues)
        if (!(answer instanceof Promise)) return receive(run, places, represented, answer)
        return answer.then((result) => receive(run, places, represented, result)).catch(failed)
      }
      if (representation === undefined) return exchange(node, {}, undefined)
      const around = argumentsFor && objectTrails(run.data, path)
      /** entities by requested fields and contextual arguments; each group needs a fetch of its own */
      const batches = new Map<string, Batch>()
      const lacking: string[] = []
      for (const [index, entity] of places.entities.entries()) {
        lacking.length = 0
        const whole = representation(entity, omitted, lacking)
        const rest = lacking.length === 0 ? undefined : byLack(lacking, variable)
        const key = rest === undefined ? whole : representation(entity, rest.omitted, [])
        if (rest?.omitted.isAll === true || key === null || !canBeFound(key)) continue
        const fetch = rest?.node ?? node
        const contextValues = argumentsFor?.(around?.[index] ?? [])
        const id = contextValues === undefined && rest === undefined ? '' : JSON.stringify([fetch.operation, contextValues])
        const { represented, representations } =
          batches.get(id) ?? added(batches, id, { fetch, contextValues, represented: [], representations: [] })
        represented.push(entity)
        representations.push(key)
      }
      const exchanges = [...batches.values()].map(({ fetch, contextValues, represented, representations }) =>
        exchange(fetch, { ...contextValues, representations }, represented),
      )
      const [only] = exchanges
      return exchanges.length > 1 ? Promise.all(exchanges).then(() => undefined) : only
    } catch (error) {
      failed(error)
    }
  }
}

/** Entities of one fetch. */
interface Batch {
  readonly fetch: FetchNode
  readonly contextValues: Readonly<Entity> | undefined
  readonly represented: Entity[]
  readonly representations: Entity[]
}

function added(batches: Map<string, Batch>, id: string, batch: Batch): Batch {
  batches.set(id, batch)
  return batch
}

/** Maps an error of a subgraph to the whole operation: path in the response, and name of the subgraph. */
function located(
  error: GraphQLError | GraphQLFormattedError,
  serviceName: string,
  path: ResponsePath,
  places: ObjectsAtPath | undefined,
  represented: readonly Entity[] | undefined,
): GraphQLError {
  const [, index, ...rest] = error.path ?? []
  const entity = typeof index === 'number' ? represented?.[index] : undefined
  const at = error.path && (entity === undefined ? [...path, ...error.path] : [...(places?.pathOf(entity) ?? []), ...rest])
  const extensions = { ...error.extensions, serviceName }
  return new GraphQLError(error.message || `Error while fetching subquery from service "${serviceName}"`, {
    ...(at === undefined ? {} : { path: at }),
    ...(error instanceof Error ? { originalError: error } : {}),
    extensions: error.extensions?.code === undefined ? { ...extensions, code: 'DOWNSTREAM_SERVICE_ERROR' } : extensions,
  })
}

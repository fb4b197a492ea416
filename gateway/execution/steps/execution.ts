import type { GraphQLError } from 'graphql'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import type { RefusedPath } from '../../authorization/allowed-operation.ts'
import type { Entity } from '../../operation/entity.ts'
import type { SubgraphSource } from '../../sources/subgraph-source.ts'
import type { DeferredFetches } from './deferred-fetches.ts'

/** The subgraphs of an execution, by name. */
export type Fetchers = Readonly<Record<string, Pick<SubgraphSource, 'fetch'>>>

/** The result of an execution or of a part of it. Errors are unmasked. */
export interface ExecutedPlan {
  readonly data: Record<string, unknown> | null | undefined
  readonly errors: readonly GraphQLError[]
  /** null or mistyped values that no error explains; names only types and fields */
  readonly problems: readonly GraphQLError[]
  /** paths that the caller may not see: null in the data; `@` stands for every element of a list */
  readonly refused: readonly RefusedPath[]
}

/** The position of a deferred result in the response. */
export interface PartPlace {
  /** unique in the response */
  readonly id: string
  readonly path: readonly (string | number)[]
  /** the client's label of the fragment, if any */
  readonly label: string | undefined
}

export type ExecutedPart = PartPlace & ExecutedPlan

/** Deferred results that were fetched together. */
export interface ExecutedParts {
  readonly parts: readonly ExecutedPart[]
  /** nested deferred results that follow later */
  readonly pending: readonly PartPlace[]
  /** whether more results follow */
  readonly hasNext: boolean
}

/** The results after the first one. */
export interface DeferredExecution {
  readonly pending: readonly PartPlace[]
  readonly parts: AsyncGenerator<ExecutedParts, void>
}

export interface Execution extends ExecutedPlan {
  /** absent: this is the whole response */
  readonly later?: DeferredExecution
}

/** A running execution of a plan: its inputs and results so far. */
export interface PlanRun {
  readonly variables: Readonly<Record<string, unknown>>
  readonly context: RequestContext
  readonly sources: Fetchers
  /** merged data of the subgraphs, by response name */
  readonly data: Entity
  readonly errors: GraphQLError[]
  /** absent: the plan has no deferred fetches */
  readonly deferral?: DeferredFetches | undefined
}

/** An executable part of a plan. Returns a promise only if it has to wait; never rejects. */
export type PlanStep = (run: PlanRun) => Promise<void> | void

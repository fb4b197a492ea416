import type { GraphQLError } from 'graphql'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import type { Entity } from '../../operation/entity.ts'
import type { DeferredFetches } from './deferred-fetches.ts'
import type { Fetchers } from './execution.ts'

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

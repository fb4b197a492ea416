import type { GraphQLError } from 'graphql'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import type { DeferredFetches } from './deferred-fetches.ts'
import type { Entity } from './entity.ts'
import type { Fetchers } from './execution.ts'

/** One execution of a plan: what it works with, and what it has come to. */
export interface PlanRun {
  readonly variables: Readonly<Record<string, unknown>>
  readonly context: RequestContext
  readonly sources: Fetchers
  /** what the subgraphs have given so far, under response names */
  readonly data: Entity
  readonly errors: GraphQLError[]
  /** absent: the plan has no deferred parts */
  readonly deferral?: DeferredFetches | undefined
}

/** A part of a plan, ready to run. A promise only where something has to be waited for; never rejects. */
export type PlanStep = (run: PlanRun) => Promise<void> | void

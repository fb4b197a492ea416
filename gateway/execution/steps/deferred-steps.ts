import type { DeferNode, PlanNode } from '@apollo/query-planner'
import type { GraphQLError } from 'graphql'
import type { DeferredFetches } from './deferred-fetches.ts'
import type { PlanRun, PlanStep } from './execution.ts'

/**
 * Runs the initial fetches, and concurrently the deferred ones as soon as their dependencies are fetched. The step ends with the initial fetches.
 * @param compile - makes a part of the plan executable
 */
export function deferring({ primary, deferred }: DeferNode, compile: (node: PlanNode | undefined) => PlanStep): PlanStep {
  const first = markingDone(primary.node, compile)
  const later = deferred.map(({ label = '', depends, node }) => ({
    label,
    needs: depends.map(({ id }) => id),
    step: markingDone(node, compile),
  }))
  return (run) => {
    const { deferral } = run
    if (deferral === undefined) throw new RangeError('the plan has deferred parts, but the response is not incremental')
    const primaryFetches = first(run)
    for (const { label, needs, step } of later) deferral.begin(label, deferredFetch(run, deferral, needs, step))
    return primaryFetches
  }
}

async function deferredFetch(run: PlanRun, deferral: DeferredFetches, needs: readonly string[], step: PlanStep) {
  await deferral.all(needs)
  const errors: GraphQLError[] = []
  await step({ ...run, errors })
  return errors
}

/** Marks fetches skipped by a condition as done, together with the step around them. */
function markingDone(node: PlanNode | undefined, compile: (node: PlanNode | undefined) => PlanStep): PlanStep {
  const step = compile(node)
  const ids = node === undefined ? [] : idsIn(node)
  if (ids.length === 0) return step
  return async (run) => {
    await step(run)
    for (const id of ids) run.deferral?.done(id)
  }
}

/** Returns the ids of the fetches of a node, without nested deferred ones. */
function idsIn(node: PlanNode): readonly string[] {
  switch (node.kind) {
    case 'Fetch':
      return node.id === undefined ? [] : [node.id]
    case 'Flatten':
      return idsIn(node.node)
    case 'Sequence':
    case 'Parallel':
      return node.nodes.flatMap(idsIn)
    case 'Condition':
      return [node.ifClause, node.elseClause].flatMap((each) => (each === undefined ? [] : idsIn(each)))
    case 'Defer':
      return node.primary.node === undefined ? [] : idsIn(node.primary.node)
  }
}

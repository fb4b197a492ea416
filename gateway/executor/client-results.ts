import { type ExecutionResult, GraphQLError } from 'graphql'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import { logOfRequest } from '../../foundation/log.ts'
import { type RefusalsIn, refusalErrors, withRefusals } from '../authorization/refusal-errors.ts'
import { type MaskingContext, maskedError } from '../errors/masked-error.ts'
import { failedResult } from '../errors/masked-result.ts'
import { withUnknownOutcome } from '../errors/outcome-unknown.ts'
import type { Answer, DeferredPart, DeferredParts } from '../execution/incremental/answer.ts'
import type { ExecutedPart, ExecutedParts, ExecutedPlan, Execution } from '../execution/steps/execution.ts'

/** Makes the results for clients of executions: masked errors, reported refusals. */
export interface ClientResults {
  /** Returns one result; `later` of the execution is left out. */
  resultOf(executed: ExecutedPlan, context: RequestContext): ExecutionResult
  /** Returns the response to a query or mutation, with its deferred results. */
  answerOf(execution: Execution, context: RequestContext): Answer
}

/** @param refusalsIn - where a result lists the fields that its caller may not see @param masking - how the errors of a request are masked */
export function clientResults(refusalsIn: RefusalsIn, masking: (context: RequestContext) => MaskingContext): ClientResults {
  const resultOf = (executed: ExecutedPlan, context: RequestContext): ExecutionResult =>
    withRefusals(maskedResultOf(executed, masking(context)), refusalErrors(executed.refused, context.requestId), refusalsIn)

  const partOf = ({ id, path, label, ...executed }: ExecutedPart, context: RequestContext): DeferredPart => {
    const { errors, ...part } = resultOf(executed, context)
    return { id, ...part, path, label, ...(errors && withUnknownOutcome({ errors }, context)) }
  }

  const laterParts = async function* (
    later: AsyncGenerator<ExecutedParts, void>,
    context: RequestContext,
  ): AsyncGenerator<DeferredParts, void> {
    try {
      for await (const batch of later) yield { ...batch, parts: batch.parts.map((part) => partOf(part, context)) }
    } catch (error) {
      yield {
        parts: [{ id: 'failure', path: [], label: undefined, data: null, ...failedResult(error, masking(context)) }],
        pending: [],
        hasNext: false,
      }
    }
  }

  return {
    resultOf,
    answerOf(execution, context) {
      const answer = withUnknownOutcome(resultOf(execution, context), context)
      if (execution.later === undefined) return answer
      const { pending, parts } = execution.later
      return { ...answer, later: { pending, parts: laterParts(parts, context) } }
    },
  }
}

/**
 * Masks the errors of an execution. Apollo's gateway reports a subgraph's schema violation (a dangling reference) only in
 * `extensions.valueCompletion`; the GraphQL specification (6.4.4) requires it in `errors`.
 */
function maskedResultOf({ data, errors, problems }: ExecutedPlan, context: MaskingContext): ExecutionResult {
  if (errors.length === 0 && problems.length === 0) return data === undefined ? {} : { data }
  const reported = [...errors.map((error) => maskedError(error, context)), ...problems.map((problem) => incomplete(problem, context))]
  return { errors: reported, ...(data === undefined ? {} : { data }) }
}

/** The message refers only to the schema (which non-null field is null), so it may be shown. */
function incomplete({ message, path }: GraphQLError, { log, requestId }: MaskingContext): GraphQLError {
  logOfRequest(log, requestId).warn({ path }, message)
  return new GraphQLError(message, { ...(path === undefined ? {} : { path }), extensions: { code: 'INTERNAL', requestId } })
}

import { type ExecutionResult, GraphQLError } from 'graphql'
import type { MaskingContext } from '../errors/masked-error.ts'
import { failedResult } from '../errors/masked-result.ts'
import { type Answer, mappedParts } from '../execution/incremental/answer.ts'
import type { Executor } from '../executor/executor.ts'

/** Maximum characters of the data of a query, of each deferred result and of each event: more would hold the event loop while it is written. */
export const maxResponseLength = 16 * 1024 * 1024

/**
 * Wraps an executor: refuses a query whose data is too large with LIMIT_EXCEEDED. The cost of an operation counts its fields, of which one may be
 * requested under many aliases and contain a long text. A mutation has had its effect, so its data is returned.
 */
export function withinSize<Wrapped extends Pick<Executor, 'execute'>>(executor: Wrapped, max = maxResponseLength): Wrapped {
  return {
    ...executor,
    async execute(operation, variables, context, delivery): Promise<Answer> {
      const answer = await executor.execute(operation, variables, context, delivery)
      if (operation.kind !== 'query') return answer
      const refused = () => failedResult(tooLarge(max), context)
      if (isLonger(answer.data, max)) {
        // ends the deferred results
        await answer.later?.parts.return()
        return refused()
      }
      if (answer.later === undefined) return answer
      const { later } = answer
      const parts = mappedParts(later, (part) => (isLonger(part.data, max) ? { ...part, ...refused(), data: null } : part))
      return { ...answer, later: { ...later, parts } }
    },
  }
}

/** Returns an event of a subscription, or LIMIT_EXCEEDED in its place if its data is too large. The subscription continues. */
export function eventWithinSize(event: ExecutionResult, context: MaskingContext, max = maxResponseLength): ExecutionResult {
  if (!isLonger(event.data, max)) return event
  const { extensions } = event
  return { ...failedResult(tooLarge(max, 'event'), context), data: null, ...(extensions && { extensions }) }
}

/** Whether a value as JSON has more than about `max` characters; stops counting there. */
export function isLonger(value: unknown, max: number): boolean {
  let remaining = max
  const values = [value]
  while (values.length > 0) {
    const next = values.pop()
    remaining -= typeof next === 'string' ? next.length + 3 : 5
    if (Array.isArray(next)) for (const item of next) values.push(item)
    else if (typeof next === 'object' && next !== null)
      for (const name of Object.keys(next)) {
        const member: unknown = (next as Record<string, unknown>)[name]
        remaining -= name.length
        // most members are scalars
        if (typeof member === 'string') remaining -= member.length + 3
        else if (typeof member === 'object' && member !== null) values.push(member)
        else remaining -= 5
      }
    if (remaining < 0) return true
  }
  return false
}

const tooLarge = (max: number, subject: 'response' | 'event' = 'response'): GraphQLError =>
  new GraphQLError(`The ${subject} has more than ${max} characters; request shorter lists or fewer fields`, {
    extensions: { code: 'LIMIT_EXCEEDED' },
  })

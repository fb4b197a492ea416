import { OutcomeUnknownError } from '@civigraph/client'

/** Returns a value that must be present. @throws {OutcomeUnknownError} when it is missing */
export function present<Answer>(answer: Answer | null | undefined): Answer {
  if (answer == null) throw new OutcomeUnknownError('The response contains no result: check whether the change was saved before you retry')
  return answer
}

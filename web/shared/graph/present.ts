import { OutcomeUnknownError } from '@civigraph/client'

/** Returns a value that must be present. @throws {OutcomeUnknownError} when it is missing */
export function present<Answer>(answer: Answer | null | undefined): Answer {
  if (answer == null) throw new OutcomeUnknownError('The platform has not said what came of it')
  return answer
}

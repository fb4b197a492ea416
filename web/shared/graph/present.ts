import { OutcomeUnknownError } from '@civigraph/client'

/** @throws {OutcomeUnknownError} where nothing is said */
export function present<Answer>(answer: Answer | null | undefined): Answer {
  if (answer == null) throw new OutcomeUnknownError('The platform has not said what came of it')
  return answer
}

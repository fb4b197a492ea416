import type en from './en.json'

/** The reason for a missing response: a key of the page's words and its values. */
export interface Problem {
  readonly key: Extract<keyof typeof en, `problem.${string}`>
  readonly values?: Readonly<Record<string, string | number>>
}

/** Thrown with a problem that the page words itself. */
export class ProblemError extends Error {
  readonly problem: Problem
  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.key, options)
    this.problem = problem
  }
}

/** Any other error: the platform did not respond. */
export const problemOf = (error: unknown): Problem => (error instanceof ProblemError ? error.problem : { key: 'problem.unanswered' })

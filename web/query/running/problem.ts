import type en from '../words/en.json'

/** Why there is no answer: a sentence of the page, and what stands in its braces. */
export interface Problem {
  readonly key: Extract<keyof typeof en, `problem.${string}`>
  readonly values?: Readonly<Record<string, string | number>>
}

/** Thrown where only a sentence of the page can say what is wrong. */
export class ProblemError extends Error {
  readonly problem: Problem
  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.key, options)
    this.problem = problem
  }
}

/** Of an error of any other kind: nobody has answered. */
export const problemOf = (error: unknown): Problem => (error instanceof ProblemError ? error.problem : { key: 'problem.unanswered' })

import type { System } from './start-system.ts'

export interface PostedExpression {
  readonly status: number
  // JSON of any shape, looked into by the expectations
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any
}

/** the first one waits until the taxonomy is learnt, on a busy machine longer than a request may take */
const mostTries = 6

/** Says something over REST; again while component C is not ready to take it in. */
export async function postExpression(system: System, expression: object): Promise<PostedExpression> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(`${system.rest.classification}/api/v1/expressions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(expression),
      signal: AbortSignal.timeout(20_000),
    })
    const body = await response.json()
    if (response.status !== 503 || tries === mostTries) return { status: response.status, body }
  }
}

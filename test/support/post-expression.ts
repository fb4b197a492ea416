import { setTimeout as sleep } from 'node:timers/promises'
import type { System } from './start-system.ts'

export interface PostedExpression {
  readonly status: number
  // JSON of any shape, looked into by the expectations
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any
}

const mostTries = 12
const learningMs = 200_000
const learnt = new WeakMap<System, Promise<void>>()

/**
 * Says something over REST, once the taxonomy is learnt: what comes before waits 10 s for it, on a busy machine in vain, and is then taken in
 * without a subject. Says it again while component C is not ready to take it in.
 */
export async function postExpression(system: System, expression: object): Promise<PostedExpression> {
  const learning = learnt.get(system) ?? untilLearnt(system)
  learnt.set(system, learning)
  await learning
  for (let tries = 1; ; tries++) {
    const response = await fetch(`${system.rest.classification}/api/v1/expressions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(expression),
      signal: AbortSignal.timeout(60_000),
    })
    const body = await response.json()
    if (response.status !== 503 || tries === mostTries) return { status: response.status, body }
  }
}

/** Waits until component C knows its taxonomy. */
export async function untilLearnt({ graphqlUrl }: System): Promise<void> {
  for (const until = Date.now() + learningMs; ; await sleep(50)) {
    const response = await fetch(graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ expressionStream { taxonomy } }' }),
      signal: AbortSignal.timeout(60_000),
    })
    const { data } = (await response.json()) as { data: { expressionStream: { taxonomy: unknown[] } } | null }
    if (data !== null && data.expressionStream.taxonomy.length > 0) return
    if (Date.now() > until) throw new Error(`the taxonomy was not learnt in ${learningMs} ms`)
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Platform } from '../processes/platform.ts'

export interface PostedExpression {
  readonly status: number
  // JSON of any shape: each expectation states its part of it
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any
}

const maxTries = 12
const loadLimitMs = 200_000
const loaded = new WeakMap<Platform, Promise<void>>()

/**
 * Posts an expression over REST once the taxonomy is loaded: earlier expressions are accepted without a topic. Repeats the request while
 * component C is overloaded.
 */
export async function postExpression(
  system: Platform,
  expression: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<PostedExpression> {
  const loading = loaded.get(system) ?? untilTaxonomyLoaded(system)
  loaded.set(system, loading)
  await loading
  for (let tries = 1; ; tries++) {
    const response = await fetch(`${system.rest.classification}/api/v1/expressions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(expression),
      signal: AbortSignal.timeout(60_000),
    })
    const body = await response.json()
    if (response.status !== 503 || tries === maxTries) return { status: response.status, body }
  }
}

/** Waits until every process that accepts expressions has loaded the taxonomy. */
export async function untilTaxonomyLoaded({ processes }: Platform): Promise<void> {
  const until = Date.now() + loadLimitMs
  for (const { roles, output } of processes) {
    if (roles.length > 0 && !roles.includes('subgraph:classification')) continue
    for (; !output().includes('the taxonomy is loaded'); await sleep(50))
      if (Date.now() > until) throw new Error(`the taxonomy was not loaded in ${loadLimitMs} ms`)
  }
}

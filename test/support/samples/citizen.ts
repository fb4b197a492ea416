import { setTimeout as sleep } from 'node:timers/promises'
import { vi } from 'vitest'
import type { System } from '../processes/platform.ts'
import { startProcess } from '../processes/platform-process.ts'

interface Health {
  readonly status: string
  readonly checks: Readonly<Record<string, { readonly status: string; readonly engine: string; readonly drift?: number }>>
}

/** A client of components B and C. */
export class Citizen {
  readonly #system: System
  /** Ids of expressions that were accepted with 201, by the status in the response. */
  readonly accepted = new Map<string, string>()
  /** Number of other responses, by status. */
  readonly refused = new Map<number, number>()
  #n = 0

  constructor(system: System) {
    this.#system = system
  }

  async post(): Promise<number> {
    const n = ++this.#n
    const response = await fetch(`${this.#system.rest.classification}/api/v1/expressions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: `Le robinet numéro ${n} ne coule plus`, source: 'journey', external_id: `x-${n}` }),
      signal: AbortSignal.timeout(60_000),
    }).catch(() => undefined)
    const body = response?.status === 201 ? ((await response.json()) as { id: string; status: string }) : undefined
    if (body !== undefined) this.accepted.set(body.id, body.status)
    else this.refused.set(response?.status ?? 0, (this.refused.get(response?.status ?? 0) ?? 0) + 1)
    return response?.status ?? 0
  }

  /** Posts expressions continuously, with this concurrency, until `work` has ended. */
  async while<Result>(voices: number, work: () => Promise<Result>): Promise<Result> {
    let talking = true
    const speak = async (): Promise<void> => {
      while (talking) if ((await this.post()) !== 201) await sleep(50)
    }
    const speaking = Array.from({ length: voices }, speak)
    try {
      return await work()
    } finally {
      talking = false
      await Promise.all(speaking)
    }
  }

  async hitCount(text: string): Promise<number | undefined> {
    const response = await fetch(this.#system.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        query: 'query ($text: String!) { searchExpressions(input: {text: $text, mode: HYBRID}) { nodes { id } } }',
        variables: { text },
      }),
      signal: AbortSignal.timeout(60_000),
    })
    const { data } = (await response.json()) as { data: { searchExpressions: { nodes: unknown[] } | null } | null }
    return data?.searchExpressions?.nodes.length
  }

  async health(component: 'classification' | 'exploration'): Promise<Health> {
    return (await (await fetch(`${this.#system.rest[component]}/health`, { signal: AbortSignal.timeout(60_000) })).json()) as Health
  }
}

/** Repeats an assertion until it passes. */
export const eventually = (expectation: () => Promise<void>, interval = 250): Promise<void> =>
  vi.waitFor(expectation, { timeout: 120_000, interval })

/** Repeats a command until its assertion passes: each attempt starts a process. */
export const eventuallySays = (expectation: () => Promise<void>): Promise<void> => eventually(expectation, 3000)

/** `npm run civigraph -- search …` beside the platform. */
export async function search(system: System, verb: string): Promise<{ readonly code: number | string; readonly output: string }> {
  const command = startProcess(['search', verb], system.env)
  return { code: await command.exited, output: command.output() }
}

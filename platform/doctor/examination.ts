/** The state of one property of an engine. */
export interface Finding {
  /** name of the property in the engine's manual */
  readonly about: string
  /** `doubtful`: acceptable for some operators; `wrong`: the guarantees of the platform do not hold */
  readonly verdict: 'fine' | 'doubtful' | 'wrong'
  readonly observation: string
  /** next step, if not fine */
  readonly next?: string
}

/** The examination of a configured engine. */
export interface Examination {
  /** name and version */
  readonly engine: string
  /** shortest response time, ms */
  readonly answeredInMs: number
  readonly findings: readonly Finding[]
}

export const fine = (about: string, observation: string): Finding => ({ about, verdict: 'fine', observation })
export const doubtful = (about: string, observation: string, next: string): Finding => ({ about, verdict: 'doubtful', observation, next })
export const wrong = (about: string, observation: string, next: string): Finding => ({ about, verdict: 'wrong', observation, next })

/** @param version - as the engine reports it, "15.18 (Debian …)" */
export function versionFinding(version: string, oldest: number, name: string): Finding {
  if (Number.parseInt(version, 10) >= oldest) return fine('version', version)
  return wrong('version', `${version} is older than ${oldest}`, `Upgrade to ${name} ${oldest} or newer.`)
}

/** Measures a call in milliseconds with one decimal. */
export async function timed<Answer>(ask: () => Promise<Answer>): Promise<{ readonly answer: Answer; readonly tookMs: number }> {
  const from = performance.now()
  const answer = await ask()
  return { answer, tookMs: Math.round((performance.now() - from) * 10) / 10 }
}

/** What was found about one property of an engine. */
export interface Finding {
  /** the property, by the name that the engine's own manual has for it */
  readonly about: string
  /** `doubtful`: right for some operators, who should know it; `wrong`: what the platform promises does not hold */
  readonly verdict: 'fine' | 'doubtful' | 'wrong'
  readonly found: string
  /** what to do about it, where it is not fine */
  readonly next?: string
}

/** How an engine that a setting names is, as it answered itself. */
export interface Examination {
  /** its name and version */
  readonly engine: string
  /** how long its shortest answer took */
  readonly answeredInMs: number
  readonly findings: readonly Finding[]
}

export const fine = (about: string, found: string): Finding => ({ about, verdict: 'fine', found })
export const doubtful = (about: string, found: string, next: string): Finding => ({ about, verdict: 'doubtful', found, next })
export const wrong = (about: string, found: string, next: string): Finding => ({ about, verdict: 'wrong', found, next })

/** @param version - as the engine tells it, "15.18 (Debian …)" */
export function versionFinding(version: string, oldest: number, name: string): Finding {
  if (Number.parseInt(version, 10) >= oldest) return fine('version', version)
  return wrong('version', `${version} is older than ${oldest}`, `Upgrade to ${name} ${oldest} or newer.`)
}

/** Answers in milliseconds, with a tenth. */
export async function timed<Answer>(ask: () => Promise<Answer>): Promise<{ readonly answer: Answer; readonly tookMs: number }> {
  const from = performance.now()
  const answer = await ask()
  return { answer, tookMs: Math.round((performance.now() - from) * 10) / 10 }
}

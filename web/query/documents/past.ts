import { keptInBrowser } from '../../shared/frame/kept.ts'
import { withoutSecrets } from './without-secrets.ts'

/** A past run. */
export interface PastRun {
  readonly query: string
  readonly variables: string
  /** ISO 8601 */
  readonly at: string
}

const mostRuns = 50
const place = keptInBrowser<readonly PastRun[]>('civigraph:past-runs')

/** Newest first. */
export function pastRuns(): readonly PastRun[] {
  const kept = place.read()
  return Array.isArray(kept) ? kept.filter((each) => parts.every((part) => typeof each?.[part] === 'string')) : []
}

const parts = ['query', 'variables', 'at'] as const

/** Adds a run; equal runs are stored once. Headers and credentials are not stored. */
export function keepRun(written: Omit<PastRun, 'at'>): void {
  const [query, variables] = [withoutSecrets(written.query), withoutSecrets(written.variables)]
  const others = pastRuns().filter((each) => each.query !== query || each.variables !== variables)
  place.keep([{ query, variables, at: new Date().toISOString() }, ...others].slice(0, mostRuns))
}

export const forgetRuns = (): void => place.keep([])

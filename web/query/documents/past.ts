import { browserStorage } from '../../shared/frame/browser-storage.ts'
import { withoutSecrets } from './documents.ts'

/** A past run. */
export interface PastRun {
  readonly query: string
  readonly variables: string
  /** ISO 8601 */
  readonly at: string
}

const maxRuns = 50
const place = browserStorage<readonly PastRun[]>('civigraph:past-runs')

/** Newest first. */
export function pastRuns(): readonly PastRun[] {
  const stored = place.read()
  return Array.isArray(stored) ? stored.filter((each) => parts.every((part) => typeof each?.[part] === 'string')) : []
}

const parts = ['query', 'variables', 'at'] as const

/** Adds a run; equal runs are stored once. Headers and credentials are not stored. */
export function storeRun(written: Omit<PastRun, 'at'>): void {
  const [query, variables] = [withoutSecrets(written.query), withoutSecrets(written.variables)]
  const others = pastRuns().filter((each) => each.query !== query || each.variables !== variables)
  place.write([{ query, variables, at: new Date().toISOString() }, ...others].slice(0, maxRuns))
}

export const forgetRuns = (): void => place.write([])

import { realEngines, skippedWithout } from '../engines/engines.ts'
import { type Layout, layouts, type PlatformOptions, type System, startPlatform } from './platform.ts'

/** Layout and engines of a journey. */
export interface Setup {
  readonly name: string
  readonly layout: Layout
  readonly engines: 'embedded' | 'real'
}

/**
 * The setups of a journey: one process on embedded engines, and several on the real ones; without real engines several on
 * embedded ones, and the real ones are skipped with a message.
 * @param onReal - `apart` in a few journeys only: starting a dozen processes dominates their duration
 */
export function setups(onReal: Layout = 'split'): readonly Setup[] {
  const one: readonly Setup[] = layouts.includes('one') ? [{ name: 'one, on embedded engines', layout: 'one', engines: 'embedded' }] : []
  if (!layouts.includes('split')) return one
  if (realEngines() !== undefined) return [...one, { name: `${onReal}, on real engines`, layout: onReal, engines: 'real' }]
  skippedWithout('DATABASE_URL and REDIS_URL', `${onReal}, on real engines`)
  return [...one, { name: 'split, on embedded engines', layout: 'split', engines: 'embedded' }]
}

/** Starts a platform for this test only. */
export function startSystem({
  engines = 'embedded',
  ...options
}: Omit<PlatformOptions, 'engines'> & { readonly engines?: Setup['engines'] } = {}): Promise<System> {
  const addresses = engines === 'real' ? realEngines() : undefined
  if (engines === 'real' && addresses === undefined) throw new Error('real engines need DATABASE_URL and REDIS_URL')
  return startPlatform({ ...options, engines: addresses })
}

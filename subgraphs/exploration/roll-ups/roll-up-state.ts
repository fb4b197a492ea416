import { domain } from '../../engines/analytics-store/tables.ts'
import type { Queryable, Transaction } from '../../engines/relational/database.ts'
import { asc, isNull, sql } from '../../engines/relational/drizzle.ts'
import type { Position } from '../../foundation/bounding-box.ts'
import { columnOf, rowOf } from '../geometry/world-grid.ts'
import { type RolledDomain, rollUp } from '../tables.ts'

export type RollUpState = typeof rollUp.$inferSelect

/** Where the roll-ups stand; undefined before they were first built. */
export async function readState(on: Queryable): Promise<RollUpState | undefined> {
  const [state] = await on.select().from(rollUp)
  return state
}

/** The same, and until the end of the transaction nobody else changes the roll-ups. */
export async function lockState(tx: Transaction): Promise<RollUpState | undefined> {
  const [state] = await tx.select().from(rollUp).for('update')
  return state
}

/** Domains and sub-domains that were not removed, parents first, in their order. */
export async function readDomains(on: Queryable): Promise<readonly RolledDomain[]> {
  return on
    .select({ id: domain.id, parentId: domain.parentId, slug: domain.slug, position: domain.position, labels: domain.labels })
    .from(domain)
    .where(isNull(domain.removedAt))
    .orderBy(sql`${domain.parentId} nulls first`, asc(domain.position), asc(domain.id))
}

/** The topic on which a new version of the roll-ups is announced. */
export const explorationTopic = 'exploration'
export type ExplorationEventKind = 'statistics_changed' | 'domains_changed' | 'map_invalidated'
/** how far the roll-ups have followed the change log */
export const follower = 'exploration'

const maxTiles = 40
const finestTiles = 8

/** The tiles that hold these positions as "z/x/y", at the deepest zoom at which they are few. */
export function tilesOf(positions: readonly Position[]): readonly string[] {
  for (let zoom = finestTiles; ; zoom--) {
    const tiles = new Set<string>()
    for (const { lat, lon } of positions) {
      tiles.add(`${zoom}/${columnOf(lon, zoom)}/${rowOf(lat, zoom)}`)
      if (tiles.size > maxTiles) break
    }
    if (tiles.size <= maxTiles || zoom === 0) return [...tiles].sort()
  }
}

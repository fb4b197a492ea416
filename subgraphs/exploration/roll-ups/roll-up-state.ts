import type { Taxonomy } from '../../../engines/analytics-store/analytics-store.ts'
import type { CountableExpressions } from '../../../engines/analytics-store/countable-expressions.ts'
import type { EventFeed } from '../../../engines/event-feed/event-feed.ts'
import type { Database, Queryable, Transaction } from '../../../engines/relational/database.ts'
import type { Position } from '../../../foundation/filter/bounding-box.ts'
import { columnOf, rowOf } from '../../../foundation/filter/web-mercator.ts'
import { type RolledDomain, rollUp } from '../tables.ts'

export interface RollUpEngines {
  readonly database: Database
  readonly feed: EventFeed
  readonly expressions: CountableExpressions
}

/** version of the counting rules: 2 counts unverified votes separately */
export const rollUpFormat = 2

export type RollUpState = typeof rollUp.$inferSelect

/** Returns the state of the roll-ups; undefined before the first build. */
export async function readState(on: Queryable): Promise<RollUpState | undefined> {
  const [state] = await on.select().from(rollUp)
  return state
}

/** Reads the state and locks the roll-ups until the end of the transaction. */
export async function lockState(tx: Transaction): Promise<RollUpState | undefined> {
  const [state] = await tx.select().from(rollUp).for('update')
  return state
}

/** Returns the columns in which the roll-ups store a taxonomy. */
export const rolledTaxonomy = ({
  number,
  domains,
  successors,
}: Taxonomy): Pick<RollUpState, 'taxonomy' | 'taxonomyNumber' | 'successors'> => ({
  taxonomy: domains.map(({ id, parentId, slug, position, labels }): RolledDomain => ({ id, parentId, slug, position, labels })),
  taxonomyNumber: number,
  successors: Object.fromEntries(successors),
})

/** Topic on which a new version of the roll-ups is announced: the version is the position of the last event of its commit. */
export const statisticsTopic = 'statistics'
/** With the topic of workers of earlier releases. */
export const statisticsTopics = [statisticsTopic, 'exploration'] as const
export type ExplorationEventKind = 'statistics_changed' | 'domains_changed' | 'map_invalidated'
/** name of the cursors in the change log and the log of votes */
export const follower = 'exploration'

const maxTiles = 40
const finestTiles = 8

/** Returns the tiles of these positions as "z/x/y", at the deepest zoom with few tiles. */
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

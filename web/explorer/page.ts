import { type BuiltPage, builtPage } from '../serving/built-page.ts'
import type { ExplorerFacts } from './facts.ts'

export interface ExplorerSettings {
  /** TILES_URL, TILES_CREDIT */
  readonly tilesUrl: string | undefined
  readonly tilesCredit: string | undefined
  readonly publicVoting: { readonly isOn: boolean }
}

/** `GET /`: the explorer, a map of what citizens say with its topics, its sentiment over time and a live feed. */
export function explorerPage({ tilesUrl, tilesCredit, publicVoting }: ExplorerSettings): BuiltPage {
  const facts: ExplorerFacts = {
    tiles: tilesUrl === undefined ? null : { url: tilesUrl, credit: tilesCredit ?? null },
    isVotingOpen: publicVoting.isOn,
  }
  const origin = tilesUrl === undefined ? {} : { 'connect-src': new URL(tilesUrl).origin, 'img-src': new URL(tilesUrl).origin }
  return builtPage('explorer', {
    summary: 'The explorer: a page that shows the data of this service, live',
    facts,
    // the threads that prepare the tiles of the map are made of a script that has come with the page
    sources: { 'worker-src': "'self' blob:", ...origin },
  })
}

import { type BuiltPage, builtPage } from '../serving/built-page.ts'
import type { ExplorerFacts } from './view/facts.ts'

export interface ExplorerSettings {
  /** TILES_URL, TILES_CREDIT */
  readonly tilesUrl: string | undefined
  readonly tilesCredit: string | undefined
  readonly publicVoting: { readonly isOn: boolean }
}

/**
 * `GET /`: the explorer, a map of expressions with topics, sentiment over time and a live feed.
 * @param classificationUrl - of the REST interface of component C, as browsers see it
 */
export function explorerPage({ tilesUrl, tilesCredit, publicVoting }: ExplorerSettings, classificationUrl: string): BuiltPage {
  const facts: ExplorerFacts = {
    tiles: tilesUrl === undefined ? null : { url: tilesUrl, credit: tilesCredit ?? null },
    isVotingOpen: publicVoting.isOn,
    exportUrl: `${classificationUrl}/api/v1/expressions`,
  }
  const origin = tilesUrl === undefined ? {} : { 'connect-src': new URL(tilesUrl).origin, 'img-src': new URL(tilesUrl).origin }
  return builtPage('explorer', {
    summary: 'The explorer: a page that shows the data of this service, live',
    facts,
    // the map's workers are created from a blob of a script that the page loaded
    sources: { 'worker-src': "'self' blob:", ...origin },
  })
}

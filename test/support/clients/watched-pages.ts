import type { Browser, Page } from 'playwright-core'
import { afterEach, expect } from 'vitest'
import { type PageOptions, type WatchedPage, watchedPage } from './browser.ts'

export interface WatchedPages {
  /** Opens a page in its own context, which is closed after the test. */
  open(options?: PageOptions): Promise<Page>
  /** Violations of the test's pages since the last call. */
  complaints(): readonly string[]
}

/**
 * The pages that a test opens.
 * @param browser - called for the first page   @param isQuiet - each test ends by expecting no violation (default: only tests that check it)
 */
export function watchedPages(browser: () => Browser, { isQuiet = false } = {}): WatchedPages {
  let watched: WatchedPage[] = []
  const complaints = (): readonly string[] => watched.flatMap((each) => each.complaints.splice(0))
  afterEach(async () => {
    const unexpected = isQuiet ? complaints() : []
    await Promise.all(watched.map(({ page }) => page.context().close()))
    watched = []
    expect(unexpected).toEqual([])
  })
  return {
    complaints,
    async open(options) {
      const opened = await watchedPage(browser(), options)
      watched.push(opened)
      return opened.page
    },
  }
}

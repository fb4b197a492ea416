import type { Browser, Page } from 'playwright-core'
import { afterEach, expect } from 'vitest'
import { type PageOptions, type WatchedPage, watchedPage } from './browser.ts'

export interface WatchedPages {
  /** a page in a context of its own, which ends with the test */
  open(options?: PageOptions): Promise<Page>
  /** what the pages of this test have done that a careful page must not do, since this was asked last */
  complaints(): readonly string[]
}

/**
 * The pages that a test opens.
 * @param browser - asked for with the first page   @param isQuiet - every test ends by expecting no complaint (default: those that ask for them)
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

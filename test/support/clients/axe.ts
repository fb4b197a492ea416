import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const file = join(import.meta.dirname, '../../../node_modules/axe-core/axe.min.js')

/** The rules of axe that a page breaks, each with the elements. What React Aria tells screen readers goes by itself and is left out. */
export async function brokenRules(page: Page): Promise<readonly { readonly id: string; readonly html: readonly string[] }[]> {
  await page.evaluate(await readFile(file, 'utf8'))
  return page.evaluate(
    `axe.run({ exclude: ['[data-live-announcer]'] }).then(({ violations }) => violations.map(({ id, nodes }) => ({ id, html: nodes.map(({ html }) => html) })))`,
  )
}

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const file = join(import.meta.dirname, '../../../node_modules/axe-core/axe.min.js')

/**
 * Returns the axe rules that a page violates, each with the elements. Ignores the live regions of React Aria.
 * @param more - rules that axe does not run by default
 */
export async function brokenRules(
  page: Page,
  more: readonly string[] = [],
): Promise<readonly { readonly id: string; readonly html: readonly string[] }[]> {
  await page.evaluate(await readFile(file, 'utf8'))
  const rules = JSON.stringify(Object.fromEntries(more.map((name) => [name, { enabled: true }])))
  return page.evaluate(
    `axe.run({ exclude: ['[data-live-announcer]'] }, { rules: ${rules} }).then(({ violations }) => violations.map(({ id, nodes }) => ({ id, html: nodes.map(({ html }) => html) })))`,
  )
}

import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** An operation on `/docs`, with its content. */
export function operationOn(page: Page, method: string, path: string): Locator {
  const line = new RegExp(`^${`${method} ${path}`.replace(/[{}.*]/g, '\\$&')}(?: |$)`)
  return page.getByRole('listitem').filter({ has: page.getByRole('button', { name: line }) })
}

/** Opens an operation. */
export async function openedOn(page: Page, method: string, path: string): Promise<Locator> {
  const operation = operationOn(page, method, path)
  await operation.locator('h3 > button').click()
  await operation.getByRole('button', { name: 'Execute' }).waitFor()
  return operation
}

/** The status region of an operation. @param text - such as `200 OK` */
export const answerOf = (operation: Locator, text: string): Locator => operation.getByRole('status').filter({ hasText: text })

/** Opens an operation and sends it with the prefilled values. @returns when it has a response */
export async function triedOn(page: Page, method: string, path: string): Promise<Locator> {
  const operation = await openedOn(page, method, path)
  await operation.getByRole('button', { name: 'Execute' }).click()
  await operation.getByRole('heading', { name: 'Response received' }).waitFor()
  return operation
}

/** Opens every operation of the page. */
export async function openAll(page: Page): Promise<void> {
  await page.locator('h3 > button').first().waitFor()
  await page.evaluate(`for (const each of document.querySelectorAll('h3 > button[aria-expanded=false]')) each.click()`)
  await page.getByRole('button', { name: 'Execute' }).last().waitFor()
}

/** Expands all expandable elements, recursively. */
export async function unfoldAll(page: Page): Promise<void> {
  const folded = page.locator('details:not([open]) > summary:visible')
  while ((await folded.count()) > 0) {
    await page.evaluate(`for (const each of document.querySelectorAll('details:not([open]) > summary')) each.click()`)
    const isMade = `[...document.querySelectorAll('details[open]')].every((each) => each.childElementCount > 1)`
    await expect.poll(() => page.evaluate(isMade)).toBe(true)
  }
}

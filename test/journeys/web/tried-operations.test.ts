import { readFile } from 'node:fs/promises'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { chromiumPath, startBrowser, watchedPage } from '../../support/clients/browser.ts'
import { accountOf } from '../../support/clients/content-client.ts'
import type { System } from '../../support/processes/platform.ts'
import { startSystem } from '../../support/processes/start-system.ts'

const [described, about] =
  chromiumPath === undefined
    ? [describe.skip, 'operations tried on /docs: SKIPPED, this machine has no Chromium']
    : [describe, 'operations tried on /docs, as the page fills them in']

described(about, () => {
  let system: System
  let browser: Browser
  beforeAll(async () => {
    ;[system, browser] = await Promise.all([startSystem({ env: { DEMO_DATA: 'on' } }), startBrowser()])
    const asked = async () => (await fetch(`${system.rest.content}/api/v1/nodes/root`)).status
    await vi.waitFor(async () => expect(await asked()).toBe(200), { timeout: 60_000 })
  })
  afterAll(async () => {
    await browser?.close()
    await system?.stop()
  })

  const operationOf = (page: Page, method: string, path: string): Locator =>
    page.locator(`.opblock-${method}`, { has: page.locator(`[data-path="${path}"]`) })
  /** @returns the part of the page that shows the answer */
  async function tried(page: Page, method: string, path: string): Promise<Locator> {
    const operation = operationOf(page, method, path)
    await operation.locator('.opblock-summary-control').click()
    await operation.getByRole('button', { name: 'Try it out' }).click()
    await operation.getByRole('button', { name: 'Execute' }).click()
    const answer = operation.locator('.live-responses-table')
    await answer.locator('.response-col_status').last().waitFor()
    return answer
  }

  it('answer at once what names a text of the magazine, and put another below it', async () => {
    const { page, complaints } = await watchedPage(browser)
    await page.goto(`${system.rest.content}/docs`)
    for (const path of ['/api/v1/nodes/{node_id}', '/api/v1/nodes/{node_id}/full', '/nodes/{node_id}/full'])
      expect([path, await (await tried(page, 'get', path)).textContent()]).toEqual([path, expect.stringContaining('Le bien commun')])

    const { email, password } = await accountOf(system, 'super_admin')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in with this account' }).click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    const made = await tried(page, 'post', '/api/v1/admin/nodes')
    expect(await made.locator('.response-col_status').last().textContent()).toContain('201')
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('forget a key that was typed with the next load, and say so where it is typed', async () => {
    const { page, complaints } = await watchedPage(browser)
    await page.goto(`${system.rest.verification}/docs`)
    const open = async (): Promise<Locator> => {
      await page.getByRole('button', { name: 'Authorize' }).first().click()
      return page.locator('.auth-container', { hasText: 'X-Service-API-Key' })
    }
    const typed = await open()
    expect(await typed.textContent()).toContain('A reload of this page forgets it')
    // the key of development is filled in
    await typed.getByRole('button', { name: 'Remove authorization' }).click()
    await typed.locator('input').fill('a-key-of-mine')
    await typed.getByRole('button', { name: 'Apply credentials' }).click()
    const kept = '[...Object.values(localStorage), ...Object.values(sessionStorage)].join()'
    expect(await page.evaluate<string>(kept)).not.toContain('a-key-of-mine')
    await page.reload()
    expect(await (await open()).textContent()).not.toContain('a-key-of-mine')
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('offer a PDF as a file to save', async () => {
    const { page, complaints } = await watchedPage(browser)
    await page.goto(`${system.rest.content}/docs`)
    const answer = await tried(page, 'get', '/api/v1/nodes/{node_id}/pdf')
    const [file] = await Promise.all([page.waitForEvent('download'), answer.getByRole('link', { name: 'Download file' }).click()])
    expect(file.suggestedFilename()).toMatch(/\.pdf$/)
    expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-')
    expect(await answer.textContent()).not.toContain('%PDF-')
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('fit a telephone with what is said of them: no cell is cut off, and no word of a header’s is broken', async () => {
    const { page } = await watchedPage(browser, { viewport: { width: 390, height: 844 } })
    await page.goto(`${system.rest.administration}/docs`)
    await page.locator('.opblock-summary-control').last().waitFor()
    await page.evaluate(`for (const each of document.querySelectorAll('.opblock-summary-control')) each.click()`)
    await page.locator('.headers').last().waitFor()
    const [headers, cut, broken] = await page.evaluate<[number, string[], string[]]>(`(() => {
      const linesOf = (cell) => {
        const range = document.createRange()
        range.selectNodeContents(cell)
        return new Set([...range.getClientRects()].map(({ bottom }) => bottom)).size
      }
      const texts = (cells) => cells.map(({ textContent }) => textContent)
      const cells = [...document.querySelectorAll('.opblock :is(th, td)')]
      const names = [...document.querySelectorAll('.headers td:is(:first-child, :last-child)')]
      return [
        names.length,
        texts(cells.filter((cell) => cell.getBoundingClientRect().right > innerWidth || cell.scrollWidth > cell.clientWidth)),
        texts(names.filter((cell) => linesOf(cell) > 1)),
      ]
    })()`)
    expect(headers).toBeGreaterThan(20)
    expect([cut, broken]).toEqual([[], []])
    await page.context().close()
  })
})

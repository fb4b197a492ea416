import { readFile } from 'node:fs/promises'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { chromiumPath, startBrowser, watchedPage } from '../../support/clients/browser.ts'
import { accountOf } from '../../support/clients/content-client.ts'
import { answerOf, openAll, triedOn, unfoldAll } from '../../support/clients/documentation-page.ts'
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
    const statusWithoutToken = async () => (await fetch(`${system.rest.content}/api/v1/nodes/root`)).status
    await vi.waitFor(async () => expect(await statusWithoutToken()).toBe(200), { timeout: 60_000 })
  })
  afterAll(async () => {
    await browser?.close()
    await system?.stop()
  })

  it('return a text of the magazine at once, and create another below it', async () => {
    const { page, complaints } = await watchedPage(browser)
    await page.goto(`${system.rest.content}/docs`)
    for (const path of ['/api/v1/nodes/{node_id}', '/api/v1/nodes/{node_id}/full', '/nodes/{node_id}/full']) {
      const body = (await triedOn(page, 'GET', path)).getByRole('group', { name: 'Response body' })
      await expect.poll(async () => [path, await body.textContent()]).toEqual([path, expect.stringContaining('Le bien commun')])
    }

    const { email, password } = await accountOf(system, 'super_admin')
    await page.getByRole('button', { name: 'Authorize' }).first().click()
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    const created = await triedOn(page, 'POST', '/api/v1/admin/nodes')
    await answerOf(created, '201 Created').waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('drop a typed key on reload, as its field states', async () => {
    const { page, complaints } = await watchedPage(browser)
    await page.goto(`${system.rest.verification}/docs`)
    const open = async (): Promise<Locator> => {
      await page.getByRole('button', { name: 'Authorize' }).first().click()
      return page.getByRole('region', { name: 'X-Service-API-Key' })
    }
    const typed = await open()
    expect(await typed.textContent()).toContain('Reloading this page deletes the key')
    // the development key is prefilled
    await typed.getByRole('button', { name: 'Remove serviceKey' }).click()
    await typed.getByLabel('Key', { exact: true }).fill('a-key-of-mine')
    await typed.getByRole('button', { name: 'Use for serviceKey' }).click()
    await typed.getByText('In use').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    expect(await sentKey(page)).toBe('a-key-of-mine')

    const storage = '[...Object.values(localStorage), ...Object.values(sessionStorage)].join()'
    expect(await page.evaluate<string>(storage)).not.toContain('a-key-of-mine')
    await page.goto(`${system.rest.verification}/docs`)
    await page.reload()
    expect(await (await open()).textContent()).not.toContain('a-key-of-mine')
    await page.getByRole('button', { name: 'Close' }).click()
    expect(await sentKey(page)).not.toBe('a-key-of-mine')
    expect(complaints.filter((each) => !each.includes(' 401 '))).toEqual([])
    await page.context().close()
  })

  const sentKey = async (page: Page): Promise<string | undefined> => {
    const sent = page.waitForRequest('**/jobs/results')
    await triedOn(page, 'GET', '/jobs/results')
    return (await sent).headers()['x-service-api-key']
  }

  it('offer a PDF as a file to save', async () => {
    const { page, complaints } = await watchedPage(browser)
    await page.goto(`${system.rest.content}/docs`)
    const answer = await triedOn(page, 'GET', '/api/v1/nodes/{node_id}/pdf')
    const [file] = await Promise.all([page.waitForEvent('download'), answer.getByRole('button', { name: 'Save as a file' }).click()])
    expect(file.suggestedFilename()).toMatch(/\.pdf$/)
    expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-')
    expect(await answer.textContent()).not.toContain('%PDF-')
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it.each(['en', 'ar'])('fit the screen of a telephone in %s: no text is cut off', async (language) => {
    const { page } = await watchedPage(browser, { viewport: { width: 320, height: 640 } })
    for (const address of Object.values(system.rest)) {
      await page.goto(`${address}/docs?lang=en`)
      await openAll(page)
      await unfoldAll(page)
      if (language === 'ar') await page.getByRole('button', { name: 'العربية' }).click()
      const [visible, cut] = await page.evaluate<[number, string[]]>(`(() => {
        const within = (element, selector) => element.closest(selector) !== null
        const all = [...document.querySelectorAll('main *')].filter((each) => each.checkVisibility() && !within(each, 'pre, textarea'))
        // visually hidden labels
        const shown = all.filter((each) => !within(each, '[aria-hidden=true]'))
        const isCut = (each) => each.getBoundingClientRect().right > innerWidth + 1 || each.getBoundingClientRect().left < -1
        return [shown.length, shown.filter(isCut).map(({ outerHTML }) => outerHTML.slice(0, 120))]
      })()`)
      expect(visible).toBeGreaterThan(200)
      expect([address, cut]).toEqual([address, []])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
    }
    await page.context().close()
  })
})

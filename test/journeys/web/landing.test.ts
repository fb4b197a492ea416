import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brokenRules } from '../../support/clients/axe.ts'
import { chromiumPath, type PageOptions, startBrowser } from '../../support/clients/browser.ts'
import { watchedPages } from '../../support/clients/watched-pages.ts'
import type { Platform } from '../../support/processes/platform.ts'
import { sharedPlatform } from '../../support/processes/shared-platform.ts'

const [described, about] =
  chromiumPath === undefined ? [describe.skip, 'the tour: SKIPPED, this machine has no Chromium'] : [describe, 'the tour in Chromium']

described(about, () => {
  let system: Platform
  let browser: Browser
  let landing: string
  const watched = watchedPages(() => browser)

  beforeAll(async () => {
    ;[system, browser] = await Promise.all([sharedPlatform('one'), startBrowser()])
    landing = `${new URL(system.graphqlUrl).origin}/`
  })
  afterAll(() => browser?.close())

  const open = async (path = '', options: PageOptions = {}): Promise<Page> => {
    const page = await watched.open(options)
    await page.goto(landing + path)
    return page
  }
  const expectNoComplaints = (): void => {
    expect(watched.complaints()).toEqual([])
  }
  const steps = (page: Page) => page.locator('.tour > li')

  it('links the schema, the client package and the documents', async () => {
    const page = await open()
    for (const name of ['Schema (SDL)', /client package/, /guides/]) {
      const link = page.getByRole('link', { name })
      const { status, headers } = await page.request
        .get(new URL((await link.getAttribute('href')) ?? '', landing).href)
        .then((response) => ({
          status: response.status(),
          headers: response.headers(),
        }))
      expect([status, headers['content-type']]).toEqual([200, expect.stringMatching(/^text\/|graphql/)])
    }
    expectNoComplaints()
  })

  it('leads through all components, one page per step', async () => {
    // without other components it finds no content to read
    const page = await open('', { expectedErrors: ['404'] })
    const { verification, exploration, administration, content } = system.rest
    const expected = [
      [`${verification}/`, 'Biometric verification'],
      [`${exploration}/`, 'What citizens say'],
      undefined,
      [`${administration}/#/review`, 'Sign in to the console'],
      [`${content}/`, ''],
      undefined,
    ] as const
    await steps(page).last().waitFor()
    expect(await steps(page).count()).toBe(expected.length)
    for (const [index, target] of expected.entries()) {
      await steps(page).nth(index).getByRole('link').click()
      if (target === undefined) {
        await page.getByRole('button', { name: 'Run', exact: true }).click()
        const answer = page.getByRole('textbox', { name: 'Response' })
        await expect.poll(() => answer.textContent()).toContain('"data"')
        expect(await answer.textContent()).not.toContain('"errors"')
      } else {
        const [address, words] = target
        await expect.poll(() => page.url()).toContain(address)
        await page.getByRole('main').filter({ hasText: words }).waitFor()
      }
      await page.goto(landing)
    }
    expectNoComplaints()
  })

  it('stores completed steps, points to the next one, and restarts', async () => {
    const page = await open()
    const next = page.locator('.tour [aria-current=step] h3')
    await expect.poll(() => next.textContent()).toContain('Verify a citizen')
    await page.getByLabel('Done: Verify a citizen').focus()
    await page.keyboard.press('Space')
    await page.getByLabel('Done: Share an opinion').check()
    await expect.poll(() => next.textContent()).toContain('See the analysis')
    await page.reload()
    await page.getByText('2 of 6 steps done').waitFor()
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(2)
    await page.getByLabel('Done: Verify a citizen').uncheck()
    await page.getByText('1 of 6 steps done').waitFor()
    for (const box of await page.getByRole('checkbox').all()) await box.check()
    await page.getByText('You have completed the tour.').waitFor()
    expect(await next.count()).toBe(0)
    await page.getByRole('button', { name: 'Start again' }).click()
    await page.reload()
    await page.getByText('0 of 6 steps done').waitFor()
    expectNoComplaints()
  })

  it.each(['something else', '{"verify":true}', '["verify","fly"]'])('ignores %s in place of the stored steps', async (storedValue) => {
    const page = await open()
    await page.evaluate(`localStorage.setItem('civigraph.tour', ${JSON.stringify(storedValue)})`)
    await page.reload()
    await page.getByText(`${storedValue.startsWith('[') ? 1 : 0} of 6 steps done`).waitFor()
    expectNoComplaints()
  })

  it('works in a browser that blocks storage', async () => {
    const page = await watched.open()
    await page.addInitScript(
      `Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied', 'SecurityError') } })`,
    )
    await page.goto(landing)
    await page.getByLabel('Done: Verify a citizen').check()
    await page.getByText('1 of 6 steps done').waitFor()
    expectNoComplaints()
  })

  it.each(['fr', 'en', 'ar'])('passes axe in %s, light or dark, and fits screens of 390 to 1920 pixels', async (lang) => {
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [390, 1920]) {
        const page = await open(`?lang=${lang}`, { colorScheme, viewport: { width, height: 900 } })
        await page.locator('[data-component] .state[data-state=good]').last().waitFor()
        await page.getByRole('checkbox').first().check()
        expect([colorScheme, width, await brokenRules(page)]).toEqual([colorScheme, width, []])
        expect(await page.evaluate('[document.documentElement.scrollWidth, document.documentElement.dir]')).toEqual([
          width,
          lang === 'ar' ? 'rtl' : 'ltr',
        ])
      }
    expectNoComplaints()
  })
})

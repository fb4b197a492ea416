import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, type PageOptions, startBrowser } from '../../support/clients/browser.ts'
import { ContentClient, tokenOf } from '../../support/clients/content-client.ts'
import { watchedPages } from '../../support/clients/watched-pages.ts'
import type { Platform } from '../../support/processes/platform.ts'
import { sharedPlatform } from '../../support/processes/shared-platform.ts'

const [described, about] =
  chromiumPath === undefined
    ? [describe.skip, 'reading offline and search: SKIPPED, this machine has no Chromium']
    : [describe, 'reading offline and search, in Chromium']

const thirtieth = 'document.querySelectorAll(".text > *")[30]'
const paragraphs = (about: string): string => Array.from({ length: 60 }, (_, at) => `Paragraph ${at} of ${about}.`).join('\n\n')

described(about, () => {
  let system: Platform
  let browser: Browser
  const watched = watchedPages(() => browser)

  beforeAll(async () => {
    ;[system, browser] = await Promise.all([sharedPlatform('one'), startBrowser()])
    const admin = new ContentClient(system.rest.content, { authorization: `Bearer ${await tokenOf(system)}`, 'x-tenant-id': 'offline' })
    const children = [
      { id: 'water', title: 'L’eau potable', locale: 'fr', body: paragraphs('water'), children: [{ id: 'well', title: 'A deep well' }] },
      { id: 'school', title: 'المدرسة الابتدائية', locale: 'ar', body: 'إلى أين نذهب لتسجيل الطفل؟' },
      { id: 'health', title: 'Health', body: 'Where the <b>water</b> is clean, <script>few</script> are ill.' },
    ]
    expect((await admin.import({ nodes: [{ id: 'top', title: 'Magazine', locale: 'en', children }] })).status).toBe(200)
  })
  afterAll(() => browser?.close())

  const open = async (options: PageOptions = {}): Promise<Page> => {
    const page = await watched.open({ viewport: { width: 1280, height: 700 }, ...options })
    await page.goto(`${system.rest.content}/?lang=en&tenant=offline`)
    await title(page, 'Magazine')
    return page
  }
  const title = (page: Page, name: string) => page.getByRole('heading', { name, level: 1, exact: true }).waitFor()
  const expectNoComplaints = (): void => expect(watched.complaints()).toEqual([])

  it('finds texts by words of titles and bodies in any spelling, and opens them', async () => {
    const page = await open()
    const find = async (words: string): Promise<readonly string[]> => {
      await page.getByLabel('Search this magazine').fill(words)
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await page.locator('.search [role=status]').getByText(/found/).waitFor()
      return page.locator('.results a').allTextContents()
    }
    expect(await find('WATER')).toEqual(['L’eau potable', 'Health'])
    expect(await find("l'eau")).toEqual(['L’eau potable'])
    expect(await find('الى المدرسه')).toEqual(['المدرسة الابتدائية'])
    expect(await find('nowhere')).toEqual([])
    await page.getByText('No texts were found.').waitFor()
    expect(await find('clean water')).toEqual(['Health'])
    expect(await page.locator('.results p').textContent()).toContain('<script>few</script>')
    await page.locator('.results a').click()
    await title(page, 'Health')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Health')
    expectNoComplaints()
  })

  it('stores the reading position of each text, and returns to it from the first page and from the text', async () => {
    const page = await open()
    await page.locator('.cards').getByRole('link', { name: 'L’eau potable' }).click()
    await title(page, 'L’eau potable')
    await page.evaluate(`${thirtieth}.scrollIntoView({ block: "start", behavior: "instant" })`)
    await expect.poll(() => page.evaluate('localStorage.getItem("civigraph.reader.positions") ?? ""')).toContain('"block":30')
    await page.goto(`${system.rest.content}/?lang=en&tenant=offline`)
    await page.getByRole('region', { name: 'Continue reading' }).getByRole('link', { name: 'L’eau potable' }).click()
    const isVisible = () => page.evaluate<boolean>(`Math.abs(${thirtieth}.getBoundingClientRect().top) < 100`)
    await expect.poll(isVisible).toBe(true)

    await page.goto(`${system.rest.content}/?lang=en&tenant=offline&node=water`)
    await title(page, 'L’eau potable')
    expect(await isVisible()).toBe(false)
    await page.getByRole('button', { name: /Continue where you stopped/ }).click()
    await expect.poll(isVisible).toBe(true)
    expectNoComplaints()
  })

  it('works in a browser that blocks storage', async () => {
    const page = await watched.open({ serviceWorkers: 'block' })
    await page.addInitScript('Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no", "SecurityError") } })')
    await page.goto(`${system.rest.content}/?lang=en&tenant=offline&node=water`)
    await title(page, 'L’eau potable')
    await page.getByText('Paragraph 30 of water.').scrollIntoViewIfNeeded()
    await page.locator('.trail').getByRole('link', { name: 'Magazine' }).click()
    await title(page, 'Magazine')
    expectNoComplaints()
  })

  it('shows read texts without a network, with a notice, and the whole of a saved magazine', async () => {
    const page = await open({ expectedErrors: ['ERR_'] })
    const saveButton = page.getByRole('button', { name: 'Save this magazine to read offline' })
    await saveButton.waitFor()
    const context = page.context()
    await expect
      .poll(() => page.evaluate('caches.open("civigraph.reader.texts").then((cache) => cache.keys()).then((keys) => keys.length)'))
      .toBeGreaterThan(0)
    await context.setOffline(true)
    await page.reload()
    await title(page, 'Magazine')
    await page.getByText('You are offline. You can read').waitFor()
    await page.getByText(/^You are offline. This is a copy from/).waitFor()
    await page.locator('.cards').getByRole('link', { name: 'Health' }).click()
    await page.getByRole('alert').getByText('You are offline, and this text is not saved on this device.').waitFor()

    await context.setOffline(false)
    await page.goto(`${system.rest.content}/?lang=en&tenant=offline`)
    await saveButton.click()
    await page.getByText('Saved to read offline: 5 texts').waitFor()
    await context.setOffline(true)
    await page.goto(`${system.rest.content}/?lang=en&tenant=offline&node=well`)
    await title(page, 'A deep well')
    expect(await page.locator('.trail li').allTextContents()).toEqual(['Magazine', 'L’eau potable', 'A deep well'])
    await page.getByLabel('Search this magazine').fill('clean')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.locator('.results').getByRole('link', { name: 'Health' }).click()
    await title(page, 'Health')
    // texts of another tenant are not shown
    await page.goto(`${system.rest.content}/?lang=en&node=well`)
    await page.getByRole('alert').getByText('You are offline, and this text is not saved on this device.').waitFor()
    expectNoComplaints()
  })

  it('deletes the cache of an older version of the page', async () => {
    const page = await open()
    await page.evaluate('caches.open("civigraph.reader.shell.older").then((cache) => cache.put("/", new Response("old")))')
    await page.evaluate('navigator.serviceWorker.getRegistration().then((registration) => registration.unregister())')
    await page.reload()
    await expect.poll(() => page.evaluate<readonly string[]>('caches.keys()')).not.toContain('civigraph.reader.shell.older')
    expect(await page.evaluate<readonly string[]>('caches.keys()')).toEqual(
      expect.arrayContaining([expect.stringMatching(/^civigraph\.reader\.shell\./)]),
    )
    const script = await fetch(`${system.rest.content}/keeper.js`)
    expect(script.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    expect(script.headers.get('content-type')).toContain('text/javascript')
    expect((await fetch(`${system.rest.content}/`)).headers.get('content-security-policy')).toContain("worker-src 'self'")
    expectNoComplaints()
  })
})

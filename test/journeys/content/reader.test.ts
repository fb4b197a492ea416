import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { magazine } from '../../../demonstration/magazine/magazine.ts'
import { chromiumPath, type PageOptions, startBrowser } from '../../support/clients/browser.ts'
import { ContentClient, tokenOf } from '../../support/clients/content-client.ts'
import { watchedPages } from '../../support/clients/watched-pages.ts'
import type { Platform } from '../../support/processes/platform.ts'
import { sharedPlatform } from '../../support/processes/shared-platform.ts'

const [described, about] =
  chromiumPath === undefined ? [describe.skip, 'the reader: SKIPPED, this machine has no Chromium'] : [describe, 'the reader in Chromium']

const phone = { viewport: { width: 320, height: 640 } }

described(about, () => {
  let system: Platform
  let browser: Browser
  let admin: ContentClient
  const watched = watchedPages(() => browser)
  /** Ids of the magazine's texts by their slugs. */
  let ids: Readonly<Record<string, string>>

  beforeAll(async () => {
    ;[system, browser] = await Promise.all([sharedPlatform('one'), startBrowser()])
    admin = new ContentClient(system.rest.content, { authorization: `Bearer ${await tokenOf(system)}` })
    const rows = magazine().map(({ externalId, parentExternalId, ...row }) => ({
      ...row,
      external_id: externalId,
      parent_external_id: parentExternalId,
    }))
    expect(await admin.import({ nodes: rows })).toMatchObject({ status: 200, body: { created: 25 } })
    const all = (await admin.get('/api/v1/export')).body as readonly { slug: string; id: string }[]
    ids = Object.fromEntries(all.map(({ slug, id }) => [slug, id]))
  })
  afterAll(() => browser?.close())

  const open = async (query: string, options: PageOptions = {}): Promise<Page> => {
    const page = await watched.open(options)
    await page.goto(`${system.rest.content}/${query}`)
    return page
  }
  const expectNoComplaints = (): void => expect(watched.complaints()).toEqual([])
  const title = (page: Page) => page.locator('article h1').textContent()
  const trail = (page: Page) => page.locator('.trail li').allTextContents()
  const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent')

  const wideTenant = async (id: string) => {
    const children = Array.from({ length: 120 }, (_, at) => ({ external_id: `c${at}`, title: `Child ${at}` }))
    const tenant = admin.with({ 'x-tenant-id': id })
    await tenant.import({ nodes: [{ external_id: 'r', title: 'Wide', children }] })
    return tenant
  }

  it('is navigated with the keyboard: arrows in the contents, Enter opens a text, its title takes the focus, Back returns', async () => {
    const page = await open('?lang=fr')
    const contents = page.getByRole('navigation', { name: 'Sommaire' })
    await contents.getByRole('link', { name: 'Le bien commun' }).focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => focused(page)).toBe('L’eau, du forage au robinet')
    await page.keyboard.press('ArrowRight')
    await contents.getByRole('link', { name: 'Lire sa facture d’eau' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => title(page)).toBe('Lire sa facture d’eau')
    await expect.poll(() => focused(page)).toBe('Lire sa facture d’eau')
    expect(await page.title()).toBe('Lire sa facture d’eau · Civigraph')
    expect(new URL(page.url()).searchParams.get('node')).toBe(ids['facture-d-eau'])
    expect(await trail(page)).toEqual(['Le bien commun · الصالح العام', 'L’eau, du forage au robinet', 'Lire sa facture d’eau'])
    await expect.poll(() => contents.locator('[aria-current=page]').allTextContents()).toEqual(['Lire sa facture d’eau'])
    await expect
      .poll(() => page.locator('.turn a').allTextContents())
      .toEqual(['PrécédentRendre l’eau potable à la maison', 'SuivantFaire vivre un comité de point d’eau'])
    await page.goBack()
    await expect.poll(() => title(page)).toBe('Le bien commun · الصالح العام')
    expectNoComplaints()
  })

  it('is fully reachable by Tab with a visible focus, and fits a screen of 320 pixels', async () => {
    const page = await open(`?lang=en&node=${ids.eau}`, phone)
    await page.locator('.cards li').first().waitFor()
    await page.locator('.contents > summary').press('Enter')
    await page.locator('.contents nav [aria-current]').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
    const all = await page.evaluate<number>(
      `[...document.querySelectorAll('a[href], button:enabled, input, summary')].filter((each) => each.checkVisibility()).map((each, index) => each.dataset.stop = index).length`,
    )
    const reached = new Set<string>()
    for (let presses = 0; presses < 2 * all + 10 && reached.size < all; presses++) {
      await page.keyboard.press('Tab')
      const [stop, outline] = await page.evaluate<[string, string]>(
        `[document.activeElement.dataset.stop ?? '', getComputedStyle(document.activeElement).outlineStyle]`,
      )
      if (stop === '') continue
      reached.add(stop)
      expect([stop, outline]).toEqual([stop, 'solid'])
    }
    expect(reached.size).toBe(all)
    expectNoComplaints()
  })

  it('runs from right to left in Arabic, with each text in its own direction', async () => {
    const page = await open(`?lang=ar&node=${ids['دفتر-التطعيم']}`, phone)
    await expect.poll(() => title(page)).toBe('دفتر التطعيم، كيف نقرؤه')
    const directions = (...selectors: string[]) =>
      page.evaluate<string[]>(`${JSON.stringify(selectors)}.map((each) => getComputedStyle(document.querySelector(each)).direction)`)
    expect(await directions('html', 'article', 'article table', 'article h2')).toEqual(['rtl', 'rtl', 'rtl', 'rtl'])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
    await page.locator('.trail a').first().click()
    await expect.poll(() => title(page)).toBe('Le bien commun · الصالح العام')
    expect(await page.evaluate(`[...document.querySelectorAll('article .text p')].map((each) => each.dir)`)).toEqual(['ltr', 'rtl'])
    expect(await directions('html', 'article')).toEqual(['rtl', 'ltr'])
    expect(await page.locator('#inside').textContent()).toBe('في هذا القسم')
    expectNoComplaints()
  })

  it('aligns titles of the other direction like those of its own', async () => {
    const page = await open(`?lang=ar&node=${ids.eau}`, { viewport: { width: 1280, height: 900 } })
    for (const place of ['.contents nav .leaf', '.turn .next']) await page.locator(place).first().waitFor()
    /** The x positions of the text's start or end edge in each of these elements of an Arabic page. */
    const sides = (side: 'left' | 'right', ...selectors: string[]) =>
      page.evaluate<number[]>(`${JSON.stringify(selectors)}.map((each) => {
        const range = document.createRange()
        range.selectNodeContents(document.querySelector(each))
        return Math.round(range.getBoundingClientRect().${side})
      })`)
    const [above = 0, leaf = 0] = await sides('right', '.contents nav [aria-current]', '.contents nav .leaf a')
    expect(above - leaf).toBeGreaterThan(10)
    const [word, next] = await sides('left', '.turn .next span:first-child', '.turn .next span:last-child')
    expect(next).toBe(word)
    expectNoComplaints()
  })

  it('loads children page by page, and opens one on a late page', async () => {
    const tenant = await wideTenant('wide')
    const page = await open('?lang=en&tenant=wide')
    const cards = page.locator('.cards li')
    await expect.poll(() => cards.count()).toBe(50)
    await page.locator('.inside button').click()
    await expect.poll(() => cards.count()).toBe(100)
    await expect.poll(() => focused(page)).toBe('Child 50')
    await page.locator('.inside button').click()
    await expect.poll(() => cards.count()).toBe(120)
    expect(await page.locator('.inside button').isVisible()).toBe(false)

    const all = (await tenant.get('/api/v1/export')).body as readonly { title: string; id: string }[]
    await page.goto(`${system.rest.content}/?lang=en&tenant=wide&node=${all.at(-1)?.id}`)
    await expect.poll(() => page.locator('.contents nav [aria-current=page]').allTextContents()).toEqual(['Child 119'])
    await page.locator('.contents nav').getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => focused(page)).toBe('Child 50')
    expectNoComplaints()
  })

  it('has the loaded children offline when the service worker starts later', async () => {
    await wideTenant('wide-later')
    const page = await watched.open()
    await page.addInitScript(`{
      const register = navigator.serviceWorker.register.bind(navigator.serviceWorker)
      navigator.serviceWorker.register = (...asked) => new Promise((begin) => { window.beginKeeping = begin }).then(() => register(...asked))
    }`)
    await page.goto(`${system.rest.content}/?lang=en&tenant=wide-later`)
    const cards = page.locator('.cards li')
    await expect.poll(() => cards.count()).toBe(50)
    await page.locator('.inside button').click()
    await expect.poll(() => cards.count()).toBe(100)
    const readAgain = page.waitForResponse((response) => response.url().includes('/api/v1/nodes/') && response.fromServiceWorker())
    await page.evaluate('beginKeeping()')
    await (await readAgain).finished()
    await page.locator('.inside button').click()
    await expect.poll(() => cards.count()).toBe(120)
    expectNoComplaints()
  })

  it('shows the nearest levels of a deep tree, with a link to its first page', async () => {
    const rows = Array.from({ length: 130 }, (_, at) => ({
      id: `d${at}`,
      title: `Level ${at}`,
      ...(at > 0 && { parent_id: `d${at - 1}` }),
    }))
    await admin.with({ 'x-tenant-id': 'deep' }).import({ nodes: rows })
    const page = await open('?lang=en&tenant=deep&node=d129', phone)
    await expect.poll(() => title(page)).toBe('Level 129')
    expect((await trail(page)).slice(0, 2)).toEqual(['…', 'Level 30'])
    await expect
      .poll(() => page.locator('.contents nav .line a').allTextContents())
      .toEqual(['Level 125', 'Level 126', 'Level 127', 'Level 128', 'Level 129'])
    await page.getByRole('link', { name: 'Go to the first page' }).click()
    await expect.poll(() => title(page)).toBe('Level 0')
    expect(new URL(page.url()).searchParams.get('tenant')).toBe('deep')
    expectNoComplaints()
  })

  it('shows hostile titles and bodies as text, and links only to http, https and mailto', async () => {
    const attack = '<img src=x onerror="document.title=\'taken\'">'
    const body = `# ${attack}

<script>document.title = 'taken'</script>

[one](javascript:alert(1)) [two](https://example.org/a?b=1) [three](mailto:a@example.org) [four](data:text/html,x) [five](//example.org) ![six](https://example.org/p.png)

| a | b |
|:--|--:|
| ${'w'.repeat(400)} | ${attack} |

\`${attack}\``
    const tenant = admin.with({ 'x-tenant-id': 'hostile' })
    const script = 'javascript:alert(1)'
    const stored = 'https://media.test/script'
    const media = [{ url: stored, alt: attack }]
    const nodes = [
      {
        external_id: 'h',
        title: `${attack}${'t'.repeat(300)}`,
        summary: attack,
        body,
        media,
        children: [{ title: attack, summary: attack }],
      },
    ]
    expect((await tenant.import({ nodes: [{ title: 'Refused', media: [{ url: script }] }] })).status).toBe(422)
    expect((await tenant.import({ nodes })).status).toBe(200)
    const page = await watched.open(phone)
    // an earlier release may have stored such a URL
    await page.route('**/api/v1/nodes/**', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replaceAll(stored, script) })
    })
    await page.goto(`${system.rest.content}/?lang=en&tenant=hostile`)
    await expect.poll(() => title(page)).toContain(attack)
    expect(await page.evaluate('document.querySelectorAll("main img, main script, main style, main [style], main [onerror]").length')).toBe(
      0,
    )
    expect(await page.locator('article .text').textContent()).toContain("<script>document.title = 'taken'</script>")
    expect(await page.locator('article .text').locator('h2, th').allTextContents()).toEqual([attack, 'a', 'b'])
    expect(await page.evaluate(`[...document.querySelectorAll('article a')].map((each) => each.href)`)).toEqual([
      'https://example.org/a?b=1',
      'mailto:a@example.org',
      'https://example.org/p.png',
    ])
    expect(await page.locator('.cards h3').textContent()).toBe(attack)
    expect(await page.title()).not.toBe('taken')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
    expectNoComplaints()
  })

  it('shows a picture that a text contains, and links to any other', async () => {
    const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const body = `![Un puits](data:image/png;base64,${dot} "À Thiès") ![six](https://example.org/p.png) ![sept](data:image/svg+xml;base64,PHN2Zz4=)`
    const tenant = admin.with({ 'x-tenant-id': 'pictures' })
    expect((await tenant.import({ nodes: [{ title: 'Un magazine', body }] })).status).toBe(200)
    const page = await watched.open(phone)
    await page.goto(`${system.rest.content}/?lang=en&tenant=pictures`)
    const picture = page.getByRole('img', { name: 'Un puits' })
    await picture.waitFor()
    await expect.poll(() => page.evaluate(`document.querySelector('article img').naturalWidth`)).toBe(1)
    expect(await page.locator('article img').count()).toBe(1)
    expect(await page.locator('article .text a').getAttribute('href')).toBe('https://example.org/p.png')
    expectNoComplaints()
  })

  it('offers the shown text of the shown tenant as PDF and JSON', async () => {
    const tenant = admin.with({ 'x-tenant-id': 'files' })
    await tenant.import({ nodes: [{ external_id: 'r', title: 'Files', children: [{ external_id: 'one', title: 'One text' }] }] })
    const page = await open('?lang=en&tenant=files')
    await page.locator('.cards a').click()
    await expect.poll(() => title(page)).toBe('One text')
    const take = async (name: string) => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name, exact: true }).click()])
      return [download.suggestedFilename(), await readFile(await download.path())] as const
    }
    const [pdfName, pdf] = await take('This text as PDF')
    expect([pdfName, pdf.subarray(0, 5).toString()]).toEqual(['one-text.pdf', '%PDF-'])
    const [wholeName, whole] = await take('The whole magazine as PDF')
    expect([wholeName, whole.subarray(0, 5).toString()]).toEqual(['files.pdf', '%PDF-'])
    const [jsonName, json] = await take('JSON')
    expect([jsonName, JSON.parse(json.toString())]).toMatchObject([
      'one-text.json',
      { tenant_id: 'files', title: 'One text', children: [] },
    ])
    expectNoComplaints()
  })

  it('opens the tenant of the address, and reports an empty tenant or an invalid name', async () => {
    const page = await open('?lang=en', { expectedErrors: ['404'] })
    await expect.poll(() => title(page)).toBe('Le bien commun · الصالح العام')
    const tenant = page.getByLabel('Organisation')
    await tenant.fill('Not A Name')
    await tenant.press('Enter')
    expect(await page.locator('.tenant .bad').isVisible()).toBe(true)
    expect(await tenant.getAttribute('aria-invalid')).toBe('true')
    await tenant.fill('empty')
    await tenant.press('Enter')
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('This organisation does not have a magazine yet.')
    expect(await page.locator('.sheet').isVisible()).toBe(false)
    await tenant.fill('default')
    await tenant.press('Enter')
    await expect.poll(() => page.locator('.sheet').isVisible()).toBe(true)
    expect(new URL(page.url()).search).toBe('?lang=en')

    await page.goto(`${system.rest.content}/?lang=en&node=none`)
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('This text was not found.')
    await page.getByRole('link', { name: 'Décider ensemble' }).click()
    await expect.poll(() => title(page)).toBe('Décider ensemble')
    expect(await page.getByRole('alert').isVisible()).toBe(false)
    expectNoComplaints()
  })

  it('shows a notice when it reads from the snapshot, and when no server responds', async () => {
    const page = await open('?lang=en', { expectedErrors: ['ERR_FAILED'], serviceWorkers: 'block' })
    await page.locator('.cards a').first().waitFor()
    await page.route('**/api/v1/nodes/**', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), source: 'snapshot', snapshot_at: '2026-03-04T05:06:00.000Z' } })
    })
    await page.locator('.cards a').first().click()
    await expect
      .poll(() => page.locator('.notice.warn').textContent())
      .toMatch(/^The database is unavailable\. You are reading a copy from March 4, 2026/)
    await page.unroute('**/api/v1/nodes/**')
    await page.route('**/api/v1/nodes/**', (route) => route.abort())
    await page.locator('.trail a').first().click()
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('The service did not respond. Try again.')
    await page.unroute('**/api/v1/nodes/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => title(page)).toBe('Le bien commun · الصالح العام')
    expect(await page.locator('.notice.warn').isVisible()).toBe(false)
    expectNoComplaints()
  })

  it('runs only scripts from its own files', async () => {
    const response = await fetch(`${system.rest.content}/`)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/default-src 'none'; script-src 'self';/)
    expect(policy).not.toMatch(/https?:|unsafe|\*/)
    expect((await response.text()).match(/<script(?![^>]*src="\/)|<style|\son\w+=|https:\/\//g)).toBeNull()
  })
})

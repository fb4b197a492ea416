import { randomUUID } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brokenRules } from '../../support/clients/axe.ts'
import { chromiumPath, type PageOptions, startBrowser } from '../../support/clients/browser.ts'
import { type Account, accountOf, ContentClient, newAccount, tokenOf } from '../../support/clients/content-client.ts'
import { watchedPages } from '../../support/clients/watched-pages.ts'
import { layouts, type Platform } from '../../support/processes/platform.ts'
import { sharedPlatform } from '../../support/processes/shared-platform.ts'

const [described, about] =
  chromiumPath === undefined
    ? [describe.skip, 'content in the console: SKIPPED, this machine has no Chromium']
    : [describe, 'content in the console']

described.each(layouts)(`${about}, in layout %s`, (layout) => {
  let system: Platform
  let browser: Browser
  const watched = watchedPages(() => browser)
  beforeAll(async () => {
    ;[system, browser] = await Promise.all([sharedPlatform(layout), startBrowser()])
  })
  afterAll(() => browser?.close())

  /** Creates a tree for a new tenant: three texts, two below the first. */
  const plant = async (): Promise<{ readonly tenant: string; readonly client: ContentClient }> => {
    const tenant = `desk-${randomUUID()}`
    const client = new ContentClient(system.rest.content, {
      authorization: `Bearer ${await tokenOf(system)}`,
      'x-tenant-id': tenant,
    })
    const children = [
      {
        id: 'water',
        title: 'Water',
        body: 'Where it comes from.',
        children: [
          { id: 'well', title: 'Well' },
          { id: 'river', title: 'River' },
        ],
      },
      { id: 'school', title: 'School' },
      { id: 'health', title: 'Health' },
    ]
    expect((await client.import({ nodes: [{ id: 'top', title: 'Magazine', locale: 'en', children }] })).status).toBe(200)
    return { tenant, client }
  }
  const signIn = async (page: Page, { email, password }: Account): Promise<void> => {
    await page.locator('main button').click()
    await page.locator('input[type=email]').fill(email)
    await page.locator('input[type=password]').fill(password)
    await page.locator('main button[type=submit]').click()
  }
  const open = async (account: Account, path: string, options: PageOptions = {}): Promise<Page> => {
    const page = await watched.open(options)
    await page.goto(`${system.rest.administration}/${path}`)
    await signIn(page, account)
    return page
  }
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
  const title = (page: Page, name: string) => page.getByRole('heading', { name, level: 2, exact: true }).waitFor()
  const follow = (page: Page, name: string) => page.locator('.contents').getByRole('link', { name, exact: true }).click()
  const readNode = async (client: ContentClient, id: string) => (await client.get(`/api/v1/nodes/${id}`)).body
  const childrenOf = async (client: ContentClient, id: string): Promise<readonly string[]> =>
    (await readNode(client, id)).children.map((child: { id: string }) => child.id)
  const expectNoComplaints = (): void => expect(watched.complaints()).toEqual([])
  const admins = {
    super_admin: () => accountOf(system, 'super_admin'),
    group_admin: (tenant: string) => newAccount(system, 'group_admin', '--group', tenant),
  } as const

  it.each(Object.entries(admins))('is edited, created, moved, deleted and restored by a %s, and shown in the reader', async (_, admin) => {
    const { tenant, client } = await plant()
    const page = await open(await admin(tenant), `?lang=en#/content/${tenant}/water`)
    await title(page, 'Water')
    await press(page, 'Edit')
    await field(page, 'Summary').fill('What all need')
    await field(page, 'Text').fill('# From above\n\n<script>document.title = "taken"</script> **wet**')
    const preview = page.getByRole('region', { name: 'Preview' })
    expect(await preview.locator('strong').textContent()).toBe('wet')
    expect(await preview.locator('script').count()).toBe(0)
    await press(page, 'Save')
    await page.locator('.sheet:not(.desk) .lede').getByText('What all need').waitFor()
    expect((await readNode(client, 'water')).node).toMatchObject({ title: 'Water', summary: 'What all need' })

    await press(page, 'New text in this section')
    await field(page, 'Title').fill('Rain')
    await field(page, 'Language').fill('en')
    await press(page, 'Save')
    await title(page, 'Rain')
    expect(await childrenOf(client, 'water')).toHaveLength(3)
    // each text has its own address
    const rain = (await childrenOf(client, 'water'))[2]
    expect(new URL(page.url()).hash).toBe(`#/content/${tenant}/${rain}`)
    await press(page, 'Translate')
    await field(page, 'Title').fill('La pluie')
    await field(page, 'Language').fill('fr')
    await press(page, 'Save')
    await title(page, 'La pluie')
    await page.locator('article').getByRole('link', { name: 'English' }).click()
    await title(page, 'Rain')

    await follow(page, 'Magazine')
    await title(page, 'Magazine')
    await press(page, 'Change the order')
    const rows = page.locator('.ordered')
    const order = (...titles: string[]) => expect.poll(() => rows.locator('.what').allTextContents()).toEqual(titles)
    await order('Water', 'School', 'Health')
    await page.getByRole('button', { name: 'Move Water' }).press('Enter')
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
    await order('School', 'Water', 'Health')
    await rows
      .nth(2)
      .locator('span')
      .dragTo(rows.nth(0), { targetPosition: { x: 100, y: 3 } })
    await order('Health', 'School', 'Water')
    expect(await childrenOf(client, 'top')).toEqual(['health', 'school', 'water'])
    const first = page.locator('.contents .line a')
    await expect.poll(async () => (await first.allTextContents()).slice(0, 3)).toEqual(['Magazine', 'Health', 'School'])
    await press(page, 'Close')

    await follow(page, 'Water')
    await title(page, 'Water')
    await press(page, 'Remove…')
    const window = page.getByRole('dialog', { name: 'Remove “Water”?' })
    await window.getByText('5 texts').waitFor()
    await window.getByRole('button', { name: 'Remove', exact: true }).click()
    await title(page, 'Magazine')
    expect(await childrenOf(client, 'top')).toEqual(['health', 'school'])
    await press(page, 'Restore: Water')
    await page.getByText('The text was restored.').waitFor()
    await page.locator('.contents').getByRole('link', { name: 'Water', exact: true }).waitFor()
    expect(await childrenOf(client, 'top')).toEqual(['health', 'school', 'water'])
    expect((await readNode(client, rain ?? '')).node).toMatchObject({ title: 'Rain', parent_id: 'water' })
    expectNoComplaints()
  })

  // one layout suffices for the behaviour of the page; the test above covers both
  if (layout === 'split') return

  it('is navigated by keyboard, and opened branches stay open', async () => {
    const { tenant } = await plant()
    const page = await open(await admins.super_admin(), `?lang=en#/content/${tenant}`)
    await title(page, 'Magazine')
    const shown = () => page.locator('.contents .line a').allTextContents()
    await expect.poll(shown).toEqual(['Magazine', 'Water', 'School', 'Health'])
    await page.locator('.contents').getByRole('link', { name: 'Magazine' }).focus()
    for (const key of ['ArrowDown', 'ArrowRight']) await page.keyboard.press(key)
    await expect.poll(shown).toEqual(['Magazine', 'Water', 'Well', 'River', 'School', 'Health'])
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await title(page, 'Health')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Health')
    expect(await shown()).toEqual(['Magazine', 'Water', 'Well', 'River', 'School', 'Health'])
    await page.goBack()
    await title(page, 'Magazine')
    await page.evaluate(`location.hash = '#/content/${tenant}/nowhere'`)
    await page.getByText('This text was not found.').waitFor()
    await press(page, 'Go to the first page')
    await title(page, 'Magazine')
    expectNoComplaints()
  })

  it('shows the conflicting changes of two editors, and loses neither', async () => {
    const { tenant, client } = await plant()
    const account = await admins.super_admin()
    const [one, two] = await Promise.all([0, 1].map(() => open(account, `?lang=en#/content/${tenant}/water`)))
    if (one === undefined || two === undefined) throw new Error('two pages were opened')
    await Promise.all([one, two].map((page) => press(page, 'Edit')))
    await field(one, 'Summary').fill('by one')
    await field(one, 'Text').fill('the text by one')
    await field(two, 'Title').fill('Water by two')
    await field(two, 'Text').fill('the text by two')
    await press(one, 'Save')
    await title(one, 'Water')
    await press(two, 'Save')
    const conflict = two.getByRole('alert').filter({ hasText: 'Another person changed this text' })
    await conflict.getByText('the text by one').waitFor()
    expect(await brokenRules(two)).toEqual([])
    expect(await field(two, 'Summary').inputValue()).toBe('by one')
    await press(two, 'Save')
    await title(two, 'Water by two')
    const all = { title: 'Water by two', summary: 'by one', body: 'the text by two' }
    expect((await readNode(client, 'water')).node).toMatchObject(all)
    expectNoComplaints()
  })

  it('retains the typed text when the session expires, for the same account', async () => {
    const { tenant, client } = await plant()
    const mine = await admins.group_admin(tenant)
    const page = await open(mine, `?lang=en#/content/${tenant}/water`, { expectedErrors: ['401'] })
    await press(page, 'Edit')
    await field(page, 'Summary').fill('a sentence that took long to write')
    let isOver = true
    const errors = [{ message: 'The token is over', extensions: { code: 'UNAUTHENTICATED' } }]
    await page.route('**/graphql', (route) =>
      isOver
        ? route.fulfill({ status: 401, contentType: 'application/json', body: JSON.stringify({ data: null, errors }) })
        : route.continue(),
    )
    await press(page, 'Save')
    const again = page.getByRole('dialog', { name: 'Your session has ended' })
    const opening = page.waitForEvent('popup')
    await again.getByRole('button', { name: 'Sign in' }).click()
    const beside = await opening
    await beside.locator('input[type=email]').fill(mine.email)
    await beside.locator('input[type=password]').fill(mine.password)
    isOver = false
    await beside.locator('main button[type=submit]').click()
    await again.waitFor({ state: 'detached' })
    expect(await field(page, 'Summary').inputValue()).toBe('a sentence that took long to write')

    await press(page, 'Sign out')
    await signIn(page, await admins.super_admin())
    await page.evaluate(`location.hash = '#/content/${tenant}/water'`)
    await press(page, 'Edit')
    expect(await field(page, 'Summary').inputValue()).toBe('')
    await press(page, 'Sign out')
    await signIn(page, mine)
    await page.evaluate(`location.hash = '#/content/${tenant}/water'`)
    await press(page, 'Edit')
    await page.getByText('This is your unsaved text from last time').waitFor()
    await press(page, 'Save')
    await page.locator('.sheet:not(.desk) .lede').getByText('a sentence that took long to write').waitFor()
    expect((await readNode(client, 'water')).node).toMatchObject({ summary: 'a sentence that took long to write' })
    expectNoComplaints()
  })

  it('is created for a tenant without a tree, and hidden from a group_admin of another tenant', async () => {
    const tenant = `desk-${randomUUID()}`
    const page = await open(await admins.group_admin(tenant), '?lang=en#/content')
    await page.getByText('This organisation does not have a magazine yet.').waitFor()
    await press(page, 'Create a magazine')
    await field(page, 'Title').fill('The beginning')
    await press(page, 'Save')
    await title(page, 'The beginning')
    const other = await plant()
    await page.evaluate(`location.hash = '#/content/${other.tenant}/water'`)
    await page.getByText('None of your groups administers this tenant').waitFor()
    expect(await page.locator('.contents').count()).toBe(0)
    expectNoComplaints()
  })

  it('passes axe in every language, light and dark, at every width', async () => {
    const { tenant } = await plant()
    const views = [
      { lang: 'en', colorScheme: 'light', width: 1280 },
      { lang: 'ar', colorScheme: 'dark', width: 390 },
      { lang: 'fr', colorScheme: 'dark', width: 1920 },
    ] as const
    for (const { lang, colorScheme, width } of views) {
      const viewport = { width, height: 900 }
      const page = await open(await admins.super_admin(), `?lang=${lang}#/content/${tenant}`, { colorScheme, viewport })
      const tools = page.locator('.tools button')
      const check = async (view: string): Promise<void> => {
        expect([lang, view, await brokenRules(page)]).toEqual([lang, view, []])
        expect([lang, view, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([lang, view, width])
      }
      await tools.first().waitFor()
      await check('read')
      for (const [at, view] of ['edit', 'new', 'order'].entries()) {
        await tools.nth(at).click()
        const place = page.locator(view === 'order' ? '.ordered' : '.writing').first()
        await place.waitFor()
        await check(view)
        await page.reload()
        await tools.first().waitFor()
      }
    }
    expectNoComplaints()
  })
})

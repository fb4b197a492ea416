import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brokenRules } from '../../support/clients/axe.ts'
import { chromiumPath, type PageOptions, startBrowser } from '../../support/clients/browser.ts'
import { type Account, accountOf, ContentClient, tokenOf } from '../../support/clients/content-client.ts'
import { watchedPages } from '../../support/clients/watched-pages.ts'
import type { Platform } from '../../support/processes/platform.ts'
import { sharedPlatform } from '../../support/processes/shared-platform.ts'

const [described, about] =
  chromiumPath === undefined
    ? [describe.skip, 'writing in the reader: SKIPPED, this machine has no Chromium']
    : [describe, 'writing in the reader, in Chromium']

described(about, () => {
  let system: Platform
  let browser: Browser
  let admin: ContentClient
  let account: Account
  const watched = watchedPages(() => browser)

  beforeAll(async () => {
    ;[system, browser] = await Promise.all([sharedPlatform('one'), startBrowser()])
    admin = new ContentClient(system.rest.content, { authorization: `Bearer ${await tokenOf(system)}` })
    account = await accountOf(system, 'super_admin')
  })
  afterAll(() => browser?.close())

  /** Creates a tree of this tenant: three texts, two below the first. */
  const plant = async (tenant: string): Promise<ContentClient> => {
    const own = admin.with({ 'x-tenant-id': tenant })
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
    expect((await own.import({ nodes: [{ id: 'top', title: 'Magazine', locale: 'en', children }] })).status).toBe(200)
    return own
  }
  const open = async (tenant: string, id: string, options: PageOptions = {}): Promise<Page> => {
    const page = await watched.open({ serviceWorkers: 'block', ...options })
    await page.goto(`${system.rest.content}/?lang=en&tenant=${tenant}&node=${id}`)
    await page.getByRole('button', { name: 'Sign in to write' }).click()
    await page.getByLabel('Email address').fill(account.email)
    await page.getByLabel('Password').fill(account.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
    return page
  }
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
  const title = (page: Page, name: string) => page.getByRole('heading', { name, level: 1, exact: true }).waitFor()
  const expectNoComplaints = (): void => expect(watched.complaints()).toEqual([])
  const childrenOf = async (client: ContentClient, id: string): Promise<readonly string[]> =>
    (await client.get(`/api/v1/nodes/${id}`)).body.children.map((child: { id: string }) => child.id)

  it('creates a text below another, with a preview that runs no script, and a translation, linked both ways', async () => {
    const client = await plant('write-new')
    const page = await open('write-new', 'water')
    await press(page, 'New text in this section')
    await press(page, 'Save')
    await page.getByText('Enter a title.').waitFor()
    await field(page, 'Title').fill('Rain')
    await field(page, 'Text').fill('# From above\n\n<script>document.title = "taken"</script> **wet**')
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.getByRole('heading', { name: 'From above' }).waitFor()
    expect(await preview.locator('strong').textContent()).toBe('wet')
    expect(await preview.locator('script').count()).toBe(0)
    await field(page, 'Language').fill('en')
    await press(page, 'Save')
    await title(page, 'Rain')
    expect(await childrenOf(client, 'water')).toHaveLength(3)

    await press(page, 'Translate')
    await page.getByRole('region', { name: 'Original' }).getByText('From above').waitFor()
    await field(page, 'Title').fill('La pluie')
    await field(page, 'Language').fill('fr')
    await press(page, 'Save')
    await title(page, 'La pluie')
    await page.locator('.about').getByRole('link', { name: 'English' }).click()
    await title(page, 'Rain')
    await page.locator('.about').getByRole('link', { name: 'French' }).waitFor()
    expectNoComplaints()
  })

  it('merges the changes of two editors of one text, shows both versions of a conflict, and loses nothing', async () => {
    const client = await plant('write-two')
    const [one, two] = await Promise.all([open('write-two', 'water'), open('write-two', 'water')])
    await Promise.all([one, two].map((page) => press(page, 'Edit')))
    await field(one, 'Summary').fill('by one')
    await field(one, 'Text').fill('the text by one')
    await field(two, 'Title').fill('Water by two')
    await field(two, 'Text').fill('the text by two')
    await press(one, 'Save')
    await one.getByRole('button', { name: 'Edit', exact: true }).waitFor()

    await press(two, 'Save')
    const conflict = two.getByRole('alert').filter({ hasText: 'Another person changed this text' })
    await conflict.getByText('the text by one').waitFor()
    expect((await client.get('/api/v1/nodes/water')).body.node).toMatchObject({ title: 'Water', body: 'the text by one' })
    expect(await field(two, 'Text').inputValue()).toBe('the text by two')
    expect(await field(two, 'Title').inputValue()).toBe('Water by two')
    // fields that this editor did not change have the other editor's values
    expect(await field(two, 'Summary').inputValue()).toBe('by one')
    await press(two, 'Save')
    await title(two, 'Water by two')
    expect((await client.get('/api/v1/nodes/water')).body.node).toMatchObject({
      title: 'Water by two',
      summary: 'by one',
      body: 'the text by two',
    })
    expectNoComplaints()
  })

  it('retains the typed text when another editor deletes the node, and creates a new node from it', async () => {
    const client = await plant('write-deleted')
    const page = await open('write-deleted', 'school', { expectedErrors: ['404'] })
    await press(page, 'Edit')
    await field(page, 'Text').fill('what took long to write')
    const removal = await fetch(`${system.rest.content}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${await tokenOf(system)}` },
      body: JSON.stringify({ query: 'mutation { deleteContentNode(input: { tenantId: "write-deleted", id: "school" }) { deleted } }' }),
    })
    expect(await removal.json()).toEqual({ data: { deleteContentNode: { deleted: 1 } } })
    await press(page, 'Save')
    await page.getByText('Another person removed this text.').waitFor()
    await press(page, 'Save as a new text')
    await title(page, 'School')
    await page.getByText('what took long to write').waitFor()
    expect(await childrenOf(client, 'top')).toHaveLength(3)
    expectNoComplaints()
  })

  it('retains the typed text when the session expires, and when the page is closed', async () => {
    await plant('write-over')
    const page = await open('write-over', 'water', { expectedErrors: ['401'] })
    await press(page, 'Edit')
    await field(page, 'Summary').fill('a sentence that took long to write')
    let isOver = true
    const errors = [{ message: 'The token is over', extensions: { code: 'UNAUTHENTICATED' } }]
    await page.route('**/graphql', (route) => {
      const isSignIn = route.request().postData()?.includes('mutation SignIn') === true
      if (isSignIn) isOver = false
      return isOver
        ? route.fulfill({ status: 401, contentType: 'application/json', body: JSON.stringify({ data: null, errors }) })
        : route.continue()
    })
    await press(page, 'Save')
    const again = page.getByRole('dialog', { name: 'Your session has ended' })
    await again.getByLabel('Password').fill(account.password)
    await again.getByRole('button', { name: 'Sign in' }).click()
    await again.waitFor({ state: 'detached' })
    expect(await field(page, 'Summary').inputValue()).toBe('a sentence that took long to write')

    await page.reload()
    await press(page, 'Edit')
    await page.getByText('This is your unsaved text from last time').waitFor()
    expect(await field(page, 'Summary').inputValue()).toBe('a sentence that took long to write')
    await press(page, 'Save')
    await page.locator('article .lede').getByText('a sentence that took long to write').waitFor()
    expectNoComplaints()
  })

  it('reorders and nests texts by buttons, by drag and by keyboard', async () => {
    const client = await plant('write-order')
    const page = await open('write-order', 'top')
    await press(page, 'Change the order')
    const rows = page.locator('.ordered')
    const order = (...titles: string[]) => expect.poll(() => rows.locator('.what').allTextContents()).toEqual(titles)
    await order('Water', 'School', 'Health')
    await press(page, 'Move down: Water')
    await order('School', 'Water', 'Health')
    await rows
      .nth(2)
      .locator('span')
      .dragTo(rows.nth(0), { targetPosition: { x: 100, y: 3 } })
    await order('Health', 'School', 'Water')
    const focused = () =>
      page.evaluate<string>(
        `[document.activeElement?.getAttribute('aria-label'), document.activeElement?.id, document.activeElement?.tagName].join()`,
      )
    // a key that comes before the page has moved the focus is lost
    const step = async (key: string): Promise<void> => {
      const before = await focused()
      await page.keyboard.press(key)
      await expect.poll(focused).not.toBe(before)
    }
    await page.getByRole('button', { name: 'Move Health' }).focus()
    for (const key of ['Enter', 'ArrowDown', 'ArrowDown']) await step(key)
    await page.keyboard.press('Enter')
    await order('School', 'Health', 'Water')
    expect(await childrenOf(client, 'top')).toEqual(['school', 'health', 'water'])
    await expect.poll(() => page.locator('.contents .line a').allTextContents()).toEqual(['Magazine', 'School', 'Health', 'Water'])

    await press(page, 'Move into the text above: Water')
    await order('School', 'Health')
    expect(await childrenOf(client, 'health')).toEqual(['water'])
    await page.locator('.contents').getByRole('link', { name: 'Health' }).click()
    await title(page, 'Health')
    await press(page, 'Change the order')
    await press(page, 'Move one level up: Water')
    await expect.poll(() => childrenOf(client, 'top')).toEqual(['school', 'health', 'water'])
    expectNoComplaints()
  })

  it('moves a subtree to the trash, restores it unchanged, and purges it', async () => {
    const client = await plant('write-trash')
    // a restoration counts as a change of position
    const exported = async () =>
      (await client.get('/api/v1/export')).body.map(({ updated_at: _, ...node }: { readonly updated_at: string }) => node)
    const before = await exported()
    const page = await open('write-trash', 'water', { expectedErrors: ['404'] })
    const remove = async (name: string): Promise<void> => {
      await press(page, 'Remove…')
      const window = page.getByRole('dialog', { name: `Remove “${name}”?` })
      await window.getByText('to the trash immediately').waitFor()
      await window.getByRole('button', { name: 'Remove', exact: true }).click()
      await title(page, 'Magazine')
    }
    await remove('Water')
    expect(await childrenOf(client, 'top')).toEqual(['school', 'health'])
    const trash = page.getByRole('region', { name: 'Trash' })
    await trash.getByText('3 texts').waitFor()
    await trash.getByText('by you').waitFor()
    // stored on the server, not in a browser
    await page.evaluate('localStorage.clear()')
    await page.reload()
    await press(page, 'Restore: Water')
    await title(page, 'Water')
    expect(await exported()).toEqual(before)

    await remove('Water')
    await press(page, 'Delete permanently: Water')
    await page.getByRole('dialog', { name: 'Delete “Water” permanently?' }).getByRole('button', { name: 'Delete permanently' }).click()
    await trash.waitFor({ state: 'detached' })
    expect(await childrenOf(client, 'top')).toEqual(['school', 'health'])
    expectNoComplaints()
  })

  it('offers no editing to accounts of other tenants', async () => {
    await plant('write-foreign')
    const page = await watched.open({ serviceWorkers: 'block' })
    await page.goto(`${system.rest.content}/?lang=en&tenant=write-foreign`)
    await title(page, 'Magazine')
    await press(page, 'Sign in to write')
    const { email, password } = await accountOf(system, 'group_admin')
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password').fill(password)
    await press(page, 'Sign in')
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    expect(await page.locator('.tools').count()).toBe(0)
    expectNoComplaints()
  })

  it('passes axe in every language, light and dark, at every width', async () => {
    await plant('write-styles')
    const views = [
      { lang: 'en', colorScheme: 'light', width: 1440 },
      { lang: 'ar', colorScheme: 'dark', width: 390 },
      { lang: 'fr', colorScheme: 'dark', width: 1920 },
    ] as const
    for (const { lang, colorScheme, width } of views) {
      const page = await open('write-styles', 'top', { colorScheme, viewport: { width, height: 900 } })
      await page.goto(`${system.rest.content}/?lang=${lang}&tenant=write-styles&node=top`)
      const tools = page.locator('.tools button')
      const check = async (view: string): Promise<void> => {
        expect([lang, view, await brokenRules(page)]).toEqual([lang, view, []])
        expect([lang, view, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([lang, view, width])
      }
      await tools.first().waitFor()
      await check('read')
      for (const [at, view] of ['edit', 'new', 'order'].entries()) {
        await tools.nth(at).click()
        await page
          .locator(view === 'order' ? '.ordered' : '.writing')
          .first()
          .waitFor()
        await check(view)
        await page.reload()
        await tools.first().waitFor()
      }
    }
    expectNoComplaints()
  })
})

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brokenRules } from '../../support/clients/axe.ts'
import { chromiumPath, type PageOptions, startBrowser } from '../../support/clients/browser.ts'
import { ContentClient, tokenOf } from '../../support/clients/content-client.ts'
import { KeyboardUser } from '../../support/clients/keyboard-user.ts'
import { watchedPages } from '../../support/clients/watched-pages.ts'
import type { Platform } from '../../support/processes/platform.ts'
import { sharedPlatform } from '../../support/processes/shared-platform.ts'

const [described, about] =
  chromiumPath === undefined
    ? [describe.skip, 'the pyramid: SKIPPED, this machine has no Chromium']
    : [describe, 'the pyramid of the reader, in Chromium']

const wide: PageOptions = { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' }
const phone: PageOptions = { viewport: { width: 390, height: 844 }, reducedMotion: 'reduce', hasTouch: true }
/** longer than a title may be today: an earlier release may have stored it */
const longTitle = 'Un très long titre عنوان طويل جدًا '.repeat(60)

described(about, () => {
  let system: Platform
  let browser: Browser
  let admin: ContentClient
  const watched = watchedPages(() => browser)

  beforeAll(async () => {
    ;[system, browser] = await Promise.all([sharedPlatform('one'), startBrowser()])
    admin = new ContentClient(system.rest.content, { authorization: `Bearer ${await tokenOf(system)}` })
    const list = (parent_id: string, count: number) =>
      Array.from({ length: count }, (_, at) => ({ id: `${parent_id}-${at}`, parent_id, title: `Text ${at} of ${parent_id}`, position: at }))
    const town = [
      { id: 'town', title: 'Town', locale: 'en', summary: 'All about the town.' },
      ...['Water', 'École', 'صحة الأسرة'].map((title, at) => ({ id: `s${at}`, parent_id: 'town', title, position: at })),
      ...list('s0', 3),
      ...list('s1', 120),
    ]
    const chain = Array.from({ length: 250 }, (_, at) => ({
      id: `d${at}`,
      title: `Level ${at}`,
      ...(at > 0 && { parent_id: `d${at - 1}` }),
    }))
    for (const [tenant, rows] of [
      ['pyramid', town],
      ['pyramid-deep', chain],
    ] as const)
      expect((await admin.with({ 'x-tenant-id': tenant }).lines(rows)).status).toBe(200)
  })
  afterAll(() => browser?.close())

  const open = async (query: string, options: PageOptions = wide): Promise<Page> => {
    const page = await watched.open(options)
    await page.goto(`${system.rest.content}/?view=pyramid&tenant=pyramid&${query}`)
    await item(page).first().waitFor()
    return page
  }
  const item = (page: Page, name?: string) => page.getByRole('treeitem', name === undefined ? {} : { name, exact: true })
  // a block without room for its title has it as a label
  const current = (page: Page) =>
    page
      .locator('[role=treeitem][aria-selected=true]')
      .evaluate(
        (block: { ariaLabel: string | null; firstElementChild: { textContent: string } }) =>
          block.ariaLabel ?? block.firstElementChild.textContent,
      )
  const trail = (page: Page) =>
    page
      .getByRole('navigation', { name: /You are here|أنت هنا/ })
      .getByRole('listitem')
      .allTextContents()
  const nodeOf = (page: Page) => new URL(page.url()).searchParams.get('node')
  const boxOf = async (page: Page, name: string) => (await item(page, name).boundingBox()) ?? expect.fail(`no ${name}`)
  const expectNoComplaints = (): void => expect(watched.complaints()).toEqual([])

  it('is a tree for keyboards and screen readers, and shares its place with the page of the text', async () => {
    const page = await watched.open(wide)
    const user = await KeyboardUser.at(page)
    await page.goto(`${system.rest.content}/?lang=en&tenant=pyramid`)
    await page.getByRole('link', { name: 'Pyramid' }).press('Enter')
    await user.isAt('treeitem', 'Town')
    for (const [key, name] of [
      ['ArrowDown', 'Water'],
      ['ArrowRight', 'École'],
      ['ArrowRight', 'صحة الأسرة'],
      ['Home', 'Town'],
      ['e', 'École'],
    ] as const)
      await user.go('treeitem', name, { within: 1, key })
    const school = item(page, 'École')
    await user.press('ArrowDown')
    await item(page, 'Text 0 of s1').waitFor()
    expect(await school.getAttribute('aria-expanded')).toBe('true')
    expect(await current(page)).toBe('École')
    await user.go('treeitem', 'Text 0 of s1', { within: 1, key: 'ArrowDown' })
    const last = item(page, 'Text 0 of s1')
    const described = ['aria-level', 'aria-posinset', 'aria-setsize', 'aria-expanded', 'tabindex']
    expect(await Promise.all(described.map((name) => last.getAttribute(name)))).toEqual(['3', '1', '120', null, '0'])
    expect(await page.locator('[role=treeitem][tabindex="0"]').count()).toBe(1)
    // beyond the first page of children
    await user.go('treeitem', 'Text 49 of s1', { within: 49, key: 'ArrowRight' })
    await user.press('ArrowRight')
    await user.isAt('treeitem', 'Text 50 of s1')
    await user.go('treeitem', 'Text 51 of s1', { within: 1, key: 'ArrowRight' })
    expect(await trail(page)).toEqual(['Town', 'École', 'Text 51 of s1'])
    await expect.poll(() => nodeOf(page)).toBe('s1-51')

    await user.press('Enter')
    await user.isAt('heading', 'Text 51 of s1')
    expect(new URL(page.url()).searchParams.get('view')).toBeNull()
    expect(nodeOf(page)).toBe('s1-51')
    await page.goBack()
    await user.isAt('treeitem', 'Text 51 of s1')
    await user.go('treeitem', 'École', { within: 1, key: 'ArrowUp' })
    await user.press('ArrowUp')
    await expect.poll(() => school.getAttribute('aria-expanded')).toBe('false')
    await user.go('treeitem', 'صحة الأسرة', { within: 1, key: 'End' })
    expect(await brokenRules(page)).toEqual([])
    expectNoComplaints()
  })

  it('opens, moves and zooms by pointer, loads no more than it shows, and goes back by its path and by the browser', async () => {
    // its worker, when it starts, reads again what is shown
    const page = await open('lang=en', { ...wide, serviceWorkers: 'block' })
    const read: string[] = []
    page.on('request', (request) => void (request.url().includes('/api/v1/nodes/') && read.push(new URL(request.url()).pathname)))
    await item(page, 'École').click()
    await item(page, 'Text 3 of s1').waitFor()
    expect(read).toEqual(['/api/v1/nodes/s1'])
    expect(await item(page).count()).toBeLessThan(30)
    await item(page, 'Text 3 of s1').click()
    await expect.poll(() => nodeOf(page)).toBe('s1-3')

    const before = await boxOf(page, 'Text 3 of s1')
    await page.mouse.move(before.x + 20, before.y + 20)
    await page.mouse.down()
    await page.mouse.move(before.x - 180, before.y + 20, { steps: 5 })
    await page.mouse.up()
    await expect.poll(async () => Math.round((await boxOf(page, 'Text 3 of s1')).x - before.x)).toBe(-200)
    // the end of a drag selects nothing
    expect(await current(page)).toBe('Text 3 of s1')

    const moved = await boxOf(page, 'Text 3 of s1')
    await page.keyboard.down('Control')
    await page.mouse.move(moved.x + moved.width / 2, moved.y + 10)
    await page.mouse.wheel(0, -60)
    await page.keyboard.up('Control')
    await expect.poll(async () => (await boxOf(page, 'Text 3 of s1')).width / moved.width).toBeGreaterThan(1.3)
    const zoomedIn = await boxOf(page, 'Text 3 of s1')
    expect(zoomedIn.x + zoomedIn.width / 2).toBeCloseTo(moved.x + moved.width / 2, -1)
    await page.getByRole('button', { name: 'Show the whole pyramid' }).click()
    await expect.poll(async () => (await boxOf(page, 'Text 3 of s1')).width).toBeLessThan(40)

    await page.getByRole('navigation', { name: 'You are here' }).getByRole('link', { name: 'Town' }).click()
    await expect.poll(() => current(page)).toBe('Town')
    await page.goBack()
    await expect.poll(() => current(page)).toBe('Text 3 of s1')
    await page.goBack()
    await expect.poll(() => current(page)).toBe('École')
    await page.goForward()
    await expect.poll(() => current(page)).toBe('Text 3 of s1')
    await page.reload()
    await expect.poll(() => trail(page)).toEqual(['Town', 'École', 'Text 3 of s1'])
    await page.getByRole('link', { name: 'Read this text' }).click()
    await page.getByRole('heading', { name: 'Text 3 of s1', level: 1 }).waitFor()
    expectNoComplaints()
  })

  it('zooms by two fingers on a phone, fits its width, and is mirrored in Arabic', async () => {
    const page = await open('lang=ar', { ...phone, colorScheme: 'dark' })
    await item(page, 'Water').click()
    await item(page, 'Text 1 of s0').waitFor()
    const [first, second] = [await boxOf(page, 'Text 0 of s0'), await boxOf(page, 'Text 1 of s0')]
    expect(first.x).toBeGreaterThan(second.x)
    await page.locator('[role=treeitem][aria-selected=true]').focus()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => current(page)).toBe('École')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)

    const touch = await page.context().newCDPSession(page)
    const fingers = (distance: number) => [100 - distance, 100 + distance].map((x, id) => ({ x: x + 90, y: 480, id }))
    const { width } = await boxOf(page, 'École')
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(30) })
    for (const distance of [40, 50, 60]) await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: fingers(distance) })
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await expect.poll(async () => (await boxOf(page, 'École')).width / width).toBeGreaterThan(1.6)
    expect(await brokenRules(page)).toEqual([])
    expectNoComplaints()
  })

  it('shows a place deep in the tree with the levels around it, and loads those above when they come into view', async () => {
    const page = await watched.open(wide)
    const levels: string[] = []
    page.on('request', (request) => void (request.url().includes('/api/v1/nodes/') && levels.push(request.url())))
    await page.goto(`${system.rest.content}/?lang=en&view=pyramid&tenant=pyramid-deep&node=d249`)
    await item(page, 'Level 249').waitFor()
    expect(await item(page, 'Level 249').getAttribute('aria-level')).toBe('250')
    expect(await trail(page)).toEqual(['First page', '…', 'Level 246', 'Level 247', 'Level 248', 'Level 249'])
    expect(levels.length).toBeLessThan(10)
    await page.getByRole('link', { name: /^Further up: / }).click()
    await expect.poll(() => current(page)).toBe('Level 245')
    await page.getByRole('link', { name: 'First page' }).click()
    await expect.poll(() => current(page)).toBe('Level 0')
    expectNoComplaints()
  })

  it('shows texts without a title or with a very long one, and reports a text that was removed or does not exist', async () => {
    const page = await watched.open({ ...wide, expectedErrors: ['404'], serviceWorkers: 'block' })
    await page.route('**/api/v1/nodes/root*', async (route) => {
      const response = await route.fetch()
      const text = (await response.text()).replace('"title":"Water"', '"title":" "').replace('"title":"École"', `"title":"${longTitle}"`)
      await route.fulfill({ response, body: text })
    })
    await page.goto(`${system.rest.content}/?lang=en&view=pyramid&tenant=pyramid`)
    await item(page, '(no title)').waitFor()
    const { width, height } = (await page.getByRole('treeitem', { name: /^Un très long/ }).boundingBox()) ?? expect.fail()
    expect([width < 500, height < 200]).toEqual([true, true])

    const gone = admin.with({ 'x-tenant-id': 'pyramid-gone' })
    await gone.lines([
      { id: 'g', title: 'Town' },
      { id: 'g1', parent_id: 'g', title: 'Section' },
      { id: 'g2', parent_id: 'g1', title: 'Text' },
    ])
    await page.goto(`${system.rest.content}/?lang=en&view=pyramid&tenant=pyramid-gone`)
    await item(page, 'Section').waitFor()
    await gone.lines([{ id: 'g', title: 'Town' }], '?mode=replace')
    await item(page, 'Section').click()
    await page.getByRole('status').getByText('“Section” was removed.').waitFor()
    await expect.poll(() => current(page)).toBe('Town')
    expect(await item(page).count()).toBe(1)

    await page.goto(`${system.rest.content}/?lang=en&view=pyramid&tenant=pyramid&node=nowhere`)
    await page.getByRole('alert').getByText('This text was not found.').waitFor()
    await expect.poll(() => current(page)).toBe('Town')
    await page.getByRole('button', { name: 'Go to the first page' }).click()
    await expect.poll(() => page.getByRole('alert').isVisible()).toBe(false)
    expectNoComplaints()
  })

  it('shows without a network what was read, and loads the rest when the network returns', async () => {
    const page = await open('lang=en', { ...wide, expectedErrors: ['ERR_'] })
    await page.evaluate('navigator.serviceWorker.ready')
    await page.reload()
    await item(page, 'Water').click()
    await item(page, 'Text 0 of s0').waitFor()
    const cached = () =>
      page.evaluate<string>(
        'caches.open("civigraph.reader.texts").then((cache) => cache.keys()).then((keys) => keys.map(({ url }) => url).join())',
      )
    await expect.poll(cached).toMatch(/nodes\/s0\?/)
    await expect.poll(cached).toMatch(/nodes\/root\?/)
    await page.context().setOffline(true)
    await page.goto(`${system.rest.content}/?lang=en&view=pyramid&tenant=pyramid`)
    await page.getByText(/^You are offline. This is a copy from/).waitFor()
    await item(page, 'Water').click()
    await item(page, 'Text 0 of s0').waitFor()
    await item(page, 'École').click()
    await page.locator('.filler.failed').getByText('Not loaded. Try again').waitFor()
    await page.context().setOffline(false)
    await page.locator('.filler.failed').click()
    await item(page, 'Text 0 of s1').waitFor()
    expectNoComplaints()
  })
})

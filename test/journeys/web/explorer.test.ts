import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brokenRules } from '../../support/clients/axe.ts'
import { chromiumPath, drawing, type PageOptions, startBrowser, watchedPage } from '../../support/clients/browser.ts'
import { postExpression } from '../../support/clients/post-expression.ts'
import { watchedPages } from '../../support/clients/watched-pages.ts'
import { realEngines, skippedWithout } from '../../support/engines/engines.ts'
import { freePortBase } from '../../support/processes/free-ports.ts'
import { components, type Platform, type System } from '../../support/processes/platform.ts'
import { type RunningProcess, startProcess, stopProcess, untilReady } from '../../support/processes/platform-process.ts'
import { sharedPlatform } from '../../support/processes/shared-platform.ts'
import { startSystem } from '../../support/processes/start-system.ts'
import { describedMessages } from '../../support/rest/described-messages.ts'
import { connectTo, receivedEvents, subscribe } from '../../support/rest/realtime.ts'

const [described, about] =
  chromiumPath === undefined
    ? [describe.skip, 'the explorer: SKIPPED, this machine has no Chromium']
    : [describe, 'the explorer in Chromium']

interface Created {
  readonly seq: number
  readonly expression: {
    readonly id: string
    readonly text: string
    readonly classification: { readonly domain: { readonly id: string } | null } | null
  }
}

/** Posts with an id: the repetition of an expression that was stored despite a 503 is recognised. */
const post = async (system: Platform, expression: object): Promise<string> => {
  const { status, body } = await postExpression(system, { external_id: randomUUID(), ...expression })
  expect(status).toBe(201)
  return body.id
}

const district = (id: string, name: string, [west, south, east, north]: readonly [number, number, number, number]) => ({
  type: 'Feature',
  id,
  properties: { name },
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  },
})

const countedIn = async (system: System): Promise<number> => {
  const response = await fetch(`${system.rest.exploration}/api/v1/stats`, { signal: AbortSignal.timeout(60_000) })
  return ((await response.json()) as { readonly expressions: { readonly total: number } }).expressions.total
}

/** The page refreshes a second after a change, and test machines are busy. */
const eventually = <Value>(find: () => Value) => expect.poll(find)

// one layout suffices for the behaviour of the page; the journey of exploration and the tests below cover the other
described(about, () => {
  let system: System
  let browser: Browser
  let folder: string
  const watched = watchedPages(() => browser)
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'explorer-'))
    const districts = join(folder, 'districts.json')
    writeFileSync(
      districts,
      JSON.stringify({
        type: 'FeatureCollection',
        features: [district('BF', 'Burkina Faso', [-5, 9, 2, 15]), district('KE', 'Kenya', [34, -5, 42, 5])],
      }),
    )
    ;[system, browser] = await Promise.all([
      startSystem({ components: ['exploration', 'classification'], env: { DISTRICTS_FILE: districts } }),
      startBrowser(drawing),
    ])
    await post(system, {
      text: 'Pas une goutte d’eau au robinet depuis trois jours, c’est inadmissible.',
      location: { city: 'Ouagadougou', country: 'BF' },
      domain_hint: 'water-sanitation',
    })
    await post(system, {
      text: 'The nurses at the new clinic are wonderful, thank you.',
      location: { lat: -1.29, lon: 36.82 },
      domain_hint: 'health',
    })
  })
  afterAll(async () => {
    await browser?.close()
    await system?.stop()
    rmSync(folder, { recursive: true })
  })

  const open = async (query: string, options: PageOptions = {}): Promise<Page> => {
    const page = await watched.open(options)
    await page.goto(`${system.rest.exploration}/${query}`)
    return page
  }
  const expectNoComplaints = (): void => expect(watched.complaints()).toEqual([])
  const figure = (page: Page, name: string) => page.locator(`#figure-${name}`).textContent()

  it('shows new expressions without a reload: in the feed, the figures, the topics and the map', async () => {
    // a page that opens before both are counted fits its view around the counted one
    await eventually(() => countedIn(system)).toBe(2)
    const page = await open('?lang=en')
    await eventually(() => page.locator('#connection').textContent()).toBe('Live')
    await page.locator('#map').waitFor()
    await eventually(() => figure(page, 'expressions')).toBe('2')
    await eventually(() => page.locator('#map-summary').textContent()).toBe('2 opinions on the map.')
    // earlier expressions are shown, too
    await eventually(() => page.locator('#feed li').count()).toBe(2)

    const text = 'There are power cuts every evening and I lost all my goods.'
    await post(system, { text, location: { city: 'Accra', country: 'GH' }, domain_hint: 'energy' })
    await page.locator('#feed li', { hasText: text }).waitFor({ timeout: 60_000 })
    await eventually(() => figure(page, 'expressions')).toBe('3')
    await eventually(() => page.locator('#map-summary').textContent()).toBe('3 opinions on the map.')
    await eventually(() => page.locator('.topic[data-key=energy] .count').textContent()).toBe('1')
    await page.locator('#map-table summary').click()
    await page.locator('#map-table tbody tr', { hasText: 'Ghana' }).waitFor()
    expectNoComplaints()
  })

  it('applies its filters, and has them in its address', async () => {
    const page = await open('?lang=en')
    await eventually(() => page.locator('#map-summary').textContent()).toMatch(/^[23] opinions on the map\.$/)
    // the view fits all expressions, not only those that match the filter
    await eventually(() => page.url()).toContain('bbox=')
    await page.getByRole('button', { name: /^Health/ }).click()
    await eventually(() => page.locator('#map-summary').textContent()).toBe('1 opinion on the map.')
    await eventually(() => page.locator('#feed li').count()).toBe(1)
    expect(page.url()).toContain('domain=health')
    await page.reload()
    await eventually(() => page.locator('#map-summary').textContent()).toBe('1 opinion on the map.')
    await page.locator('label', { hasText: 'Negative' }).click()
    await eventually(() => page.locator('#map-summary').textContent()).toContain('No opinions match these filters')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await eventually(() => page.locator('#map-summary').textContent()).toMatch(/^[23] opinions on the map\.$/)
    expectNoComplaints()
  })

  it('filters map, figures and feed by words, and has them in its address', async () => {
    const page = await open('?lang=en')
    await eventually(() => page.locator('#map-summary').textContent()).toMatch(/^[23] opinions on the map\.$/)
    await page.getByRole('searchbox', { name: 'Words' }).fill('robinet')
    await page.getByRole('searchbox', { name: 'Words' }).press('Enter')
    await eventually(() => page.locator('#map-summary').textContent()).toBe('1 opinion on the map.')
    await eventually(() => figure(page, 'expressions')).toBe('1')
    await eventually(() => page.locator('#feed li').allTextContents()).toEqual([expect.stringContaining('Pas une goutte d’eau')])
    expect(page.url()).toContain('q=robinet')
    await page.reload()
    await eventually(() => page.locator('#map-summary').textContent()).toBe('1 opinion on the map.')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await eventually(() => page.locator('#map-summary').textContent()).toMatch(/^[23] opinions on the map\.$/)
    expectNoComplaints()
  })

  it('shows French, English and Arabic, which runs from right to left', async () => {
    for (const [lang, title, direction] of [
      ['fr', 'Ce que disent les citoyens', 'ltr'],
      ['en', 'What citizens say', 'ltr'],
      ['ar', 'ماذا يقول المواطنون', 'rtl'],
    ] as const) {
      const page = await open(`?lang=${lang}`)
      await eventually(() => page.locator('h1').textContent()).toBe(title)
      expect(await page.evaluate('[document.documentElement.lang, document.documentElement.dir]')).toEqual([lang, direction])
      await page.locator('.topic').first().waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    }
    const page = await open('', { locale: 'ar' })
    await eventually(() => page.locator('h1').textContent()).toBe('ماذا يقول المواطنون')
    await page.getByRole('button', { name: 'Français' }).click()
    await eventually(() => page.locator('h1').textContent()).toBe('Ce que disent les citoyens')
    expectNoComplaints()
  })

  it('is usable with the keyboard only, on a screen of 320 pixels', async () => {
    const page = await open('?lang=en', { viewport: { width: 320, height: 640 } })
    await page.locator('.topic').first().waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
    // the first key loads the map
    await page.keyboard.press('Shift')
    await page.locator('#map').waitFor()
    const expectedOrder = ['domain', 'written', 'period', 'map', 'zoom-in', 'zoom-out', 'whole', 'pause', 'feed']
    const reached = new Set<string>()
    for (let presses = 0; presses < 90 && reached.size < expectedOrder.length; presses++) {
      await page.keyboard.press('Tab')
      const id = await page.evaluate<string>('document.activeElement.id')
      if (expectedOrder.includes(id)) reached.add(id)
    }
    expect([...reached].sort()).toEqual([...expectedOrder].sort())
    // a place from the table moves to the centre of the map, and Enter shows its expressions
    await page.locator('#map-table summary').press('Enter')
    await page.locator('#map-table tbody button').first().press('Enter')
    await page.locator('#details h3').waitFor()
    await page.keyboard.press('Escape')
    await eventually(() => page.locator('#details').isHidden()).toBe(true)
    expectNoComplaints()
  })

  it('shows the expressions at a place, accepts pseudonymous votes on them, and allows changes', async () => {
    const page = await open('?lang=en&domain=health')
    await page.locator('#map-table summary').click()
    await page.locator('#map-table tbody button').first().click()
    const details = page.locator('#details .said-here li').first()
    expect(await details.locator('.said').textContent()).toBe('The nurses at the new clinic are wonderful, thank you.')
    await details.getByRole('button', { name: /^Agree/ }).click()
    await details.getByText('Your vote is counted as unverified.').waitFor()
    const pressed = () => details.getByRole('group').locator('[aria-pressed="true"]').textContent()
    const classes = () => details.locator('.vote-classes').textContent()
    // the figure is the verified votes; unverified ones are shown beside it
    expect(await classes()).toBe('0 verified votes · 1 unverified vote (agree: 1, disagree: 0, no opinion: 0)')
    expect(await pressed()).toBe('Agree 0')
    await details.getByRole('button', { name: /^Disagree/ }).click()
    await eventually(classes).toBe('0 verified votes · 1 unverified vote (agree: 0, disagree: 1, no opinion: 0)')
    expect(await pressed()).toBe('Disagree 0')
    await eventually(() => figure(page, 'unverified')).toBe('1 unverified vote')
    expect(await figure(page, 'votes')).toBe('0')
    // the same browser is the same voter after a restart
    await page.reload()
    await page.locator('#map-table summary').click()
    await page.locator('#map-table tbody button').first().click()
    expect(await pressed()).toBe('Disagree 0')
    await details.getByRole('button', { name: /^No opinion/ }).click()
    await eventually(classes).toBe('0 verified votes · 1 unverified vote (agree: 0, disagree: 0, no opinion: 1)')
    // once its pass has expired, the vote is final: this browser does not become a second voter
    await page.evaluate(() => {
      const votes = JSON.parse(localStorage.getItem('civigraph.votes') ?? '[]')
      localStorage.setItem('civigraph.votes', JSON.stringify(votes.map(([id, value, pass]: unknown[]) => [id, value, pass, 1])))
    })
    await page.reload()
    await page.locator('#map-table summary').click()
    await page.locator('#map-table tbody button').first().click()
    await details.getByText('You can no longer change it.').waitFor()
    expect(await details.getByRole('button', { name: /^Agree/ }).isDisabled()).toBe(true)
    // an invalid pass, as from another network, changes nothing and casts no other vote
    await page.evaluate(() => {
      const votes = JSON.parse(localStorage.getItem('civigraph.votes') ?? '[]')
      localStorage.setItem('civigraph.votes', JSON.stringify(votes.map(([id, value]: unknown[]) => [id, value, 'x', Date.now() + 60_000])))
    })
    await page.reload()
    await page.locator('#map-table summary').click()
    await page.locator('#map-table tbody button').first().click()
    await details.getByRole('button', { name: /^Agree/ }).click()
    await details.getByText('You voted from another network.').waitFor()
    expect(await classes()).toBe('0 verified votes · 1 unverified vote (agree: 0, disagree: 0, no opinion: 1)')
    expectNoComplaints()
  })

  it('accepts a typed expression, shows its classification, and shows it at its place', async () => {
    const page = await open('?lang=en')
    const text = `The road to the market is flooded again, call me at 77 123 45 67 <img src=x onerror=alert(1)>`
    await page.getByLabel('Your opinion', { exact: true }).fill(text)
    await page.getByLabel('Town or city').first().fill('Thiès')
    await page.getByRole('textbox', { name: /^Country/ }).fill('sn')
    await page.getByRole('button', { name: 'Send' }).click()
    const understood = page.locator('.say')
    await understood.getByText('Your opinion was published').waitFor()
    const shown = await understood.locator('blockquote').textContent()
    expect(shown).toContain('The road to the market is flooded again')
    expect(shown).not.toContain('77 123 45 67')
    expect(await understood.locator('dd').last().textContent()).toContain('Thiès')
    await page.locator('#feed li', { hasText: 'flooded again' }).waitFor()
    await understood.getByRole('button', { name: 'Show on the map' }).click()
    await eventually(() => page.locator('#map-summary').textContent()).toBe('1 opinion on the map.')
    expectNoComplaints()
  })

  it('requests figures and map once in 2 s each while 100 events a second arrive, and nothing while it is hidden', async () => {
    const page = await watched.open()
    let send: (name: string, content: object) => void = () => undefined
    await page.routeWebSocket(/socket\.realtime/, (socket) => {
      socket.connectToServer()
      send = (name, content) => socket.send(`42${JSON.stringify([name, content])}`)
    })
    await page.goto(`${system.rest.exploration}/?lang=en`)
    await eventually(() => page.locator('#connection').textContent()).toBe('Live')
    await eventually(() => page.url()).toContain('bbox=')
    const openedAt = Date.now()
    const requests: { readonly of: string; readonly at: number }[] = []
    page.on('requestfinished', (request) => {
      const { pathname } = new URL(request.url())
      const of = pathname === '/graphql' ? String(request.postDataJSON().operationName) : pathname
      const at = request.timing().startTime
      // the map still reads its first view
      if (at > openedAt + 1000) requests.push({ of, at })
    })
    let events = 0
    const stream = setInterval(() => {
      for (const name of ['stats:updated', 'domains:updated', 'map:invalidated']) send(name, {})
      for (let index = 0; index < 5; index++) {
        const id = `${events++}`
        const said = {
          id,
          text: `Opinion ${id}`,
          created_at: new Date().toISOString(),
          lang: { code: 'en' },
          classification: null,
          sentiment: null,
        }
        send('expression:created', { seq: 1, expression: { ...said, location: { lat: 1, lon: events % 40, place: null } } })
      }
    }, 50)
    try {
      const of = (name: string): readonly number[] => requests.filter((request) => request.of === name).map(({ at }) => at)
      const both = ['ExplorerFigures', '/api/v1/map'] as const
      await expect.poll(() => both.map((name) => of(name).length >= 4), { timeout: 60_000 }).toEqual([true, true])
      for (const name of both) {
        const gaps = of(name).flatMap((at, index, all) => (index < 1 ? [] : [at - (all[index - 1] ?? at)]))
        expect([name, Math.min(...gaps) > 1900, gaps]).toEqual([name, true, gaps])
      }
      expect(new Set(requests.map((request) => request.of))).toEqual(new Set(both))
      const show = (isVisible: boolean) =>
        page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${!isVisible} })
          document.dispatchEvent(new Event('visibilitychange'))
          performance.timeOrigin + performance.now()`)
      const hiddenAt = Number(await show(false))
      const before = events
      await expect.poll(() => events - before, { timeout: 60_000 }).toBeGreaterThan(500)
      expect(requests.filter(({ at }) => at > hiddenAt)).toEqual([])
      const count = await page.locator('#feed li').count()
      await show(true)
      await eventually(() => both.map((name) => of(name).filter((at) => at > hiddenAt).length > 0)).toEqual([true, true])
      expect(count).toBe(30)
    } finally {
      clearInterval(stream)
    }
    expectNoComplaints()
  })

  it('passes axe and fits in every language, light and dark, from 390 to 1920 pixels, with a selection open', async () => {
    for (const [lang, colorScheme, width] of [
      ['fr', 'light', 390],
      ['ar', 'dark', 768],
      ['en', 'dark', 1440],
      ['ar', 'light', 1920],
    ] as const) {
      const page = await open(`?lang=${lang}`, { colorScheme, viewport: { width, height: 900 } })
      await page.locator('#map-table summary').click()
      await page.locator('#map-table tbody button').first().click()
      await page.locator('#details .said-here li').first().waitFor()
      expect([lang, await brokenRules(page)]).toEqual([lang, []])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      await page.context().close()
    }
    expectNoComplaints()
  })

  it('renders a quarter of the pixels while the map moves without a graphics card, and all of them at rest', async () => {
    const page = await open('?lang=en')
    const map = page.locator('#map')
    const size = () => map.evaluate(({ width, height }: { width?: number; height?: number }) => [width, height])
    await eventually(() => page.locator('#map-summary').textContent()).toContain('on the map')
    await map.scrollIntoViewIfNeeded()
    const { width, height, ...corner } = (await map.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    const [x, y] = [corner.x + width / 2, corner.y + height / 2]
    await eventually(size).toEqual([width, height])
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 60, y + 20, { steps: 4 })
    await eventually(size).toEqual([Math.floor(width / 2), Math.floor(height / 2)])
    // the pointer is still pressed: the movement has not ended
    await page.mouse.move(x + 120, y + 20, { steps: 4 })
    await page.mouse.up()
    await eventually(size).toEqual([width, height])
    expectNoComplaints()
  })

  it('has figures for each configured district', async () => {
    const page = await open('?lang=en')
    await page.locator('.layers label', { hasText: 'Districts' }).click()
    await page.locator('#map-table summary').click()
    await eventually(async () => (await page.locator('#map-table tbody tr').allTextContents()).toSorted()).toEqual([
      'Burkina Faso10010',
      'Kenya11000',
    ])
    expectNoComplaints()
  })

  it('shows the data as a table when the map cannot be rendered', async () => {
    const plain = await startBrowser(['--disable-3d-apis'])
    try {
      const opened = await watchedPage(plain, { expectedErrors: ['WebGL'] })
      await opened.page.goto(`${system.rest.exploration}/?lang=en`)
      await opened.page.getByText('Your device cannot show the map').waitFor()
      await opened.page.locator('#map-table tbody tr', { hasText: 'Burkina Faso' }).waitFor()
      expect(opened.complaints).toEqual([])
    } finally {
      await plain.close()
    }
  })

  it('reports unavailable data, and recovers', async () => {
    const page = await open('?lang=en', { expectedErrors: ['503'] })
    await eventually(() => figure(page, 'expressions')).not.toBe('–')
    for (const path of ['**/api/v1/*', '**/graphql'])
      await page.route(path, (route) => route.fulfill({ status: 503, body: '{"detail":"unavailable"}' }))
    await page.getByLabel('Period').selectOption('30')
    await page.getByRole('alert').waitFor()
    await page.unrouteAll()
    await page.getByRole('alert').waitFor({ state: 'hidden', timeout: 60_000 })
    expectNoComplaints()
  })

  it('truncates very long texts in the feed, and expands them', async () => {
    const page = await open('?lang=en')
    // prose: nobody: a sentence of a citizen
    const text = `The road to the market is broken ${'and nobody comes to repair it '.repeat(60)}for years.`
    await post(system, { text, domain_hint: 'transport' })
    const feedText = page.locator('#feed li').filter({ hasText: 'for years.' }).locator('.said')
    await eventually(() => feedText.count()).toBe(1)
    const end = feedText.locator('details')
    await eventually(() => end.getAttribute('open')).toBe(null)
    expect((await feedText.boundingBox())?.height).toBeLessThan(300)
    await end.locator('summary').press('Enter')
    await eventually(() => end.getAttribute('open')).toBe('')
    expect((await feedText.textContent())?.replace(' …', '')).toBe(text)
    expect(await brokenRules(page)).toEqual([])
    expectNoComplaints()
  })
})

const realOnes = realEngines()
if (realOnes === undefined) skippedWithout('DATABASE_URL and REDIS_URL', 'two replicas of the realtime channel')

describe.runIf(realOnes !== undefined)('two replicas of the realtime channel', () => {
  let system: Platform
  let copy: RunningProcess
  let otherUrl: string
  beforeAll(async () => {
    system = await sharedPlatform('split')
    const base = await freePortBase()
    const subgraphs = components.map((name, index) => `${name}=http://127.0.0.1:${Number(system.env.PORT_BASE) + 11 + index}/graphql`)
    copy = startProcess(['rest:exploration'], {
      ...system.env,
      PORT_BASE: String(base),
      DATA_DIR: `${system.dataDir}/copy`,
      SUBGRAPH_URLS: subgraphs.join(),
    })
    await untilReady(copy)
    otherUrl = `http://127.0.0.1:${base + 2}`
  })
  afterAll(async () => copy && (await stopProcess(copy)))

  it('send an event of one replica to the clients of both, once and with the same seq', async () => {
    const sockets = [connectTo(system.rest.exploration), connectTo(otherUrl)]
    const all = sockets.map((socket) => receivedEvents<Created>(socket, 'expression:created'))
    const messages: [name: string, content: unknown][] = []
    // before anything is awaited: the audience is sent a second after a change
    for (const socket of sockets) socket.onAny((name: string, content: unknown) => messages.push([name, content]))
    const problems = await describedMessages(system.rest.exploration)
    for (const socket of sockets) {
      const answer = await subscribe(socket, { domain: 'transport' })
      expect(answer).toMatchObject({ ok: true })
      expect(problems('subscribed', answer)).toEqual([])
      expect(problems('rejected', await subscribe(socket, { domain: 'unheard-of' }))).toEqual([])
    }
    const texts: string[] = []
    for (const number of ['four', 'seven', 'nine'])
      texts.push(await post(system, { text: `Bus number ${number} never comes on time.`, domain_hint: 'transport' }))
    texts.push(await post(system, { text: 'The hospital is short of beds.', domain_hint: 'health' }))
    const mine = (): readonly (readonly Created[])[] =>
      all.map((events) => events.filter(({ expression }) => texts.includes(expression.id)))
    await eventually(() => mine().map(({ length }) => length)).toEqual([3, 3])
    await new Promise((resolve) => setTimeout(resolve, 500))
    const [one, two] = mine().map((events) => events.map(({ seq, expression }) => [seq, expression.text]))
    expect(one).toEqual(two)
    expect(new Set(one?.map(([seq]) => seq)).size).toBe(3)
    await eventually(() =>
      ['stats:updated', 'domains:updated', 'audience'].filter((name) => !messages.some(([each]) => each === name)),
    ).toEqual([])
    for (const [name, content] of messages) expect(problems(name, content), name).toEqual([])
    expect(problems('expression:created', { seq: 1, version: '1' })).not.toEqual([])
    for (const socket of sockets) socket.disconnect()
  })
})

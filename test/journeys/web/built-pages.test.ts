import { randomUUID } from 'node:crypto'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, Page, Response } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtPage } from '../../../web/serving/built-page.ts'
import { chromiumPath, drawing, startBrowser, watchedPage } from '../../support/clients/browser.ts'
import { accountOf } from '../../support/clients/content-client.ts'
import { type Component, layouts, type Platform } from '../../support/processes/platform.ts'
import { sharedPlatform } from '../../support/processes/shared-platform.ts'
import { jobOf } from '../../support/samples/people.ts'

interface Expected {
  readonly of: Component | 'gateway'
  readonly path?: string
  /** Selector of an element that is visible once the page has loaded (default: its title). */
  readonly selector?: string
  /** Compressed bytes of scripts that one visit loads. */
  readonly maxBytes?: number
  /** Extra sources in its Content-Security-Policy. */
  readonly more?: RegExp
}

/** The pages of the build and the components that serve them. */
const pages: Readonly<Record<string, Expected>> = {
  // it fetches tokens from the issuer
  console: { of: 'administration', more: /(?<=connect-src 'self' )http:\/\/127\.0\.0\.1:\d+\/oidc\// },
  // with the map library
  explorer: { of: 'exploration', selector: '#map', maxBytes: 450_000 },
  landing: { of: 'gateway' },
  query: { of: 'gateway', path: '/query', selector: '.cm-content' },
  reader: { of: 'content', selector: '#content' },
  reference: { of: 'classification', path: '/docs', selector: '.operation' },
  // served by the embedded issuer
  'sign-in': { of: 'administration', path: '/sign-in' },
  verification: { of: 'verification' },
}
const maxBytes = 250_000
/** The page paints nothing before these files are loaded. */
const maxStyleBytes = 50_000
/** Fragments after `#/` in the console: each view loads its own scripts. */
const views = [
  '',
  'review',
  'verifications',
  'callbacks',
  'citizens',
  'citizens/CIT-1',
  'expressions',
  'expressions/dead-letters',
  'delegations',
  'delegations/import',
  'delegations/simulations',
  'content',
  'accounts',
  'keys',
  'audit',
]

/** Components whose pages query the graph at their own address. */
const asking = ['verification', 'exploration', 'administration', 'content'] as const

describe.each(layouts)('the built pages, in layout %s', (layout) => {
  let system: Platform
  beforeAll(async () => {
    system = await sharedPlatform(layout)
  })

  it('are all covered here', () => {
    const builtPages = globSync('*/index.html', { cwd: join(import.meta.dirname, '../../../dist/pages') })
    expect(builtPages.map((file) => file.split('/')[0]).toSorted()).toEqual(Object.keys(pages).toSorted())
  })

  it.each(Object.entries(pages))('%s loads no file of other pages, and all files from its own address as immutable', async (name, page) => {
    const address = page.of === 'gateway' ? new URL(system.graphqlUrl).origin : system.rest[page.of]
    const response = await fetch(address + (page.path ?? '/'))
    expect(response.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    expect(response.headers.get('etag')).toMatch(/^"[\w-]+"$/)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/default-src 'none'; script-src 'self';/)
    expect(policy.replace(page.more ?? '', '')).not.toMatch(/https?:|unsafe|\*/)
    const html = await response.text()
    // neither an inline script nor a file of another host
    expect(html.match(/<script(?![^>]*src="\/)|<style|\son\w+=|(?:src|href)="(?![/#])/g)).toBeNull()

    const { files } = builtPage(name, { summary: '' })
    const beginnings = Object.keys(pages)
      .filter((other) => other !== name)
      .map((other) => /type="module"[^>]*src="([^"]+)"/.exec(String(builtPage(other, { summary: '' }).page.content))?.[1])
    expect(beginnings).not.toContain(undefined)
    expect(files.map(({ path }) => path).filter((path) => beginnings.includes(path))).toEqual([])
    for (const { path } of files) {
      const file = await fetch(address + path)
      expect([path, file.status, file.headers.get('cache-control')]).toEqual([path, 200, 'public, max-age=31536000, immutable'])
      const content = Buffer.from(await file.arrayBuffer())
      if (/\.(?:js|css)$/.test(path) && content.length > 1024)
        expect([path, file.headers.get('content-encoding')]).toEqual([path, expect.stringMatching(/^(?:br|gzip)$/)])
    }
  })

  it.each(asking)('of %s query the graph at its own address, by its own rules, with live results', async (component) => {
    const post = (body: object, headers: Record<string, string> = {}) =>
      fetch(`${system.rest[component]}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(60_000),
      })
    expect(await (await post({ query: '{ verificationHealth { status } contentHealth { status } }' })).json()).toEqual({
      data: { verificationHealth: { status: 'OK' }, contentHealth: { status: 'OK' } },
    })
    const deep = `{ domains { parent ${'{ parent '.repeat(30)} { id } ${'}'.repeat(31)} }`
    expect((await post({ query: deep })).status).toBe(400)

    const code = `CIT-${randomUUID()}`
    const key = { 'x-service-api-key': system.apiKey }
    const live = await post(
      { query: 'subscription { verificationFinished { job { citizen { code } } } }' },
      { ...key, accept: 'text/event-stream' },
    )
    expect(live.headers.get('content-type')).toContain('text/event-stream')
    const submitted = await fetch(`${system.rest.verification}/jobs/submit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...key },
      body: JSON.stringify(await jobOf(5, { citizen_code: code })),
    })
    expect(submitted.status).toBe(202)
    let output = ''
    for await (const chunk of live.body ?? []) {
      output += Buffer.from(chunk).toString()
      if (output.includes(code)) break
    }
    expect(output).toContain(code)
    const { job_id } = (await submitted.json()) as { job_id: string }
    await fetch(`${system.rest.verification}/jobs/ack`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...key },
      body: JSON.stringify({ job_ids: [job_id] }),
    })
  })
})

const [described, about] =
  chromiumPath === undefined
    ? [describe.skip, 'what all pages share: SKIPPED, this machine has no Chromium']
    : [describe, 'what all pages share, in Chromium']

described(about, () => {
  let system: Platform
  let browser: Browser
  beforeAll(async () => {
    ;[system, browser] = await Promise.all([sharedPlatform('one'), startBrowser(drawing)])
  })
  afterAll(() => browser?.close())
  const styleOf = (page: Page) =>
    page.evaluate<unknown[]>(
      '[document.documentElement.lang, document.documentElement.dir, getComputedStyle(document.documentElement).colorScheme, getComputedStyle(document.body).backgroundColor]',
    )

  /** Compressed bytes of the scripts and style sheets of a page that is opened in this tab without a cache. */
  const bytesOf = async (page: Page, address: string, selector: string): Promise<Readonly<Record<'script' | 'stylesheet', number>>> => {
    const loaded: Response[] = []
    const onResponse = (response: Response): void => {
      // scripts that a page creates for a worker are part of their parent script
      if (!response.url().startsWith('blob:')) loaded.push(response)
    }
    await page.goto('about:blank')
    page.on('response', onResponse)
    await page.goto(address)
    await page.locator(selector).first().waitFor()
    page.off('response', onResponse)
    const sum = async (kind: string): Promise<number> => {
      const files = loaded.filter((response) => response.request().resourceType() === kind)
      const sizes = await Promise.all(files.map(async (response) => gzipSync(await response.body()).length))
      return sizes.reduce((before, size) => before + size, 0)
    }
    return { script: await sum('script'), stylesheet: await sum('stylesheet') }
  }

  it.each(Object.entries(pages))('%s loads no more script and style than its limit', async (_, expected) => {
    const { of, path = '/', selector = 'h1', maxBytes: limit = maxBytes } = expected
    const { page } = await watchedPage(browser)
    const { script, stylesheet } = await bytesOf(
      page,
      (of === 'gateway' ? new URL(system.graphqlUrl).origin : system.rest[of]) + path,
      selector,
    )
    expect(script).toBeGreaterThan(50_000)
    expect(script).toBeLessThan(limit)
    expect(stylesheet).toBeGreaterThan(1000)
    expect(stylesheet).toBeLessThan(maxStyleBytes)
    await page.context().close()
  })

  it('has no view in the console above the limit, including the editor of content', async () => {
    const { page, complaints } = await watchedPage(browser)
    const { email, password } = await accountOf(system, 'super_admin')
    await page.goto(`${system.rest.administration}/`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('.sections').waitFor()
    for (const view of views) {
      // the editor is loaded after the heading
      const selector = view === 'content' ? 'main .with-contents' : 'main h1'
      const { script: bytes } = await bytesOf(page, `${system.rest.administration}/#/${view}`, selector)
      expect([view, bytes > 100_000, bytes < maxBytes], `${bytes} bytes`).toEqual([view, true, true])
    }
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('reports in the console that a view did not load, and loads it again', async () => {
    const { page } = await watchedPage(browser)
    const { email, password } = await accountOf(system, 'super_admin')
    await page.goto(`${system.rest.administration}/#/keys`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.route('**/assets/audit-page-*.js', (route) => route.abort())
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('main h1').waitFor()
    await page.getByRole('link', { name: 'Audit trail' }).click()
    await page.getByRole('alert').getByText('There is a problem with this part of the page').waitFor()
    await page.unroute('**/assets/audit-page-*.js')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Audit trail', level: 1 }).waitFor()
    await page.context().close()
  })

  it('restores the language and colours chosen on any page, before the first paint', async () => {
    const { page, complaints } = await watchedPage(browser, { colorScheme: 'light', locale: 'en' })
    await page.goto(`${system.rest.administration}/`)
    await page.getByRole('button', { name: 'العربية' }).click()
    expect(await styleOf(page)).toEqual(['ar', 'rtl', 'light dark', 'rgb(255, 255, 255)'])
    await page.getByRole('button', { name: 'المظهر' }).click()
    await page.getByRole('menuitemradio', { name: 'داكن' }).click()
    expect(await styleOf(page)).toEqual(['ar', 'rtl', 'dark', 'rgb(16, 22, 29)'])

    // before any script of the page
    await page.route('**/assets/console-*.js', (route) => route.abort())
    await page.reload()
    expect(await styleOf(page)).toEqual(['ar', 'rtl', 'dark', 'rgb(16, 22, 29)'])
    await page.unroute('**/assets/console-*.js')
    // another port of the same host
    await page.goto(`${system.rest.exploration}/`)
    expect((await styleOf(page)).slice(0, 2)).toEqual(['ar', 'rtl'])

    await page.goto(`${system.rest.administration}/`)
    await page.getByRole('button', { name: 'المظهر' }).click()
    await page.getByRole('menuitemradio', { name: 'حسب إعدادات الجهاز' }).click()
    expect(await styleOf(page)).toEqual(['ar', 'rtl', 'light dark', 'rgb(255, 255, 255)'])
    expect(complaints.filter((each) => !each.includes('ERR_FAILED'))).toEqual([])
    await page.context().close()
  })

  it('shows a message when a page has not started', async () => {
    const { page } = await watchedPage(browser, { locale: 'fr' })
    await page.route('**/assets/console-*.js', (route) => route.abort())
    await page.goto(`${system.rest.administration}/`)
    await page.getByText('Cette page n’a pas démarré.').waitFor()
    await page.context().close()
  })

  it('shows a message without scripts', async () => {
    const { page } = await watchedPage(browser, { javaScriptEnabled: false })
    await page.goto(`${system.rest.administration}/`)
    expect(await page.locator('noscript').textContent()).toContain('This page needs JavaScript.')
    await page.context().close()
  })
})

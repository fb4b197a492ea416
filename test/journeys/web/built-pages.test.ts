import { randomUUID } from 'node:crypto'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtPage } from '../../../web/serving/built-page.ts'
import { chromiumPath, startBrowser, watchedPage } from '../../support/clients/browser.ts'
import { type Component, layouts, type Platform } from '../../support/processes/platform.ts'
import { sharedPlatform } from '../../support/processes/shared-platform.ts'
import { jobOf } from '../../support/samples/people.ts'

/** the pages that the build makes: who serves them, and how many bytes their scripts may have in all, compressed */
const pages: Readonly<
  Record<string, { readonly of: Component | 'gateway'; readonly path?: string; readonly mostBytes?: number; readonly more?: RegExp }>
> = {
  // it fetches its tokens of the issuer
  // with the editor of content, for those who open it
  console: { of: 'administration', mostBytes: 310_000, more: /(?<=connect-src 'self' )http:\/\/127\.0\.0\.1:\d+\/oidc\// },
  // with the library that draws the map
  explorer: { of: 'exploration', mostBytes: 450_000 },
  // its editor places every line by a style in the page
  graphiql: { of: 'gateway', path: '/graphiql', more: /'unsafe-inline'/ },
  landing: { of: 'gateway' },
  reader: { of: 'content' },
  reference: { of: 'classification', path: '/docs' },
  // of the issuer in the platform
  'sign-in': { of: 'administration', path: '/sign-in' },
  verification: { of: 'verification' },
}
/** also of a page that has more, what it loads before anybody has asked for more */
const mostBytes = 250_000

/** Components whose pages ask the graph at their own address. */
const asking = ['verification', 'exploration', 'administration', 'content'] as const

describe.each(layouts)('the built pages, in layout %s', (layout) => {
  let system: Platform
  beforeAll(async () => {
    system = await sharedPlatform(layout)
  })

  it('are all looked at here', () => {
    const made = globSync('*/index.html', { cwd: join(import.meta.dirname, '../../../dist/pages') })
    expect(made.map((file) => file.split('/')[0]).toSorted()).toEqual(Object.keys(pages).toSorted())
  })

  it.each(Object.entries(pages))(
    '%s is light, loads nothing of other pages, and all of it from its own address, to be kept for good',
    async (name, page) => {
      const address = page.of === 'gateway' ? new URL(system.graphqlUrl).origin : system.rest[page.of]
      const response = await fetch(address + (page.path ?? '/'))
      expect(response.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
      expect(response.headers.get('etag')).toMatch(/^"[\w-]+"$/)
      const policy = response.headers.get('content-security-policy') ?? ''
      expect(policy).toMatch(/default-src 'none'; script-src 'self';/)
      expect(policy.replace(page.more ?? '', '')).not.toMatch(/https?:|unsafe|\*/)
      const html = await response.text()
      // neither a script inside the page nor anything of another host
      expect(html.match(/<script(?![^>]*src="\/)|<style|\son\w+=|(?:src|href)="(?![/#])/g)).toBeNull()

      const { files } = builtPage(name, { summary: '' })
      const entries = Object.keys(pages).filter((other) => other !== name)
      expect(files.filter(({ path }) => entries.some((other) => path.startsWith(`/pages/assets/${other}-`)))).toEqual([])
      let bytes = 0
      let bytesAtOnce = 0
      for (const { path } of files) {
        const file = await fetch(address + path)
        expect([path, file.status, file.headers.get('cache-control')]).toEqual([path, 200, 'public, max-age=31536000, immutable'])
        const content = Buffer.from(await file.arrayBuffer())
        if (/\.(?:js|css)$/.test(path) && content.length > 1024)
          expect([path, file.headers.get('content-encoding')]).toEqual([path, expect.stringMatching(/^(?:br|gzip)$/)])
        const scriptBytes = path.endsWith('.js') ? gzipSync(content).length : 0
        bytes += scriptBytes
        // what the page names is loaded with it
        if (html.includes(path)) bytesAtOnce += scriptBytes
      }
      expect(bytes).toBeGreaterThan(1000)
      expect(bytes).toBeLessThan(page.mostBytes ?? mostBytes)
      expect(bytesAtOnce).toBeLessThan(mostBytes)
    },
  )

  it.each(asking)('of %s ask the graph at its own address, by its own rules, with live answers', async (component) => {
    const ask = (body: object, headers: Record<string, string> = {}) =>
      fetch(`${system.rest[component]}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(60_000),
      })
    expect(await (await ask({ query: '{ verificationHealth { status } contentHealth { status } }' })).json()).toEqual({
      data: { verificationHealth: { status: 'OK' }, contentHealth: { status: 'OK' } },
    })
    const deep = `{ domains { parent ${'{ parent '.repeat(30)} { id } ${'}'.repeat(31)} }`
    expect((await ask({ query: deep })).status).toBe(400)

    const code = `CIT-${randomUUID()}`
    const key = { 'x-service-api-key': system.apiKey }
    const live = await ask(
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
    let told = ''
    for await (const chunk of live.body ?? []) {
      told += Buffer.from(chunk).toString()
      if (told.includes(code)) break
    }
    expect(told).toContain(code)
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
    ;[system, browser] = await Promise.all([sharedPlatform('one'), startBrowser()])
  })
  afterAll(() => browser?.close())
  const look = (page: Page) =>
    page.evaluate<unknown[]>(
      '[document.documentElement.lang, document.documentElement.dir, getComputedStyle(document.documentElement).colorScheme, getComputedStyle(document.body).backgroundColor]',
    )

  it('remembers a language and colours that were chosen on any page, before anything is painted', async () => {
    const { page, complaints } = await watchedPage(browser, { colorScheme: 'light', locale: 'en' })
    await page.goto(`${system.rest.administration}/`)
    await page.getByRole('button', { name: 'العربية' }).click()
    expect(await look(page)).toEqual(['ar', 'rtl', 'light dark', 'rgb(255, 255, 255)'])
    await page.getByRole('button', { name: 'الألوان' }).click()
    await page.getByRole('menuitemradio', { name: 'داكنة' }).click()
    expect(await look(page)).toEqual(['ar', 'rtl', 'dark', 'rgb(16, 22, 29)'])

    // no script of the page's own has run yet
    await page.route('**/assets/console-*.js', (route) => route.abort())
    await page.reload()
    expect(await look(page)).toEqual(['ar', 'rtl', 'dark', 'rgb(16, 22, 29)'])
    await page.unroute('**/assets/console-*.js')
    // another port of the same host
    await page.goto(`${system.rest.exploration}/`)
    expect((await look(page)).slice(0, 2)).toEqual(['ar', 'rtl'])

    await page.goto(`${system.rest.administration}/`)
    await page.getByRole('button', { name: 'الألوان' }).click()
    await page.getByRole('menuitemradio', { name: 'كما في هذا الجهاز' }).click()
    expect(await look(page)).toEqual(['ar', 'rtl', 'light dark', 'rgb(255, 255, 255)'])
    expect(complaints.filter((each) => !each.includes('ERR_FAILED'))).toEqual([])
    await page.context().close()
  })

  it('says in plain words when a page has not begun', async () => {
    const { page } = await watchedPage(browser, { locale: 'fr' })
    await page.route('**/assets/console-*.js', (route) => route.abort())
    await page.goto(`${system.rest.administration}/`)
    await page.getByText('Cette page n’a pas démarré.').waitFor()
    await page.context().close()
  })

  it('tells whoever has no scripts that there is nothing to see without', async () => {
    const { page } = await watchedPage(browser, { javaScriptEnabled: false })
    await page.goto(`${system.rest.administration}/`)
    expect(await page.locator('noscript').textContent()).toContain('This page needs JavaScript.')
    await page.context().close()
  })
})

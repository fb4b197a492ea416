import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brokenRules } from '../../support/clients/axe.ts'
import { chromiumPath, type PageOptions, startBrowser } from '../../support/clients/browser.ts'
import { answerOf, openAll, operationOn, triedOn, unfoldAll } from '../../support/clients/documentation-page.ts'
import { watchedPages } from '../../support/clients/watched-pages.ts'
import { layouts, type Platform } from '../../support/processes/platform.ts'
import { sharedPlatform } from '../../support/processes/shared-platform.ts'

interface Description {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly security?: readonly Readonly<Record<string, readonly string[]>>[] }>>>
  >
  readonly components: { readonly securitySchemes?: Readonly<Record<string, object>> }
}

const [described, about] =
  chromiumPath === undefined ? [describe.skip, 'the pages: SKIPPED, this machine has no Chromium'] : [describe, 'the pages in Chromium']

described.each(layouts)(`${about}, in layout %s`, (layout) => {
  let system: Platform
  let browser: Browser
  const watched = watchedPages(() => browser)
  let landing: string
  let service: string
  let documentation: string[]

  beforeAll(async () => {
    ;[system, browser] = await Promise.all([sharedPlatform(layout), startBrowser()])
    landing = system.graphqlUrl.replace(/graphql$/, '')
    service = `${system.rest.verification}/`
    documentation = Object.values(system.rest).map((address) => `${address}/docs`)
  })
  afterAll(() => browser?.close())

  const open = async (url: string, options: PageOptions = {}): Promise<Page> => {
    const page = await watched.open(options)
    await page.goto(url)
    return page
  }
  /** After every test: its pages requested no other origin and logged no error. */
  const expectNoComplaints = (): void => {
    expect(watched.complaints()).toEqual([])
  }

  it('lists the five components with their health, and links to each', async () => {
    const page = await open(landing)
    await expect.poll(() => page.getByRole('status').textContent()).toBe('All 5 services are working.')
    expect(await page.locator('[data-component] .state').allTextContents()).toEqual(Array(5).fill('Working'))
    const links = await page.evaluate<string[]>('[...document.links].map((link) => link.href)')
    expect(links.length).toBeGreaterThan(18)
    for (const link of links) await expect.poll(async () => [link, (await fetch(link)).status]).toEqual([link, 200])
    expectNoComplaints()
  })

  // one layout suffices for the behaviour of the pages; the test above covers both
  if (layout === 'split') return

  it('reports that the gateway does not respond', async () => {
    const page = await open(landing, { expectedErrors: ['ERR_FAILED'] })
    await expect.poll(() => page.getByRole('status').textContent()).toBe('All 5 services are working.')
    await page.route('**/graphql', (route) => route.abort())
    await expect.poll(() => page.getByRole('status').textContent()).toBe('The gateway is not responding.')
    expect(await page.locator('[data-component] .state').allTextContents()).toEqual(Array(5).fill('Not responding'))
    expectNoComplaints()
  })

  it('tries operations on /docs: with a key, and with the prefilled development account', async () => {
    const tryOut = async (page: Page, method: string, path: string, answer: string): Promise<void> => {
      const body = (await triedOn(page, method, path)).getByRole('group', { name: 'Response body' })
      await expect.poll(() => body.textContent()).toContain(answer)
    }
    const page = await open(`${service}docs`)
    await page.getByRole('button', { name: 'Authorize' }).first().click()
    const scheme = page.getByRole('region', { name: 'serviceKey' })
    await scheme.getByLabel('Key', { exact: true }).fill(system.apiKey)
    await scheme.getByRole('button', { name: 'Use for serviceKey' }).click()
    await page.getByRole('button', { name: 'Close' }).click()
    await tryOut(page, 'GET', '/jobs/results', 'total_ready')

    const administration = await open(`${system.rest.administration}/docs`)
    await administration.getByRole('button', { name: 'Authorize' }).first().click()
    await administration.getByRole('button', { name: 'Sign in' }).click()
    await administration.getByRole('button', { name: 'Sign out' }).waitFor()
    await tryOut(administration, 'GET', '/auth/me', 'super_admin')
    await tryOut(administration, 'POST', '/auth/login', 'access_token')

    // stored for this tab only, until sign-out
    await administration.goto('about:blank')
    await administration.goto(`${system.rest.administration}/docs`)
    await administration.getByRole('button', { name: 'Sign out' }).waitFor()
    await tryOut(administration, 'GET', '/auth/me', 'super_admin')
    expect(await administration.evaluate<string>('JSON.stringify({ ...localStorage })')).not.toContain('eyJ')
    await administration.getByRole('button', { name: 'Sign out' }).click()
    expect(await administration.evaluate<string>('JSON.stringify({ ...sessionStorage })')).not.toContain('eyJ')
    await administration.reload()
    await administration.getByRole('button', { name: 'Authorize' }).first().waitFor()
    expect(await administration.getByRole('button', { name: 'Sign out' }).count()).toBe(0)
    expectNoComplaints()
  })

  it('passes axe on every /docs, with every operation open and tried', async () => {
    // components do not differ in their colours
    for (const url of documentation)
      for (const colorScheme of url === `${service}docs` ? (['light', 'dark'] as const) : (['light'] as const)) {
        const page = await open(url, { colorScheme })
        await openAll(page)
        const health = operationOn(page, 'GET', '/health')
        await health.getByRole('button', { name: 'Execute' }).click()
        await answerOf(health, '200 OK').waitFor()
        await unfoldAll(page)
        expect([url, colorScheme, await brokenRules(page, ['target-size'])]).toEqual([url, colorScheme, []])
      }
    expectNoComplaints()
  })

  it('is usable with the keyboard only: Tab reaches everything, with a visible focus', async () => {
    for (const url of [landing, service, `${service}docs`, `${service}docs#/Jobs/submitJob`]) {
      const page = await open(url)
      await page.waitForLoadState('networkidle', { timeout: 2000 }).catch(() => undefined)
      const all = await page.evaluate<number>(
        `[...document.querySelectorAll('a[href], button:enabled, input, select, summary')]
          .filter((each) => each.tabIndex >= 0 && each.checkVisibility()).map((each, index) => each.dataset.stop = index).length`,
      )
      const reached = new Set<string>()
      for (let presses = 0; presses < 3 * all + 10 && reached.size < all; presses++) {
        await page.keyboard.press('Tab')
        const [stop, outline] = await page.evaluate<[string, string]>(
          `[document.activeElement.dataset.stop ?? '', getComputedStyle(document.activeElement).outlineStyle]`,
        )
        if (stop === '') continue
        reached.add(stop)
        expect([url, stop, outline]).toEqual([url, stop, 'solid'])
      }
      expect([url, reached.size]).toEqual([url, all])
    }
    expectNoComplaints()
  })

  it('fits a screen of 320 pixels', async () => {
    for (const url of [landing, service, ...documentation]) {
      const page = await open(url, { viewport: { width: 320, height: 640 } })
      expect([url, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([url, 320])
    }
    expectNoComplaints()
  })

  it('lists the accepted credentials of every operation', async () => {
    for (const address of Object.values(system.rest)) {
      const { paths, components } = (await (await fetch(`${address}/openapi.json`)).json()) as Description
      const schemes = Object.keys(components.securitySchemes ?? {})
      const named = Object.values(paths).flatMap((methods) => Object.values(methods).flatMap(({ security = [] }) => security))
      expect(new Set(named.flatMap((each) => Object.keys(each)))).toEqual(new Set(schemes))
      for (const [path, methods] of Object.entries(paths))
        for (const [method, { security = [] }] of Object.entries(methods)) {
          const response = await fetch(address + path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000'), {
            method: method.toUpperCase(),
            ...(method === 'post' && { headers: { 'content-type': 'application/json' }, body: '{}' }),
          })
          const missesKey = response.status === 422 && (await response.text()).includes('"X-Service-API-Key"')
          expect([address, method, path, response.status === 401 || missesKey]).toEqual([address, method, path, security.length > 0])
        }
    }
  })

  it('runs only scripts from its own files', async () => {
    for (const url of [landing, `${landing}query`, service, `${service}docs`]) {
      const response = await fetch(url)
      const policy = response.headers.get('content-security-policy') ?? ''
      expect(policy).toMatch(/default-src 'none'; script-src 'self';/)
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toMatch(/https?:|unsafe-eval|\*/)
      expect((await response.text()).match(/<script(?![^>]*src="\/)|<style|\son\w+=|https:\/\//g)).toBeNull()
    }
  })
})

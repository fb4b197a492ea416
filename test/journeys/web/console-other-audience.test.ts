import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, startBrowser } from '../../support/clients/browser.ts'
import { startIssuer } from '../../support/gateway/issuer.ts'
import type { System } from '../../support/processes/platform.ts'
import { startSystem } from '../../support/processes/start-system.ts'

const rejected = /^The platform did not accept this sign-in: it is for another service/
const person = { roles: ['super_admin'], email: 'awa@example.org', name: 'Awa' }

if (chromiumPath === undefined)
  describe.skip('a token for another audience: SKIPPED, this machine has no Chromium', () => it('is rejected'))
else
  describe('a token for another audience, from an issuer that the platform trusts, in the console', () => {
    let issuer: Awaited<ReturnType<typeof startIssuer>>
    let system: System
    let browser: Browser
    let page: Page
    /** Audience of the issuer's tokens. */
    let audience: string

    beforeAll(async () => {
      issuer = await startIssuer()
      const env = { OIDC_ISSUER_URL: issuer.url }
      ;[system, browser] = await Promise.all([startSystem({ components: ['administration'], workers: [], env }), startBrowser()])
      const context = await browser.newContext({ locale: 'en' })
      context.setDefaultTimeout(60_000)
      await context.route(`${issuer.url}/**`, signInAtOnce)
      page = await context.newPage()
    })
    afterAll(async () => {
      await browser?.close()
      await system?.stop()
      await issuer?.[Symbol.asyncDispose]()
    })

    /** A minimal issuer: signs every browser in, with a token and no refresh token. */
    const signInAtOnce = async (route: Route): Promise<void> => {
      const { pathname, searchParams } = new URL(route.request().url())
      const headers = { 'access-control-allow-origin': new URL(system.rest.administration).origin }
      const endpoints = { authorization_endpoint: `${issuer.url}/authorization`, token_endpoint: `${issuer.url}/token` }
      if (pathname === '/authorization') {
        const answer = new URLSearchParams({ code: 'one', state: searchParams.get('state') ?? '', iss: issuer.url })
        await route.fulfill({ status: 302, headers: { location: `${searchParams.get('redirect_uri')}?${answer}` } })
      } else if (pathname === '/token') {
        await route.fulfill({ headers, json: { access_token: await issuer.token({ ...person, aud: audience }), token_type: 'Bearer' } })
      } else await route.fulfill({ headers, json: { issuer: issuer.url, ...endpoints } })
    }
    const signIn = () => page.getByRole('button', { name: 'Sign in' }).click()

    it('is rejected with a message, and the user can sign in again', async () => {
      audience = 'another platform'
      await page.goto(`${system.rest.administration}/#/delegations`)
      await signIn()
      await page.getByRole('alert').getByText(rejected).waitFor()
      expect(await page.locator('.sections').count()).toBe(0)

      audience = 'civigraph'
      await signIn()
      await page.getByRole('heading', { name: 'Delegations', level: 1 }).waitFor()
    })

    it('saves no input when it is issued during a session', async () => {
      await page.getByLabel('From', { exact: true }).fill('CIT-typed-with-care')
      const elsewhere = await issuer.token({ ...person, aud: 'another platform' })
      /** The first request with the wrong token is the one that both fields are filled in for. */
      const asElsewhere = (route: Route): Promise<void> => {
        if (route.request().postData()?.includes('CIT-other') !== true) return route.continue()
        const headers = { ...route.request().headers(), authorization: `Bearer ${elsewhere}` }
        return route.continue({ headers })
      }
      await page.route('**/graphql', asElsewhere)
      await page.getByLabel('To', { exact: true }).fill('CIT-other')
      const window = page.getByRole('dialog', { name: 'Your session has ended' })
      await window.getByText('What you entered is still here').waitFor()

      await page.unroute('**/graphql', asElsewhere)
      audience = 'another platform'
      await window.getByRole('button', { name: 'Sign in' }).click()
      await window.getByRole('alert').getByText(rejected).waitFor()

      audience = 'civigraph'
      await window.getByRole('button', { name: 'Sign in' }).click()
      await window.waitFor({ state: 'detached' })
      expect(await Promise.all(['From', 'To'].map((name) => page.getByLabel(name, { exact: true }).inputValue()))).toEqual([
        'CIT-typed-with-care',
        'CIT-other',
      ])
    })
  })

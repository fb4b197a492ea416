import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, startBrowser } from '../../support/clients/browser.ts'
import { people } from '../../support/engines/embedded-identity.ts'
import { realIssuer, skippedWithout } from '../../support/engines/engines.ts'
import { untilIssues } from '../../support/engines/keycloak.ts'
import type { System } from '../../support/processes/platform.ts'
import { startSystem } from '../../support/processes/start-system.ts'

const keycloak = realIssuer()
const tokens = `${keycloak}/protocol/openid-connect/token`
const registeredOrigin = 'http://127.0.0.1:*'
if (keycloak === undefined) skippedWithout('OIDC_ISSUER_URL', 'the console with Keycloak')
else if (chromiumPath === undefined) describe.skip('the console with Keycloak: SKIPPED, this machine has no Chromium', () => it('signs in'))
else
  describe('the console with Keycloak in Chromium', () => {
    let system: System
    let browser: Browser
    beforeAll(async () => {
      const env = { OIDC_ISSUER_URL: keycloak }
      ;[system, browser] = await Promise.all([startSystem({ components: ['administration'], workers: [], env }), startBrowser()])
      await untilIssues(keycloak)
    })
    afterAll(async () => {
      await browser?.close()
      await system?.stop()
    })

    it.each([
      ['super_admin', people.superAdmin, '#/audit'],
      ['group_admin', people.groupAdmin, '#/delegations'],
    ])('signs a %s in by authorization code with PKCE, and out again', async (_, { email, password }, section) => {
      const context = await browser.newContext({ locale: 'en' })
      context.setDefaultTimeout(60_000)
      const page = await context.newPage()
      const failures: string[] = []
      page.on('pageerror', ({ message }) => failures.push(message))
      const { origin } = new URL(system.rest.administration)
      // the test realm registers every port with a wildcard, which Keycloak expands for redirects but not for origins
      await page.route(tokens, async (route) => {
        const answer = await route.fetch({ headers: { ...(await route.request().allHeaders()), origin: registeredOrigin } })
        await route.fulfill({ response: answer, headers: { ...answer.headers(), 'access-control-allow-origin': origin } })
      })
      await page.goto(`${system.rest.administration}/`)
      const asking = page.waitForRequest((request) => request.url().startsWith(`${keycloak}/protocol/openid-connect/auth?`))
      await page.getByRole('button', { name: 'Sign in' }).click()
      const parameters = new URL((await asking).url()).searchParams
      expect(Object.fromEntries(parameters)).toMatchObject({
        response_type: 'code',
        code_challenge_method: 'S256',
        client_id: 'administration',
      })

      const exchanging = page.waitForRequest(tokens)
      await page.locator('input[name="username"]').fill(email)
      await page.locator('input[name="password"]').fill(password)
      await page.locator('[type="submit"]').first().click()
      const exchanged = new URLSearchParams((await exchanging).postData() ?? '')
      expect([...exchanged.keys()].toSorted()).toEqual(['client_id', 'code', 'code_verifier', 'grant_type', 'redirect_uri'])

      await page.locator(`.sections a[href="${section}"]`).waitFor()
      const address = new URL(page.url())
      expect([address.origin, address.search]).toEqual([origin, ''])
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
      expect(failures).toEqual([])
      await context.close()
    })
  })

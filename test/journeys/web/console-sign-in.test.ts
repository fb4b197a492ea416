import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, type PageOptions, startBrowser, type WatchedPage, watchedPage } from '../../support/clients/browser.ts'
import { type Account, accountOf } from '../../support/clients/content-client.ts'
import type { Platform } from '../../support/processes/platform.ts'
import { sharedPlatform } from '../../support/processes/shared-platform.ts'

const [described, about] =
  chromiumPath === undefined
    ? [describe.skip, 'signing in to the console: SKIPPED, this machine has no Chromium']
    : [describe, 'signing in to the console in Chromium']

described(about, () => {
  let system: Platform
  let browser: Browser
  let watched: WatchedPage
  let address: string
  let superAdmin: Account
  /** Secrets that no log may contain. */
  const secrets: string[] = []

  beforeAll(async () => {
    ;[system, browser] = await Promise.all([sharedPlatform('one'), startBrowser()])
    address = `${system.rest.administration}/`
    superAdmin = await accountOf(system, 'super_admin')
  })
  afterAll(() => browser?.close())
  afterEach(() => watched?.page.context().close())

  const open = async (url: string, options: PageOptions = {}): Promise<Page> => {
    watched = await watchedPage(browser, options)
    await watched.page.goto(url)
    return watched.page
  }
  const signIn = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Email address').fill(superAdmin.email)
    await page.getByLabel('Password').fill(superAdmin.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  const fieldsOf = (route: Route): URLSearchParams => {
    const fields = new URLSearchParams(route.request().postData() ?? '')
    secrets.push(fields.get('code') ?? '', fields.get('code_verifier') ?? '')
    return fields
  }
  const expectSignedOut = async (page: Page, sentence: string): Promise<void> => {
    await page.getByRole('alert').getByText(sentence, { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Sign in' }).isVisible()).toBe(true)
    expect(new URL(page.url()).search).toBe('')
    expect(watched.complaints).toEqual([])
  }

  it.each([
    ['en', 'You did not start this sign-in from this page. Sign in again.'],
    ['fr', 'Vous n’avez pas commencé cette connexion sur cette page. Reconnectez-vous.'],
    ['ar', 'لم تبدأ تسجيل الدخول هذا من هذه الصفحة. سجّل الدخول مرة أخرى.'],
  ])('rejects a response with a foreign state, with a message in %s', async (locale, sentence) => {
    const page = await open(`${address}?code=foreign&state=foreign`, { locale })
    await page.getByRole('alert').getByText(sentence, { exact: true }).waitFor()
    expect(new URL(page.url()).search).toBe('')
    expect(watched.complaints).toEqual([])
  })

  it('reports a code that was already used', async () => {
    const page = await open(address, { expectedErrors: ['400'] })
    await page.route('**/oidc/token', async (route) => {
      fieldsOf(route)
      await route.fetch()
      await route.continue()
    })
    await signIn(page)
    await expectSignedOut(page, 'The sign-in code has expired. Sign in again.')
  })

  it('reports that the issuer refused the code verifier', async () => {
    const page = await open(address, { expectedErrors: ['400'] })
    await page.route('**/oidc/token', async (route) => {
      const fields = fieldsOf(route)
      fields.set('code_verifier', 'A'.repeat(43))
      await route.continue({ postData: fields.toString() })
    })
    await signIn(page)
    await expectSignedOut(page, 'The sign-in code has expired. Sign in again.')
  })

  it('reports a refused sign-in with its own message, not with text of the address', async () => {
    const page = await open(address)
    await page.route('**/oidc/authorization?*', async (route) => {
      const parameters = new URL(route.request().url()).searchParams
      const answer = {
        error: 'access_denied',
        error_description: 'call 555 0199',
        state: parameters.get('state') ?? '',
        iss: `${address}oidc`,
      }
      await route.fulfill({ status: 302, headers: { location: `${address}?${new URLSearchParams(answer)}` } })
    })
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expectSignedOut(page, 'You cancelled the sign-in, or the identity provider refused it. Sign in again.')
  })

  it.each([
    ['en', /^The platform did not accept this sign-in: it is for another service/, 'Sign in'],
    ['fr', /^La plateforme n’a pas accepté cette connexion/, 'Se connecter'],
    ['ar', /^لم تقبل المنصة تسجيل الدخول هذا/, 'تسجيل الدخول'],
  ])(
    'rejects a token that is not for this platform, with a message in %s, and the user can sign in again',
    async (locale, sentence, again) => {
      const page = await open(address, { expectedErrors: ['401'], locale })
      await page.route('**/oidc/token', async (route) => {
        fieldsOf(route)
        const answer = await route.fetch()
        const tokens = await answer.json()
        const [header, claims, signature] = String(tokens.access_token).split('.')
        const elsewhere = { ...JSON.parse(Buffer.from(claims ?? '', 'base64url').toString()), aud: 'another platform' }
        const forged = [header, Buffer.from(JSON.stringify(elsewhere)).toString('base64url'), signature].join('.')
        secrets.push(tokens.refresh_token, forged)
        await route.fulfill({ response: answer, json: { ...tokens, access_token: forged, refresh_token: 'none' } })
      })
      const atIssuer = async (): Promise<void> => {
        await page.getByRole('button', { name: again }).click()
        await page.locator('input[type=email]').fill(superAdmin.email)
        await page.locator('input[type=password]').fill(superAdmin.password)
        await page.locator('main button[type=submit]').click()
      }
      await atIssuer()
      await page.getByRole('alert').getByText(sentence).waitFor()
      // nothing of the response is stored: the reloaded page shows the sign-in button, too
      await page.reload()
      await page.getByRole('button', { name: again }).waitFor()
      expect(await page.getByRole('alert').count()).toBe(0)
      await page.unroute('**/oidc/token')
      await atIssuer()
      await page.locator('.sections').waitFor()
    },
  )

  it.each([
    ['en', 'This sign-in has expired. Go back to the page you came from and sign in again.'],
    ['fr', 'Cette connexion a expiré. Revenez à la page précédente et reconnectez-vous.'],
    ['ar', 'انتهت صلاحية تسجيل الدخول هذا. عُد إلى الصفحة التي جئت منها وسجّل الدخول مرة أخرى.'],
  ])('reports an expired sign-in in %s', async (locale, sentence) => {
    const page = await open(`${address}oidc/login/longgone`, { locale })
    await page.getByRole('alert').getByText(sentence, { exact: true }).waitFor()
    expect(watched.complaints).toEqual([])
  })

  it('logs no code, no verifier, no token and no password', () => {
    const lines = system.processes.flatMap(({ output }) => output().split('\n'))
    // in development the start prints the two accounts, as the README documents
    const written = lines.filter((line) => !/^\s*(super|group)_admin\s/.test(line)).join('\n')
    expect(secrets.length).toBeGreaterThan(4)
    expect([...secrets, superAdmin.password].filter((secret) => secret !== '' && written.includes(secret))).toEqual([])
  })
})

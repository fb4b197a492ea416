import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brokenRules } from '../../support/clients/axe.ts'
import { chromiumPath, type PageOptions, startBrowser } from '../../support/clients/browser.ts'
import { type Account, accountOf, ContentClient, newAccount, tokenOf } from '../../support/clients/content-client.ts'
import { VerificationClient } from '../../support/clients/verification-client.ts'
import { watchedPages } from '../../support/clients/watched-pages.ts'
import type { Platform } from '../../support/processes/platform.ts'
import { sharedPlatform } from '../../support/processes/shared-platform.ts'
import { jobOf, selfieOf } from '../../support/samples/people.ts'

const [described, about] =
  chromiumPath === undefined
    ? [describe.skip, 'tasks of a registry office: SKIPPED, this machine has no Chromium']
    : [describe, 'the console']

described(about, () => {
  let system: Platform
  let browser: Browser
  const watched = watchedPages(() => browser, { isQuiet: true })
  let superAdmin: Account

  beforeAll(async () => {
    ;[system, browser] = await Promise.all([sharedPlatform('one'), startBrowser()])
    superAdmin = await accountOf(system, 'super_admin')
  })
  afterAll(() => browser?.close())

  /** Opens a page of the console as an account. */
  const open = async (path: string, account: Account, options: PageOptions = {}): Promise<Page> => {
    const page = await watched.open(options)
    await page.goto(`${system.rest.administration}/${path}`)
    await signIn(page, account)
    return page
  }
  const signIn = async (page: Page, { email, password }: Account): Promise<void> => {
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('.sections').waitFor()
  }

  it('finds a rejected citizen by a part of the code, and explains the rejection after the service acknowledged it', async () => {
    const code = `CIT-${randomUUID()}`
    const client = new VerificationClient(system)
    const { body } = await client.submit({ ...(await jobOf(5, { citizen_code: code })), selfie_b64: await selfieOf(23) })
    await client.untilFinished([body.job_id])
    expect((await client.acknowledge([body.job_id])).body.acked).toBe(1)

    const page = await open('', superAdmin)
    const box = page.getByRole('searchbox', { name: 'Search citizens, verifications and expressions' })
    await box.fill(code.slice(8, 30).toUpperCase())
    await box.press('Enter')
    const found = page.getByRole('region', { name: 'Citizens and their verifications' })
    const link = found.getByRole('link', { name: code })
    // the register follows the events of verifications
    await expect
      .poll(async () => {
        await page.reload()
        await link.or(found.getByText('No citizen with a code like')).waitFor()
        return link.count()
      })
      .toBe(1)
    expect(await brokenRules(page)).toEqual([])

    await page.getByRole('button', { name: /Outcome/ }).click()
    await page.getByRole('option', { name: 'verified', exact: true }).click()
    await found.getByText('No citizen with a code like').waitFor()
    await page.getByRole('button', { name: /Outcome/ }).click()
    await page.getByRole('option', { name: 'rejected', exact: true }).click()
    await found.getByText('rejected', { exact: true }).waitFor()
    await found.getByRole('listitem').getByRole('listitem').getByRole('link').click()
    await page.getByText('The face in the selfie does not match the face on the document.').waitFor()
    await page.getByText(/acknowledged the result, and its details were erased/).waitFor()

    await box.fill(body.job_id)
    await box.press('Enter')
    await found.getByRole('link', { name: code }).click()
    await page.getByRole('heading', { name: `Citizen ${code}` }).waitFor()
    await page.goBack()
    await found.getByRole('link', { name: code }).waitFor()
  })

  it('creates a key that works at once, and revokes it', async () => {
    const name = `registry-${randomUUID()}`
    const page = await open('#/keys', superAdmin)
    await page.getByRole('button', { name: 'Create a key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByRole('button', { name: 'Create a key' }).click()
    await dialog.getByText('They are shown only once').waitFor()
    expect(await brokenRules(page)).toEqual([])
    const key = (await dialog.locator('code').first().textContent()) ?? ''
    await dialog.getByRole('button', { name: 'I have saved the secrets' }).click()
    const status = async (): Promise<number> => (await new VerificationClient(system, key).results()).status
    await expect.poll(status).toBe(200)

    const row = page.getByRole('row', { name })
    await row.getByRole('button', { name: `Revoke the key of ${name}` }).click()
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click()
    await row.getByText('expired').waitFor()
    await expect.poll(status, { timeout: 20_000 }).toBe(401)
  })

  it('shows a group administrator the delegations of their group, by person and status', async () => {
    const group = `quarter-${randomUUID()}`
    const lineOf = (delegate: string, more: object = {}) =>
      JSON.stringify({
        ...{ delegator: `${group}-awa`, delegate: `${group}-${delegate}`, group_id: group, starts_at: '2026-01-01T00:00:00Z' },
        ...more,
      })
    const file = [lineOf('bineta'), lineOf('chidi', { ends_at: '2026-02-01T00:00:00Z' })].join('\n')
    const query = 'mutation ($input: ImportDelegationsInput!) { importDelegations(input: $input) { created } }'
    const response = await fetch(system.graphqlUrl, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${await tokenOf(system, 'super_admin')}` },
      body: JSON.stringify({ query, variables: { input: { file, format: 'NDJSON', dryRun: false } } }),
    })
    expect(await response.json()).toMatchObject({ data: { importDelegations: { created: 2 } } })

    const page = await open('#/delegations', await newAccount(system, 'group_admin', '--group', group))
    await page.getByText(`Your group: ${group}`).waitFor()
    await page.getByText('2 delegations that you can view').waitFor()
    await page.getByRole('button', { name: /Status/ }).click()
    await page.getByRole('option', { name: 'expired' }).click()
    await page.getByText('1 delegation that you can view').waitFor()
    await page.getByRole('row', { name: `${group}-chidi` }).waitFor()
    expect(await page.getByRole('row', { name: `${group}-bineta` }).count()).toBe(0)
    expect(await page.getByRole('searchbox').count()).toBe(0)
    expect(await brokenRules(page)).toEqual([])
  })

  it('prints a text with those below it', async () => {
    const tenant = `print-${randomUUID()}`
    const client = new ContentClient(system.rest.content, { authorization: `Bearer ${await tokenOf(system)}`, 'x-tenant-id': tenant })
    expect((await client.import({ nodes: [{ id: 'top', title: 'Magazine', children: [{ id: 'water', title: 'Water' }] }] })).status).toBe(
      200,
    )
    const page = await open(`#/content/${tenant}/water`, superAdmin)
    await page.getByRole('heading', { name: 'Water' }).waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as PDF, with the texts below it' }).click()
    expect((await readFile(await (await download).path())).subarray(0, 5).toString()).toBe('%PDF-')
  })

  it('asks a second time before the erasure of an unknown code', async () => {
    const code = `CIT-${randomUUID()}`
    const page = await open(`#/citizens/${code}`, superAdmin)
    await page.getByRole('heading', { name: `Unknown code ${code}` }).waitFor()
    await page.getByRole('button', { name: 'Erase this citizen…' }).click()
    const window = page.getByRole('dialog')
    await window.getByText('No component had data about this code. Check the spelling.').waitFor()
    await window.getByLabel('Citizen code').fill(code)
    const erase = window.getByRole('button', { name: 'Erase permanently' })
    expect(await erase.isDisabled()).toBe(true)
    expect(await brokenRules(page)).toEqual([])
    await window.getByRole('checkbox', { name: /Erase this unknown code all the same/ }).check()
    await erase.click()
    await window.getByRole('link', { name: 'Open the certificate' }).waitFor()
  })

  it('shows that a list loads, fails or is offline, and never an empty one instead', async () => {
    const page = await open('#/keys', superAdmin, { expectedErrors: ['ERR_INTERNET_DISCONNECTED', '503'] })
    await page.getByRole('row').filter({ hasText: 'settings' }).first().waitFor()
    const main = page.locator('main')
    const empty = 'No verifications match.'
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/graphql', async (route) => {
      await held
      await route.continue()
    })
    await page.evaluate(`location.hash = '#/verifications'`)
    await main.getByText('Loading').waitFor()
    expect(await main.getByText(empty).count()).toBe(0)
    release()
    await main.getByText('Loading').waitFor({ state: 'detached' })
    await page.unrouteAll({ behavior: 'wait' })

    await page.route('**/graphql', (route) =>
      route.fulfill({ status: 503, json: { errors: [{ message: 'x', extensions: { code: 'ENGINE_UNAVAILABLE' } }] } }),
    )
    await page.getByRole('button', { name: 'Reload' }).click()
    await main.getByRole('button', { name: 'Try again' }).waitFor()
    expect(await main.getByText(empty).count()).toBe(0)
    await page.unroute('**/graphql')
    await page.context().setOffline(true)
    await main.getByRole('button', { name: 'Try again' }).click()
    await main.getByText('You are offline. The page tries again when the connection is back.').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.context().setOffline(false)
    await main.getByText('You are offline').waitFor({ state: 'detached' })
  })

  it('shows nothing of a session after signing out, and everything after signing in again', async () => {
    const page = await open('#/accounts', superAdmin)
    await page.getByRole('row', { name: superAdmin.email }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
    await page.goBack()
    await page.goForward()
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
    expect(await page.getByText(superAdmin.email).count()).toBe(0)
    await signIn(page, superAdmin)
    await page.getByRole('link', { name: 'Accounts' }).click()
    await page.getByRole('row', { name: superAdmin.email }).waitFor()
  })
})

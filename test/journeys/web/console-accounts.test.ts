import { randomUUID } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brokenRules } from '../../support/clients/axe.ts'
import { chromiumPath, startBrowser, watchedPage } from '../../support/clients/browser.ts'
import { type Account, accountOf } from '../../support/clients/content-client.ts'
import { layouts, type Platform } from '../../support/processes/platform.ts'
import { sharedPlatform } from '../../support/processes/shared-platform.ts'

const [described, about] =
  chromiumPath === undefined
    ? [describe.skip, 'accounts in the console: SKIPPED, this machine has no Chromium']
    : [describe, 'accounts in the console']

described.each(layouts)(`${about}, in layout %s`, (layout) => {
  let system: Platform
  let browser: Browser
  beforeAll(async () => {
    ;[system, browser] = await Promise.all([sharedPlatform(layout), startBrowser()])
  })
  afterAll(() => browser?.close())

  const signIn = async (page: Page, { email, password }: Account): Promise<void> => {
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  it('are created, sign in with the password that was shown, and are disabled', async () => {
    const { page, complaints } = await watchedPage(browser, {})
    await page.goto(`${system.rest.administration}/#/accounts`)
    await signIn(page, await accountOf(system, 'super_admin'))
    const email = `awa-${randomUUID()}@example.org`
    await page.getByRole('button', { name: 'Create an account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create an account' })
    await dialog.getByLabel('Email address').fill('no address')
    await dialog.getByRole('textbox', { name: 'Groups' }).fill('north, , south')
    await dialog.getByLabel('Family name').fill('Diop')
    expect(await brokenRules(page)).toEqual([])
    // the browser itself rejects an invalid address
    await dialog.getByRole('button', { name: 'Create an account' }).click()
    expect(await dialog.locator('input[type=email]:invalid').count()).toBe(1)
    await dialog.getByLabel('Email address').fill(email)
    await dialog.getByRole('button', { name: 'Create an account' }).click()
    await dialog.getByText('This password is shown only once.').waitFor()
    const password = (await dialog.locator('code').textContent()) ?? ''
    expect(await brokenRules(page)).toEqual([])
    await dialog.getByRole('button', { name: 'I have saved the password' }).click()

    const row = page.getByRole('row', { name: email })
    await page.getByLabel('Email address or name').fill(email.slice(0, 12))
    await expect.poll(() => row.textContent()).toContain('Group administratornorth, south')
    expect(await brokenRules(page)).toEqual([])

    const own = await watchedPage(browser, {})
    await own.page.goto(`${system.rest.administration}/`)
    await signIn(own.page, { email, password })
    await expect.poll(() => own.page.locator('.sections a').allTextContents()).toEqual(['Overview', 'Citizens', 'Delegations', 'Content'])
    await own.page.context().close()

    await row.getByRole('button', { name: email }).click()
    const opened = page.getByRole('dialog', { name: email })
    await opened.getByRole('checkbox', { name: 'Reviewer' }).check()
    await opened.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => row.textContent()).toContain('Group administrator, Reviewer')
    await row.getByRole('button', { name: email }).click()
    await opened.getByRole('button', { name: 'Close the account' }).click()
    await expect.poll(() => row.textContent()).toContain('closed')
    expect([...complaints, ...own.complaints]).toEqual([])

    const refused = await watchedPage(browser, { expectedErrors: ['401'] })
    await refused.page.goto(`${system.rest.administration}/`)
    await signIn(refused.page, { email, password })
    await refused.page.getByRole('alert').getByText('The email address or password is incorrect').waitFor()
    await Promise.all([page, refused.page].map((each) => each.context().close()))
  })
})

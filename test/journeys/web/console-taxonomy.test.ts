import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brokenRules } from '../../support/clients/axe.ts'
import { chromiumPath, startBrowser, watchedPage } from '../../support/clients/browser.ts'
import { accountOf } from '../../support/clients/content-client.ts'
import type { System } from '../../support/processes/platform.ts'
import { startSystem } from '../../support/processes/start-system.ts'

const [described, about] =
  chromiumPath === undefined
    ? [describe.skip, 'the taxonomy in the console: SKIPPED, this machine has no Chromium']
    : [describe, 'the taxonomy in the console']

described(about, () => {
  let system: System
  let browser: Browser
  beforeAll(async () => {
    ;[system, browser] = await Promise.all([startSystem({}), startBrowser()])
  })
  afterAll(() => Promise.all([browser?.close(), system?.stop()]))

  const choose = async (page: Page, within: ReturnType<Page['getByRole']>, label: string, option: string): Promise<void> => {
    await within.getByRole('button', { name: label }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }

  it('gets a domain with two sub-domains, is previewed, published and rolled back, and follows a correction', async () => {
    const post = await fetch(`${system.rest.classification}/api/v1/expressions`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ text: 'La taxe de la place du marché a doublé pour les vendeuses', lang: 'fr' }),
    })
    expect(post.status).toBe(201)
    const { page, complaints } = await watchedPage(browser, {})
    await page.goto(`${system.rest.administration}/#/expressions`)
    const { email, password } = await accountOf(system, 'super_admin')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('link', { name: 'Edit the topics' }).click()
    await page.getByText('The draft changes version 1.').waitFor()
    await page.getByText('The draft changes nothing.').waitFor()

    await page.getByRole('button', { name: 'Add a domain' }).click()
    const adding = page.getByRole('dialog', { name: 'Add a domain' })
    await adding.getByLabel('Label, English').fill('Markets')
    await adding.getByLabel('Label, French').fill('Marchés')
    await adding.getByLabel('Identifier').fill('markets')
    expect(await brokenRules(page)).toEqual([])
    await adding.getByRole('button', { name: 'Add to the draft' }).click()
    await page.getByText('Markets: new, under the top level').waitFor()
    await page.getByText('No label: Arabic').waitFor()

    const moved = page
      .locator('#draft ~ ul > li', { has: page.getByRole('button', { name: 'Employment and economy', exact: true }) })
      .locator('ul button')
    for (const name of (await moved.allTextContents()).slice(0, 2)) {
      await page.getByRole('button', { name, exact: true }).click()
      const dialog = page.getByRole('dialog', { name })
      await choose(page, dialog, 'Domain above it', 'Markets')
      await dialog.getByRole('button', { name: 'Move' }).click()
      await page.getByText(`${name}: moved from Employment and economy to Markets`).waitFor()
    }

    await page.getByRole('button', { name: 'Preview the draft' }).click()
    await page.getByText(/of \d+ expressions change/).waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.getByLabel('What changes and why').fill('Markets of their own')
    await page.getByRole('button', { name: 'Publish the draft' }).click()
    await page.getByText('Version 2 is published.').waitFor()
    await page.getByText('The draft changes version 2.').waitFor()

    await expect
      .poll(async () => {
        const answer = await fetch(`${system.rest.exploration}/api/v1/domains`)
        return JSON.stringify(await answer.json())
      })
      .toContain('"markets"')

    await page.getByRole('button', { name: 'Return to version 1' }).click()
    const back = page.getByRole('dialog', { name: 'Return to version 1' })
    await back.getByLabel('What changes and why').fill('As before')
    await back.getByRole('button', { name: 'Return to it' }).click()
    await page.getByText('The draft changes version 3.').waitFor()
    const filtered = await fetch(`${system.rest.exploration}/api/v1/stats?domain=markets`)
    expect(filtered.status).toBe(200)
    expect(complaints).toEqual([])
  }, 120_000)
})

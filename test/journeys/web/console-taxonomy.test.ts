import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brokenRules } from '../../support/clients/axe.ts'
import { chromiumPath, startBrowser, watchedPage } from '../../support/clients/browser.ts'
import { accountOf, tokenOf } from '../../support/clients/content-client.ts'
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
    ;[system, browser] = await Promise.all([startSystem({ workers: ['exploration', 'classification'] }), startBrowser()])
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
    // a person corrects it to a sub-domain that no model finds
    const { id } = (await post.json()) as { readonly id: string }
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${await tokenOf(system)}` }
    const query = 'mutation ($input: CorrectClassificationInput!) { correctClassification(input: $input) { expression { id } } }'
    const input = { id, domainId: 'health/hospitals-clinics' }
    const correction = await fetch(system.graphqlUrl, { method: 'POST', headers, body: JSON.stringify({ query, variables: { input } }) })
    expect(await correction.json()).toEqual({ data: { correctClassification: { expression: { id } } } })
    const { page, complaints } = await watchedPage(browser, {})
    await page.goto(`${system.rest.administration}/#/expressions`)
    const { email, password } = await accountOf(system, 'super_admin')
    const own = await fetch(system.graphqlUrl, { method: 'POST', headers, body: JSON.stringify({ query: '{ me { name } }' }) })
    const { name } = ((await own.json()) as { readonly data: { readonly me: { readonly name: string | null } } }).data.me
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('link', { name: 'Edit the topics' }).click()
    await page.getByText('The draft changes version 1.').waitFor()
    await page.getByText('The draft has no edits.').waitFor()

    await page.getByRole('button', { name: 'Add a topic' }).click()
    const adding = page.getByRole('dialog', { name: 'Add a topic' })
    await adding.getByLabel('Label, English').fill('Markets')
    await adding.getByLabel('Label, French').fill('Marchés')
    await adding.getByLabel('Identifier').fill('markets')
    expect(await brokenRules(page)).toEqual([])
    await adding.getByRole('button', { name: 'Add to the draft' }).click()
    await page.getByText('Markets: new, under the top level').waitFor()
    await page.getByText('No label: Arabic').waitFor()
    // the account, not its identifier
    await page.getByText(`Changed by ${name ?? email}`).waitFor()

    const moved = page
      .locator('#draft ~ ul > li', { has: page.getByRole('button', { name: 'Employment and economy', exact: true }) })
      .locator('ul button')
    for (const name of (await moved.allTextContents()).slice(0, 2)) {
      await page.getByRole('button', { name, exact: true }).click()
      const dialog = page.getByRole('dialog', { name })
      await choose(page, dialog, 'Topic above it', 'Markets')
      await dialog.getByRole('button', { name: 'Move' }).click()
      await page.getByText(`${name}: moved from Employment and economy to Markets`).waitFor()
    }

    // more moves than one page of the table has
    await page.route('**/graphql', async (route) => {
      const response = await route.fetch()
      const body = await response.json().catch(() => undefined)
      const preview = body?.data?.taxonomyDraft?.preview
      if (preview?.state !== 'DONE') return route.fulfill({ response })
      const flows = Array.from({ length: 120 }, (_, n) => ({ __typename: 'TaxonomyFlow', from: 'health', to: `to-${n}`, count: 1 }))
      await route.fulfill({
        response,
        json: { ...body, data: { ...body.data, taxonomyDraft: { ...body.data.taxonomyDraft, preview: { ...preview, flows } } } },
      })
    })
    await page.getByRole('button', { name: 'Preview the draft' }).click()
    await page.getByText(/of \d+ expressions change/).waitFor()
    const confusions = page.getByRole('table', { name: 'Corrections that are classified otherwise' })
    await confusions.getByRole('cell', { name: 'Hospitals and clinics', exact: true }).waitFor()
    const flows = page.getByRole('table', { name: 'Where expressions move' })
    expect(await flows.getByRole('row').count()).toBe(51)
    await page.getByRole('button', { name: 'Show more (70 rows are not shown)' }).click()
    await page.getByRole('button', { name: 'Show more (20 rows are not shown)' }).click()
    expect(await flows.getByRole('row').count()).toBe(121)
    expect(await brokenRules(page)).toEqual([])
    await page.unroute('**/graphql')
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

    const row = page.getByRole('row', { name: /Markets of their own/ })
    await row.getByText(name ?? email, { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Return to version 1' }).click()
    const back = page.getByRole('dialog', { name: 'Return to version 1' })
    await back.getByLabel('What changes and why').fill('As before')
    await back.getByRole('button', { name: 'Return to this version' }).click()
    await page.getByText('The draft changes version 3.').waitFor()
    await page.getByRole('button', { name: 'Use again: Markets' }).click()
    await page.getByText('Markets: in use again, under the top level').waitFor()
    const filtered = await fetch(`${system.rest.exploration}/api/v1/stats?domain=markets`)
    expect(filtered.status).toBe(200)

    // a version that is published meanwhile
    await page.getByRole('button', { name: 'Return to version 2' }).click()
    const again = page.getByRole('dialog', { name: 'Return to version 2' })
    await again.getByLabel('What changes and why').fill('Markets again')
    await again.getByRole('button', { name: 'Return to this version' }).click()
    await page.getByText('Version 4 was published after this draft was begun.').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('button', { name: 'Update the draft' }).click()
    await page.getByText('The draft changes version 4.').waitFor()

    // a language that no page has
    await page.getByRole('button', { name: 'Markets', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Markets' })
    await dialog.getByRole('button', { name: 'Another language' }).click()
    await dialog.getByLabel('Language code').fill('wo')
    expect(await brokenRules(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Write in Wolof' }).click()
    await dialog.getByRole('textbox', { name: 'Label' }).fill('Ja yi')
    await dialog.getByRole('button', { name: 'Save in the draft' }).click()
    await page.getByText('No label: Arabic').waitFor()
    await page.getByRole('button', { name: 'Add a topic' }).click()
    await page.getByLabel('Label, Wolof').fill('Mool')
    await page.getByLabel('Identifier').fill('markets')
    await page.getByRole('button', { name: 'Add to the draft' }).click()
    await page.getByText('Another domain has this id: choose a different one').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()

    // a refusal that no field shows, in French
    await page.getByRole('button', { name: 'Français' }).click()
    await page.getByRole('button', { name: 'Santé', exact: true }).click()
    await page.getByRole('dialog', { name: 'Santé' }).getByRole('button', { name: 'Retirer', exact: true }).click()
    await page.getByText('Ce thème a des sous-thèmes').waitFor()
    expect(complaints).toEqual([])
  }, 120_000)
})

import { randomUUID } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brokenRules } from '../../support/clients/axe.ts'
import { chromiumPath, type PageOptions, startBrowser } from '../../support/clients/browser.ts'
import { accountOf, tokenOf } from '../../support/clients/content-client.ts'
import { watchedPages } from '../../support/clients/watched-pages.ts'
import { layouts, type Platform } from '../../support/processes/platform.ts'
import { sharedPlatform } from '../../support/processes/shared-platform.ts'

const [described, about] =
  chromiumPath === undefined
    ? [describe.skip, 'simulations: SKIPPED, this machine has no Chromium']
    : [describe, 'simulations in the console']

described(about, () => {
  let system: Platform
  let browser: Browser
  const watched = watchedPages(() => browser)
  const group = `analysts-${randomUUID()}`
  // three people act for six others; two people act for each other
  const pairs = ['a>X', 'b>X', 'c>X', 'd>a', 'e>Y', 'f>Z', 'p>q', 'q>p'].map((pair) => pair.split('>').map((name) => `${group}-${name}`))

  beforeAll(async () => {
    ;[system, browser] = await Promise.all([sharedPlatform(layouts[0] ?? 'one'), startBrowser()])
    const lines = pairs.map(([delegator, delegate]) =>
      JSON.stringify({ delegator, delegate, group_id: group, scope: 'vote', starts_at: '2026-01-01T00:00:00Z' }),
    )
    const query = 'mutation ($input: ImportDelegationsInput!) { importDelegations(input: $input) { created } }'
    const input = { file: lines.join('\n'), format: 'NDJSON', dryRun: false }
    const response = await fetch(system.graphqlUrl, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${await tokenOf(system, 'super_admin')}` },
      body: JSON.stringify({ query, variables: { input } }),
    })
    expect(await response.json()).toMatchObject({ data: { importDelegations: { created: pairs.length } } })
  })
  afterAll(() => browser?.close())

  const open = async (options: PageOptions = {}): Promise<Page> => {
    const page = await watched.open(options)
    await page.goto(`${system.rest.administration}/#/delegations/simulations`)
    const { email, password } = await accountOf(system, 'super_admin')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('textbox', { name: 'Group' }).fill(group)
    return page
  }

  it('answer what would happen if the delegations to three people ended, by keyboard', async () => {
    const page = await open()
    await page
      .getByRole('textbox', { name: 'All delegations to these people end' })
      .fill(['X', 'Y', 'no-such'].map((name) => `${group}-${name}`).join('\n'))
    await page.getByRole('button', { name: 'Run the simulation' }).press('Enter')
    await page.getByText(`Line 3: no delegation that you can view names “${group}-no-such”.`).waitFor()
    const endTo = page.getByRole('textbox', { name: 'All delegations to these people end' })
    await endTo.and(page.locator(':focus')).waitFor()
    await endTo.fill(['X', 'Y', 'Z'].map((name) => `${group}-${name}`).join('\n'))
    await page.getByRole('button', { name: 'Run the simulation' }).press('Enter')

    await page.getByText('In this scenario 8 people cast 9 votes; today 3 people vote.', { exact: false }).waitFor()
    await page.getByRole('heading', { name: 'Outcome' }).and(page.locator(':focus')).waitFor()
    const rowOf = async (name: string) =>
      (await page.getByRole('row', { name }).getByRole('cell').allTextContents()).map((text) => text.trim())
    expect(await rowOf('People who cast them')).toEqual(['3', '8', '+5'])
    expect(await rowOf('In a circle of delegations')).toEqual(['2', '2', '0'])
    await page.getByText('Circle of 2 people.').waitFor()
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('heading', { name: 'Saved scenarios' }).count()).toBe(0)
    await page.emulateMedia({ media: null })
    expect(await brokenRules(page)).toEqual([])

    const tree = page.getByRole('treegrid', { name: 'Who votes for whom' })
    await tree.getByRole('row', { name: `${group}-a` }).focus()
    await page.keyboard.press('ArrowRight')
    await tree
      .getByRole('row', { name: `${group}-d` })
      .getByText('passes on 1 vote')
      .waitFor()

    await page.getByLabel('Citizen code').fill(`${group}-d`)
    await page.getByRole('button', { name: 'Show the path' }).press('Enter')
    await page.getByText(`The vote is cast by ${group}-a after 1 step.`).waitFor()
    expect(watched.complaints()).toEqual([])
  })

  it('read further changes from a file, also 100,000', async () => {
    const page = await open()
    const field = page.getByLabel('File with further changes (CSV)')
    const run = page.getByRole('button', { name: 'Run the simulation' })
    const choose = (name: string, ...lines: readonly string[]) =>
      field.setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(['change,code,delegate', ...lines].join('\r\n')) })
    const facts = page.locator('dl.facts')

    await choose('misspelt.csv', 'end,X,', `add,${group}-a`)
    await run.press('Enter')
    await page.getByText('Line 2, column 1: This is not a change: write add, remove_delegator').waitFor()
    await page.getByText('Line 3, column 3: The code of the delegate is missing').waitFor()
    await field.and(page.locator(':focus')).waitFor()
    await page.getByRole('button', { name: 'Français' }).click()
    await page.getByText('Ligne 2, colonne 1 : ce n’est pas un changement').waitFor()
    await page.getByRole('button', { name: 'English' }).click()
    await choose('unknown.csv', `add,${group}-a,no-such`)
    await run.press('Enter')
    await page.getByText('Line 2: no delegation that you can view names “no-such”.').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await field.setInputFiles({ name: 'latin1.csv', mimeType: 'text/csv', buffer: Buffer.from([0xe9]) })
    await page.getByRole('alert').getByText('The file cannot be read.', { exact: false }).waitFor()

    await choose('three.csv', ...['X', 'Y', 'Z'].map((name) => `remove_delegate,${group}-${name},`))
    await page.getByRole('status').getByText('three.csv (3 changes)').waitFor()
    await run.press('Enter')
    await page.getByText('In this scenario 8 people cast 9 votes; today 3 people vote.', { exact: false }).waitFor()
    await facts.getByText('three.csv (3 changes)').waitFor()

    // larger than the variables of a subscription may be
    const votes = Array.from({ length: 99_999 }, () => `direct_voter,${group}-a,`)
    await choose('large.csv', ...votes, `add,${group}-b,${group}-a`)
    await run.press('Enter')
    await facts.getByText('large.csv (100,000 changes)').waitFor()
    await page.getByText('In this scenario 4 people cast 9 votes', { exact: false }).waitFor()
    const tree = page.getByRole('treegrid', { name: 'Who votes for whom' })
    await tree.getByRole('row', { name: `${group}-a` }).focus()
    await page.keyboard.press('ArrowRight')
    await tree
      .getByRole('row', { name: `${group}-b` })
      .getByText('assumed')
      .waitFor()
    await page.getByRole('button', { name: 'Remove the file' }).press('Enter')
    await run.press('Enter')
    await facts.getByText('None').waitFor()
    expect(watched.complaints()).toEqual([])
  })

  it('are saved by name and compared side by side', async () => {
    const page = await open()
    const save = async (name: string, field: string, code: string): Promise<void> => {
      await page.getByRole('button', { name: 'Clear the form' }).click()
      await page.getByRole('textbox', { name: 'Group' }).fill(group)
      await page.getByRole('textbox', { name: field }).fill(code)
      const form = page.locator('form details')
      if ((await form.getAttribute('open')) === null) await page.getByText('Save this scenario').click()
      await page.getByRole('textbox', { name: 'Name of the scenario' }).fill(name)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('checkbox', { name }).waitFor()
    }
    await save(`${group} one`, 'All delegations to these people end', `${group}-X`)
    await save(`${group} two`, 'These people vote themselves', `${group}-p`)
    // in Arabic the group would otherwise be between the parts of the date
    const saved = page.getByRole('listitem').filter({ has: page.getByRole('checkbox', { name: `${group} one` }) })
    expect(await saved.locator('.quiet bdi').allTextContents()).toEqual([group, expect.stringMatching(/2\d{3}/)])
    await page.getByRole('checkbox', { name: `${group} one` }).check()
    await page.getByRole('checkbox', { name: `${group} two` }).check()
    await page.getByRole('button', { name: 'Compare (2 selected)' }).press('Enter')
    await page.getByRole('heading', { name: 'Scenarios side by side' }).and(page.locator(':focus')).waitFor()
    const cells = page.getByRole('row', { name: 'People who cast them' }).getByRole('cell')
    expect((await cells.allTextContents()).map(Number)).toEqual([3, 6, 4])
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('button', { name: `Open ${group} one` }).click()
    await page.getByText('In this scenario 6 people cast 9 votes', { exact: false }).waitFor()
    await page.getByRole('button', { name: `Delete ${group} one` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => page.getByRole('checkbox', { name: `${group} one` }).count()).toBe(0)
    expect(watched.complaints()).toEqual([])
  })
})

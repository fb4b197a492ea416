import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brokenRules } from '../../support/clients/axe.ts'
import { chromiumPath, startBrowser, watchedPage } from '../../support/clients/browser.ts'
import { accountOf } from '../../support/clients/content-client.ts'
import { embeddedUrl } from '../../support/engines/databases.ts'
import { type Platform, type System, startPlatform } from '../../support/processes/platform.ts'

const [described, about] =
  chromiumPath === undefined
    ? [describe.skip, 'dead letters in the console: SKIPPED, this machine has no Chromium']
    : [describe, 'dead letters in the console']

// a separate platform: dead letters degrade the health that other tests check
described(about, () => {
  let system: System
  let browser: Browser
  let database: pg.Client
  beforeAll(async () => {
    const components = ['classification', 'administration'] as const
    ;[system, browser] = await Promise.all([startPlatform({ components, workers: ['classification'] }), startBrowser()])
    database = new pg.Client({ connectionString: await addressOf(system) })
    await database.connect()
  })
  afterAll(async () => {
    await database?.end()
    await Promise.all([browser?.close(), system?.stop()])
  })

  const storeExpressionLetter = async (content: object): Promise<string> => {
    const id = randomUUID()
    await database.query('insert into expression_dead_letter (id, content, reason) values ($1, $2, $3)', [id, content, 'refused once'])
    return id
  }
  const storeMessageLetter = async (content: object): Promise<string | undefined> => {
    const { rows } = await database.query<{ position: string }>(
      "insert into outbox_dead_letter (queue, kind, content, format, reason) values ('expressions', 'expressions', $1, 1, 'no rows') returning position",
      [content],
    )
    return rows[0]?.position
  }
  const messages = async (): Promise<readonly string[]> => {
    const { rows } = await database.query<{ position: string }>('select position from outbox_dead_letter')
    return rows.map(({ position }) => position)
  }

  it('are listed with their cause, and redriven one by one or together, with an audited report', async () => {
    // one that is unreadable, and one with a step to retry
    const broken = await storeExpressionLetter({ document: { text: 7 } })
    const unfinished = await storeExpressionLetter({ given: { lang: null, address: null, domainHint: null } })
    const unread = await storeMessageLetter({ rows: [] })
    const { page, complaints } = await watchedPage(browser, {})
    await page.goto(`${system.rest.administration}/#/expressions`)
    const { email, password } = await accountOf(system, 'super_admin')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText(/matches the analytics database|not yet compared/).waitFor()
    await page.getByRole('button', { name: 'Read the card of lexicon' }).click()
    await page.getByRole('dialog', { name: 'lexicon' }).getByText('Flags insults, threats, hatred and shouting').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Dead letters' }).click()

    const sectionOf = (name: string) => page.locator('main > section').filter({ has: page.getByRole('heading', { name, exact: true }) })
    const expressions = sectionOf('Expressions')
    await expressions.getByRole('row', { name: broken }).getByText('refused once').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await expressions.getByRole('row', { name: unfinished }).getByRole('button', { name: 'Try again' }).click()
    await expressions.getByRole('status').getByText('Saved: 0. Waiting for another attempt: 1.').waitFor()
    await expect.poll(() => expressions.getByRole('row', { name: unfinished }).count()).toBe(0)
    // the pressed button was removed with its row
    expect(await page.evaluate('document.activeElement.role')).toBe('status')

    await expressions.getByRole('button', { name: 'Try all again' }).click()
    await expressions.getByRole('status').getByText('Failed again: 1. Still in this list: 1.').waitFor()
    await expect.poll(() => expressions.getByRole('row', { name: broken }).textContent()).toContain('document.')

    const ofMessages = sectionOf('Messages that no worker could read')
    await ofMessages.getByText('no rows').waitFor()
    await ofMessages.getByRole('button', { name: 'Try all again' }).click()
    await ofMessages.getByRole('status').getByText('Returned to the workers: 1. Still in this list: 0.').waitFor()
    // the worker still cannot read it, and stores a new dead letter
    expect(await messages()).not.toContain(unread)

    await page.goto(`${system.rest.administration}/#/audit`)
    const row = page.getByRole('row', { name: /dead-letters\.redrive/ })
    await row.filter({ hasText: unfinished }).waitFor()
    expect(await row.count()).toBe(3)
    expect(complaints).toEqual([])
    await page.context().close()
  })
})

const addressOf = async ({ env, dataDir }: Pick<Platform, 'env' | 'dataDir'>): Promise<string> => env.DATABASE_URL ?? embeddedUrl(dataDir)

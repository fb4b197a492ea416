import { randomUUID } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brokenRules } from '../../support/clients/axe.ts'
import { chromiumPath, drawing, startBrowser } from '../../support/clients/browser.ts'
import { accountOf } from '../../support/clients/content-client.ts'
import { postExpression } from '../../support/clients/post-expression.ts'
import { watchedPages } from '../../support/clients/watched-pages.ts'
import type { System } from '../../support/processes/platform.ts'
import { startSystem } from '../../support/processes/start-system.ts'

const [described, about] =
  chromiumPath === undefined
    ? [describe.skip, 'moderation: SKIPPED, this machine has no Chromium']
    : [describe, 'moderation in Chromium, with MODERATION=hold']

const insult = 'The clerks at the counter of the town hall in Nairobi are morons'
const threat = 'I am going to kill you, mayor of Nairobi'
const place = { lat: -1.29, lon: 36.82 }

// a separate platform: its texts are held
described(about, () => {
  let system: System
  let browser: Browser
  const watched = watchedPages(() => browser)
  beforeAll(async () => {
    const env = { MODERATION: 'hold', MODERATION_THRESHOLD: '0.7' }
    const components = ['exploration', 'classification', 'administration'] as const
    ;[system, browser] = await Promise.all([
      startSystem({ components, workers: ['exploration', 'classification'], env }),
      startBrowser(drawing),
    ])
  })
  afterAll(async () => {
    await browser?.close()
    await system?.stop()
  })

  const explorer = async (): Promise<Page> => {
    const page = await watched.open({})
    await page.goto(`${system.rest.exploration}/?lang=en`)
    await page.locator('#connection', { hasText: 'Live' }).waitFor()
    return page
  }
  const moderation = async (): Promise<Page> => {
    const page = await watched.open({})
    const { email, password } = await accountOf(system, 'super_admin')
    await page.goto(`${system.rest.administration}/#/expressions/moderation`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Moderation' }).waitFor()
    return page
  }
  const post = (text: string) => postExpression(system, { external_id: randomUUID(), text, location: place })
  const choose = async (page: Page, label: string, option: string): Promise<void> => {
    await page.getByRole('dialog').getByRole('button', { name: label }).click()
    await page.getByRole('option', { name: option }).click()
  }

  it('a reader reports an expression, a moderator withdraws it with a reason, and undoes the withdrawal', async () => {
    const { body } = await post(insult)
    expect(body.moderation).toBeUndefined()
    const reader = await explorer()
    const entry = reader.locator('#feed li', { hasText: insult })
    await entry.getByRole('button', { name: /^Report/ }).click()
    const form = reader.getByRole('dialog', { name: 'Report this opinion' })
    await form.getByRole('button', { name: 'Send the report' }).click()
    await choose(reader, 'What is wrong with it?', 'It insults a person')
    expect(await brokenRules(reader)).toEqual([])
    await form.getByLabel('Note').fill('Look at the last word')
    await form.getByRole('button', { name: 'Send the report' }).click()
    await form.getByText('Thank you. A moderator will read your report.').waitFor()
    await form.getByRole('button', { name: 'Close' }).click()

    const page = await moderation()
    await page.getByRole('link', { name: '1 Expressions waiting for a moderator' }).waitFor()
    await page.getByRole('button', { name: insult }).click()
    const window = page.getByRole('dialog', { name: 'Decide about an expression' })
    await window.getByText('Look at the last word').waitFor()
    expect(await window.getByRole('radio', { checked: true }).count()).toBe(0)
    await window.getByRole('button', { name: 'Save the decision' }).click()
    await window.getByText('Select a decision').waitFor()
    await window.getByRole('radio', { name: 'Withdraw it' }).check()
    await choose(page, 'Reason for the withdrawal', 'It insults a person')
    expect(await brokenRules(page)).toEqual([])
    await window.getByRole('button', { name: 'Save the decision' }).click()
    await page.getByText('The expression was withdrawn. You can undo this below.').waitFor()
    await entry.waitFor({ state: 'detached' })
    expect(await brokenRules(page)).toEqual([])

    await page.getByRole('row', { name: insult }).getByRole('button', { name: 'Undo' }).click()
    await page.getByText('The expression is public again.').waitFor()
    await entry.waitFor()
    expect(watched.complaints()).toEqual([])
  })

  it('a threat is held: in no list and no stream until a moderator releases it', async () => {
    const reader = await explorer()
    const { status, body } = await post(threat)
    expect([status, body.moderation, body.indexed_at]).toEqual([201, 'held', null])
    const page = await moderation()
    await page.getByRole('button', { name: threat }).click()
    const window = page.getByRole('dialog', { name: 'Decide about an expression' })
    await window.getByText('Held: it is not public until a moderator publishes it.').waitFor()
    const query = `{ expression(id: "${body.id}") { id } expressions(first: 100) { nodes { text } } }`
    const response = await fetch(system.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    const { data } = (await response.json()) as { data: { expression: unknown; expressions: { nodes: readonly { text: string }[] } } }
    expect([data.expression, data.expressions.nodes.map(({ text }) => text)]).toEqual([null, [insult]])
    const entry = reader.locator('#feed li', { hasText: threat })
    expect(await entry.count()).toBe(0)

    await window.getByRole('radio', { name: 'Publish it' }).check()
    await window.getByRole('button', { name: 'Save the decision' }).click()
    await page.getByText('The expression was published.').waitFor()
    await entry.waitFor()
    await expect.poll(() => reader.locator('#figure-expressions').textContent()).toBe('2')
    expect(watched.complaints()).toEqual([])
  })
})

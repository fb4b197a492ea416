import { randomUUID } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import words from '../../../web/console/words/ar.json' with { type: 'json' }
import contentWords from '../../../web/shared/content/words/ar.json' with { type: 'json' }
import { brokenRules } from '../../support/clients/axe.ts'
import { chromiumPath, startBrowser } from '../../support/clients/browser.ts'
import { type Account, accountOf, ContentClient, newAccount, sessionOf } from '../../support/clients/content-client.ts'
import { KeyboardUser } from '../../support/clients/keyboard-user.ts'
import { VerificationClient } from '../../support/clients/verification-client.ts'
import { watchedPages } from '../../support/clients/watched-pages.ts'
import type { Platform } from '../../support/processes/platform.ts'
import { sharedPlatform } from '../../support/processes/shared-platform.ts'
import { jobOf, selfieOf } from '../../support/samples/people.ts'

type Session = Awaited<ReturnType<typeof sessionOf>>

const described = chromiumPath === undefined ? describe.skip : describe
const about =
  chromiumPath === undefined ? 'the console by keyboard: SKIPPED, this machine has no Chromium' : 'the console by keyboard alone'

// the pages behave the same in every layout
described.each([1280, 390])(`${about}, %i px wide`, (width) => {
  let system: Platform
  let browser: Browser
  const watched = watchedPages(() => browser)
  let superAdmin: Session
  let reviewer: Session

  beforeAll(async () => {
    ;[system, browser] = await Promise.all([sharedPlatform('one'), startBrowser()])
    ;[superAdmin, reviewer] = (await Promise.all(
      [accountOf(system, 'super_admin'), newAccount(system, 'reviewer')].map(async (account) => sessionOf(system, await account)),
    )) as [Session, Session]
  })
  afterAll(() => browser?.close())

  /** @param as - the account that has signed in already */
  const open = async (path: string, as?: Session): Promise<{ readonly page: Page; readonly me: KeyboardUser }> => {
    const page = await watched.open({ viewport: { width, height: 844 } })
    const me = await KeyboardUser.at(page)
    if (as !== undefined) await page.addInitScript(`sessionStorage['civigraph.session'] ??= ${JSON.stringify(JSON.stringify(as))}`)
    await page.goto(`${system.rest.administration}/${path}`)
    if (as !== undefined) await page.locator('.sections').waitFor()
    return { page, me }
  }
  const expectNoComplaints = (): void => {
    expect(watched.complaints()).toEqual([])
  }
  /** Skips the page header, opens the issuer's form, signs in and returns. */
  const signIn = async (page: Page, me: KeyboardUser, { email, password }: Account): Promise<void> => {
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await skip(me)
    await me.go('button', 'Sign in', { within: 1 })
    await me.press('Enter')
    await page.getByLabel('Password').waitFor()
    await skip(me)
    await me.go('textbox', 'Email address', { within: 1 })
    await me.type(email)
    await me.go('textbox', 'Password', { within: 1 })
    await me.type(password)
    await me.press('Enter')
    await page.locator('.sections').waitFor()
  }
  /** Opens another section of the console, past the page header. */
  const openPart = async (page: Page, me: KeyboardUser, name: string): Promise<void> => {
    if (width < 400) {
      await me.go('button', 'Overview', { within: 9 })
      await me.press('Enter')
      await me.go('link', 'Overview', { within: 1 })
      await me.press('Escape')
      await me.isAt('button', 'Overview')
      expect(await page.getByRole('link', { name }).count()).toBe(0)
      await me.press('Space')
      await me.go('link', name)
    } else await me.go('link', name, { within: 20 })
    await me.press('Enter')
    await me.isAt('main', '')
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }
  /** Skips the page header to the main content. */
  const skip = async (me: KeyboardUser): Promise<void> => {
    await me.go('button', 'Skip to main content', { within: 1 })
    await me.press('Enter')
    await me.isAt('main', '')
  }
  /** Submits jobs that await review: their backs are missing. @returns their citizens */
  const pendingJobs = async (count: number): Promise<readonly string[]> => {
    const client = new VerificationClient(system)
    const codes = Array.from({ length: count }, () => `CIT-${randomUUID()}`)
    const { cni_verso_b64: _, ...frontAlone } = await jobOf(5)
    const sent = await Promise.all(codes.map((citizen_code) => client.submit({ ...frontAlone, citizen_code })))
    await client.untilFinished(sent.map(({ body }) => body.job_id))
    return codes
  }
  /** The newest entry of a list, whose end these tests visit first. */
  const takeReview = async (page: Page, me: KeyboardUser, code: string): Promise<void> => {
    await page.getByRole('region', { name: 'Review' }).getByRole('link').first().waitFor({ state: 'attached' })
    await me.go('region', 'Review', { within: 4 })
    await me.press('End')
    await page.getByRole('link', { name: code }).waitFor({ state: 'attached' })
    await me.go('link', code, { within: 40 })
    await me.press('Enter')
    await me.isAt('main', '')
    await page.getByRole('button', { name: 'Claim the case' }).waitFor()
    await me.go('button', 'Claim the case', { within: 3 })
    await me.press('Space')
    await page.getByRole('heading', { name: `Review of ${code}` }).waitFor()
    await me.isAt('main', '')
  }

  it('scrolls a focused row out from under the header of its table', async () => {
    await pendingJobs(5)
    const { page, me } = await open('#/review', reviewer)
    await skip(me)
    const table = page.getByRole('region', { name: 'Review' })
    await table.getByRole('link').nth(4).waitFor({ state: 'attached' })
    // makes the table lower than its rows, for any number of rows, and moves the first link half under the header
    await table.evaluate((element) => {
      element.style.height = '14rem'
      const [link, header] = [element.querySelector('a'), element.querySelector('thead')]
      element.scrollTop = (link?.getClientRects()[0]?.bottom ?? 0) - (header?.getBoundingClientRect().bottom ?? 0)
    })
    await me.go('region', 'Review', { within: 4 })
    await me.go('link', /^CIT-/, { within: 1 })
    expectNoComplaints()
    await page.close()
  })

  it('claims a review, shows the photographs and the checks, and records a decision: verified, and rejected with reason and note', async () => {
    const [first = '', second = ''] = await pendingJobs(2)
    const { page, me } = await open('#/review', reviewer)
    await skip(me)
    await takeReview(page, me, first)
    await page.getByRole('img', { name: 'Document, front' }).waitFor()
    await me.go('group', /^Selfie/, { within: 6 })
    await me.press('+')
    await me.press('r')
    await page.getByText('Zoom 150%, light 100%').waitFor()
    await me.go('group', 'Checks', { within: 20 })
    await me.press('Alt+a')
    await me.isAt('radio', 'Verify: this is the person')
    await me.go('button', 'Verify', { within: 2 })
    await me.press('Enter')
    await me.announces(`${first}: verified, it is the person.`)
    await me.go('link', 'Back to the list', { within: 1 })
    await me.press('Enter')
    await me.isAt('main', '')

    await takeReview(page, me, second)
    await page.getByRole('img', { name: 'Document, front' }).waitFor()
    await me.press('Alt+r')
    await me.isAt('radio', 'Reject')
    await me.go('button', /Reason/, { within: 1 })
    await me.press('Enter')
    await me.go('option', 'the document cannot be used', { key: 'ArrowDown' })
    await me.press('Enter')
    await me.isAt('button', /the document cannot be used/)
    await me.go('textbox', 'Note', { within: 1 })
    await me.type('only one side')
    await me.go('button', 'Reject', { within: 1 })
    await me.press('Enter')
    await me.announces(`${second}: rejected, the document cannot be used.`)
    expectNoComplaints()
  })

  it('erases a citizen, and announces what was removed', async () => {
    const [code = ''] = await pendingJobs(1)
    const { page, me } = await open('')
    await signIn(page, me, await accountOf(system, 'super_admin'))
    await openPart(page, me, 'Citizens')
    await me.go('textbox', 'Citizen code', { within: 1 })
    await me.type(code)
    await me.press('Enter')
    await me.isAt('main', '')
    await page.getByRole('heading', { name: code }).waitFor()
    await page.getByRole('heading', { name: 'Verifications' }).waitFor()
    await me.go('button', 'Erase this citizen…', { within: 4 })
    await me.press('Enter')
    await me.isAt('textbox', 'Citizen code')
    await me.press('Escape')
    await me.isAt('button', 'Erase this citizen…')
    await me.press('Enter')
    await me.isAt('textbox', 'Citizen code')
    await me.type(code)
    await me.go('button', 'Erase permanently', { within: 2 })
    // no element behind the dialog is reached
    await me.go('textbox', 'Citizen code', { within: 1 })
    await me.go('button', 'Erase permanently', { within: 2 })
    await me.press('Enter')
    await me.announces('1 verification was erased, with all its data.')
    await me.go('button', 'Close', { within: 1 })
    await me.press('Enter')
    await me.isAt('main', '')
    await page.getByText('There are no verifications or photos of this citizen.').waitFor()
    await me.go('button', 'Sign out', { within: 20, key: 'Shift+Tab' })
    await me.press('Enter')
    await me.isAt('main', '')
    await me.go('button', 'Sign in', { within: 1 })
    expectNoComplaints()
  })

  it('shows why a citizen was rejected: from the code to every check', async () => {
    const code = `CIT-${randomUUID()}`
    const client = new VerificationClient(system)
    const { body } = await client.submit({ ...(await jobOf(5, { citizen_code: code })), selfie_b64: await selfieOf(23) })
    await client.untilFinished([body.job_id])
    const { page, me } = await open('#/citizens', superAdmin)
    await page.getByLabel('Citizen code').waitFor()
    await skip(me)
    await me.go('textbox', 'Citizen code', { within: 1 })
    await me.type(code)
    await me.press('Enter')
    await me.isAt('main', '')
    await page.getByRole('region', { name: 'Verifications' }).getByText('rejected', { exact: true }).waitFor()
    await me.go('link', /\d/, { within: 2 })
    await me.press('Enter')
    await me.isAt('main', '')
    await page.getByRole('heading', { name: 'Checks' }).waitFor()
    expect(await page.getByRole('list', { name: 'Reasons against verification' }).textContent()).toContain(
      'The face in the selfie does not match the face on the document.',
    )
    await me.go('group', 'Checks', { within: 5 })
    const row = page.getByRole('table', { name: 'Checks' }).locator('tbody tr').last()
    for (let presses = 0; !(await isInView(row)); presses++) {
      expect(presses).toBeLessThan(30)
      await me.press('PageDown')
    }
    expectNoComplaints()
  })

  const isInView = async (element: ReturnType<Page['locator']>): Promise<boolean> => {
    const box = await element.boundingBox()
    return box !== null && box.y < 844 && box.y + box.height > 0
  }

  it('creates an account: an error is shown at its field, which receives the focus', async () => {
    const { page, me } = await open('#/accounts', superAdmin)
    await page.getByRole('button', { name: 'Create an account' }).waitFor()
    await skip(me)
    await me.go('button', 'Create an account', { within: 1 })
    await me.press('Enter')
    await me.isAt('textbox', 'Email address')
    await me.type('no address')
    await me.press('Enter')
    await me.isAt('textbox', 'Email address')
    await page.locator('[role=dialog] .field .bad').waitFor()
    await me.press('Control+a')
    await me.type(`awa-${randomUUID()}@example.org`)
    await me.go('checkbox', /Reviewer/, { within: 4 })
    await me.press('Space')
    await me.go('textbox', 'Organisation', { within: 6 })
    await me.type('No name')
    await me.go('button', 'Create an account', { within: 2 })
    await me.press('Enter')
    await me.isAt('textbox', 'Organisation')
    await me.press('Control+a')
    await me.press('Delete')
    await me.press('Enter')
    await me.announces('This password is shown only once.')
    await me.go('button', 'Copy', { within: 1 })
    await me.go('button', 'I have saved the password', { within: 1 })
    await me.press('Enter')
    await me.isAt('button', 'Create an account')
    expectNoComplaints()
  })

  it('imports delegations from a file, and shows the result of each line', async () => {
    const giver = `CIT-${randomUUID()}`
    const fileOf = (...delegates: readonly string[]) => ({
      name: 'delegations.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        ['delegator,delegate,group_id,starts_at', ...delegates.map((each) => `${giver},${each},default,2026-01-01T00:00:00Z`), ''].join(
          '\r\n',
        ),
      ),
    })
    const { page, me } = await open('#/delegations', superAdmin)
    // from here on the test supplies the file instead of a dialog of the browser
    page.on('filechooser', () => undefined)
    await page.getByRole('link', { name: 'Import delegations from a file' }).waitFor()
    await skip(me)
    await me.go('link', 'Import delegations from a file', { within: 1 })
    await me.press('Enter')
    await me.isAt('main', '')
    await page.getByLabel('File').waitFor()
    await me.go('button', /File/, { within: 2 })
    const choose = async (key: string, ...delegates: readonly string[]): Promise<void> => {
      const choosing = page.waitForEvent('filechooser')
      await me.press(key)
      await (await choosing).setFiles(fileOf(...delegates))
    }
    await choose('Enter', 'B', giver)
    await me.announces('1 line has an error, so nothing was imported.')
    await me.go('region', /delegations\.csv/, { within: 1 })
    expect(await page.getByRole('row').allTextContents()).toHaveLength(3)
    expect(await page.getByRole('row').last().textContent()).toContain('delegate: must be another citizen')
    await me.go('button', /File/, { within: 1, key: 'Shift+Tab' })
    await choose('Space', 'B', 'C')
    await me.announces('Nothing has been imported yet. New: 2. Changed: 0. Unchanged: 0.')
    await me.go('button', /^Import/, { within: 1 })
    await me.press('Enter')
    await me.announces('Imported. New: 2. Changed: 0. Unchanged: 0.')
    await me.isAt('status', '')
    await me.go('region', /delegations\.csv/, { within: 1 })
    expectNoComplaints()
  })

  it('withdraws an expression: Escape cancels', async () => {
    const street = randomUUID()
      .replaceAll('-', '')
      .replaceAll(/\d/g, (digit) => 'klmnopqrst'.charAt(Number(digit)))
    // prose: nobody: a sentence of a citizen
    const text = `Nobody empties the bins of ${street}`
    const send = async (query: string, input: object): Promise<unknown> => {
      const response = await fetch(system.graphqlUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables: { input } }),
      })
      return response.json()
    }
    await send('mutation ($input: IngestExpressionInput!) { ingestExpression(input: $input) { expression { id } } }', {
      text,
      authorRef: randomUUID(),
    })
    const search = 'query ($input: SearchExpressionsInput!) { searchExpressions(input: $input) { nodes { text } } }'
    await expect.poll(async () => JSON.stringify(await send(search, { text: street }))).toContain(street)

    const { page, me } = await open('#/expressions', superAdmin)
    await page.getByLabel('Search by meaning or words').waitFor()
    await skip(me)
    await me.go('searchbox', 'Search by meaning or words', { within: 3 })
    await me.type(street)
    await page.getByRole('button', { name: text }).waitFor()
    await me.go('button', text, { within: 4 })
    await me.press('Enter')
    await me.isAt('dialog', 'Expression')
    await me.press('Escape')
    await me.isAt('button', text)
    await me.press('Enter')
    await me.isAt('dialog', 'Expression')
    await me.go('button', 'Withdraw', { within: 5 })
    await me.press('Enter')
    await me.announces('A withdrawn expression disappears from lists, searches, the map and the statistics.')
    await me.go('button', 'Cancel', { within: 5 })
    await me.press('Enter')
    await me.isAt('button', 'Withdraw')
    await me.press('Enter')
    await me.announces('A withdrawn expression disappears from lists, searches, the map and the statistics.')
    await me.go('radio', /so that the withdrawal can be undone/, { within: 2 })
    await me.press('ArrowDown')
    await me.go('button', 'Withdraw', { within: 3 })
    await me.press('Enter')
    await me.announces('The expression was withdrawn.')
    await me.isAt('status', '')
    // new entries of the list move the content below it
    await page.locator('table[aria-busy=true]').waitFor({ state: 'hidden' })
    await me.go('button', 'Skip the list', { within: 1 })
    await me.press('Enter')
    await me.go('DisclosureTriangle', /./, { within: 3 })
    expect(await page.getByRole('button', { name: text }).count()).toBe(0)
    expectNoComplaints()
  })

  if (width > 400) return

  it('follows the direction of Arabic: the menu of sections, and the tree of a magazine, whose branches the left arrow opens', async () => {
    const tenant = `keys-${randomUUID()}`
    const client = new ContentClient(system.rest.content, {
      authorization: `Bearer ${superAdmin.accessToken}`,
      'x-tenant-id': tenant,
    })
    const school = { id: 'school', title: 'المدرسة', children: [{ id: 'class', title: 'القسم' }] }
    expect((await client.import({ nodes: [{ id: 'top', title: 'المجلة', children: [school] }] })).status).toBe(200)
    const { page, me } = await open(`?lang=ar#/content/${tenant}/top`, superAdmin)
    const here = new RegExp(`^${words['content.title']}$`)
    await me.go('button', here, { within: 10 })
    await me.press('Enter')
    await me.go('link', here)
    expect(await brokenRules(page)).toEqual([])
    await me.press('Escape')
    await me.isAt('button', here)

    await page.locator('summary', { hasText: contentWords.contents }).waitFor()
    await me.go('DisclosureTriangle', contentWords.contents, { within: 15 })
    await me.press('Enter')
    await me.go('link', 'المجلة', { within: 4 })
    await me.go('link', 'المدرسة', { within: 1, key: 'ArrowLeft' })
    const branch = page.getByRole('button', { name: 'المدرسة' }).and(page.locator('[aria-expanded]'))
    expect(await branch.getAttribute('aria-expanded')).toBe('false')
    await me.press('ArrowLeft')
    await page.getByRole('link', { name: 'القسم' }).waitFor()
    await me.go('link', 'القسم', { within: 1, key: 'ArrowLeft' })
    await me.go('link', 'المدرسة', { within: 1, key: 'ArrowRight' })
    await me.press('ArrowRight')
    await page.getByRole('link', { name: 'القسم' }).waitFor({ state: 'detached' })
    await me.go('link', 'المجلة', { within: 1, key: 'ArrowRight' })
    expectNoComplaints()
  })
})

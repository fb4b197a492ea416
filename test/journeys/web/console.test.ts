import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brokenRules } from '../../support/clients/axe.ts'
import { chromiumPath, type PageOptions, startBrowser } from '../../support/clients/browser.ts'
import { openReceiver } from '../../support/clients/callback-receiver.ts'
import { type Account, accountOf, ContentClient, newAccount, tokenOf } from '../../support/clients/content-client.ts'
import { VerificationClient } from '../../support/clients/verification-client.ts'
import { watchedPages } from '../../support/clients/watched-pages.ts'
import { layouts, type Platform } from '../../support/processes/platform.ts'
import { startProcess } from '../../support/processes/platform-process.ts'
import { sharedPlatform } from '../../support/processes/shared-platform.ts'
import { jobOf, selfieOf } from '../../support/samples/people.ts'

const [described, about] =
  chromiumPath === undefined ? [describe.skip, 'the console: SKIPPED, this machine has no Chromium'] : [describe, 'the console in Chromium']

described.each(layouts)(`${about}, in layout %s`, (layout) => {
  let system: Platform
  let browser: Browser
  const watched = watchedPages(() => browser)
  let address: string
  let superAdmin: Account
  let reviewer: Account

  beforeAll(async () => {
    ;[system, browser] = await Promise.all([sharedPlatform(layout), startBrowser()])
    address = `${system.rest.administration}/`
    ;[superAdmin, reviewer] = await Promise.all([accountOf(system, 'super_admin'), newAccount(system, 'reviewer')])
  })
  afterAll(() => browser?.close())

  const open = async (path = '', options: PageOptions = {}): Promise<Page> => {
    const page = await watched.open(options)
    await page.goto(address + path)
    return page
  }
  const expectNoComplaints = (): void => {
    expect(watched.complaints()).toEqual([])
  }
  const signIn = async (page: Page, { email, password }: Account): Promise<void> => {
    if (new URL(page.url()).pathname === '/') await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  const sections = (page: Page) => page.locator('.sections a')
  /** Submits a job that awaits review: its back is missing. */
  const pendingCase = async (): Promise<{ readonly code: string; readonly id: string; readonly client: VerificationClient }> => {
    const code = `CIT-${randomUUID()}`
    const { cni_verso_b64: _, ...frontAlone } = await jobOf(5, { citizen_code: code })
    const client = new VerificationClient(system)
    const { body } = await client.submit(frontAlone)
    await client.untilFinished([body.job_id])
    return { code, id: body.job_id, client }
  }

  it('lets a reviewer claim a job, view it, and decide; the submitting service receives the result', async () => {
    const { code, id, client } = await pendingCase()
    const page = await open('#/review', { expectedErrors: ['401'] })
    await signIn(page, { ...reviewer, password: 'not this one' })
    await page.getByRole('alert').getByText('The email address or password is incorrect').waitFor()
    expect(await page.getByLabel('Email address').inputValue()).toBe(reviewer.email)
    await signIn(page, reviewer)
    await expect.poll(() => sections(page).allTextContents()).toEqual(['Overview', 'Review'])

    const isInContent = () => page.evaluate('document.activeElement.id')
    await page.getByRole('link', { name: code }).press('Enter')
    await expect.poll(isInContent).toBe('content')
    expect(await page.locator('main img').count()).toBe(0)
    await page.getByRole('button', { name: 'Claim the case' }).press('Enter')
    await page.getByRole('heading', { name: `Review of ${code}` }).waitFor()
    await expect.poll(isInContent).toBe('content')
    await page.getByRole('img', { name: 'Selfie' }).waitFor()
    await page.getByRole('img', { name: 'Document, front' }).waitFor()
    await page.getByRole('img', { name: 'Portrait on the document' }).waitFor()
    const [selfie, portrait] = await Promise.all(
      [/^Selfie/, /^Portrait on the document/].map((name) => page.getByRole('group', { name }).boundingBox()),
    )
    expect([portrait?.width, portrait?.height, portrait?.y]).toEqual([selfie?.width, selfie?.height, selfie?.y])
    expect(await page.getByRole('list', { name: 'Reasons against verification' }).textContent()).toContain(
      'The back of the document is missing',
    )
    await page.locator('summary', { hasText: 'checks passed' }).click()
    const face = page.getByRole('row', { name: /^Face match/ })
    expect(await face.textContent()).toMatch(/passed.*Distance between the two faces: 0[.\d]+\./)

    const decision = page.getByRole('region', { name: 'Decision' })
    expect(await decision.getByRole('radio', { checked: true }).count()).toBe(0)
    await decision.getByRole('button', { name: 'Save the decision' }).click()
    await decision.getByText('Select a decision').waitFor()
    await decision.getByRole('radio', { name: 'Reject' }).check()
    await decision.getByRole('button', { name: 'Reject', exact: true }).click()
    await decision.getByText('Enter a note that explains the rejection').waitFor()
    await decision.getByRole('button', { name: /Reason/ }).click()
    await page.getByRole('option', { name: 'the document cannot be used' }).click()
    await decision.getByLabel('Note').fill('only one side')
    await page.getByRole('link', { name: 'Back to the list' }).click()
    await page.getByRole('link', { name: code }).click()
    expect(await decision.getByLabel('Note').inputValue()).toBe('only one side')
    await decision.getByRole('button', { name: 'Reject', exact: true }).click()
    await page.getByRole('heading', { name: 'Decision saved' }).waitFor()
    await page.getByText(`${code}: rejected, the document cannot be used.`, { exact: false }).first().waitFor()
    expect((await client.untilFinished([id])).get(id)).toMatchObject({ outcome: 'rejected' })
    expectNoComplaints()
  })

  it('shows why a job was left to review, and erases a citizen with a report', async () => {
    const { code, id, client } = await pendingCase()
    const page = await open('#/citizens')
    await signIn(page, superAdmin)
    const [search, register] = await Promise.all([
      page.getByRole('button', { name: 'Find' }).boundingBox(),
      page.getByRole('heading', { name: 'Register', exact: true }).boundingBox(),
    ])
    expect((register?.y ?? 0) - (search?.y ?? 0) - (search?.height ?? 0)).toBeGreaterThan(16)
    await page.getByLabel('Citizen code').fill(code)
    await page.getByRole('button', { name: 'Find' }).click()
    const entry = page.getByRole('region', { name: 'Entry in the register' })
    await entry.getByText('to be reviewed', { exact: true }).first().waitFor()
    await page.locator('main').getByRole('listitem').getByRole('link').first().click()
    const reasons = page.getByRole('list', { name: 'Reasons against verification' })
    await reasons.waitFor()
    await page.getByText('to be reviewed', { exact: true }).waitFor()
    expect(await reasons.textContent()).toContain('The back of the document is missing')

    await page.getByRole('link', { name: code }).click()
    await page.getByRole('button', { name: 'Erase this citizen…' }).click()
    const window = page.getByRole('dialog', { name: `Erase ${code}?` })
    const erase = window.getByRole('button', { name: 'Erase permanently' })
    expect(await erase.isDisabled()).toBe(true)
    await window.getByText('Verifications with images, results and reviews (1)').waitFor()
    await window.getByText('Entry in the register of citizens (1)').waitFor()
    await window.getByText('Audit records under the pseudonym').waitFor()
    await page.keyboard.type(code)
    await erase.click()
    await window.getByText('1 verification was erased, with all its data.').waitFor()
    const certificate = await window.getByRole('link', { name: 'Open the certificate' }).getAttribute('href')
    await window.getByRole('button', { name: 'Close' }).click()
    await page.getByText('There are no verifications or photos of this citizen.').waitFor()
    expect((await client.results()).body.results.map(({ job_id }) => job_id)).not.toContain(id)

    const saved = async (button: string): Promise<Buffer> => {
      const waiting = page.waitForEvent('download')
      await page.getByRole('button', { name: button }).click()
      return readFile(await (await waiting).path())
    }
    const access = (await saved('Save the data')).toString().trim().split('\n')
    expect(access.map((line) => (JSON.parse(line) as { type: string }).type)).not.toContain('verification')
    await page.goto(`${address}${certificate}`)
    await page.getByRole('heading', { name: 'Certificate of erasure' }).waitFor()
    await page.getByText('Verifications with images, results and reviews (1)').waitFor()
    expect((await saved('Save as PDF')).subarray(0, 5).toString()).toBe('%PDF-')

    // the erasure is audited with a digest of the citizen's code
    await page.goto(`${address}#/audit`)
    // other tests write records of this platform at the same time
    await page.getByLabel('Action in words').fill('citizen.erase')
    await page
      .getByRole('row', { name: /citizen\.erase/ })
      .first()
      .waitFor()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as CSV' }).click()
    const csv = await readFile(await (await downloading).path(), 'utf8')
    expect(csv).toMatch(/^id,at,action,outcome,person,subject,service,target,address,request_id,details\r\n/)
    const erasures = csv.split('\r\n').filter((row) => row.includes(`,citizen.erase,DONE,${superAdmin.email},`))
    expect(erasures.length).toBeGreaterThan(0)
    expect(erasures.join()).not.toContain(code)
    expectNoComplaints()
  })

  it('shows a group_admin only their own sections, at every address', async () => {
    const mine = await newAccount(system, 'group_admin', '--group', `group-${randomUUID()}`)
    const page = await open('#/delegations')
    await signIn(page, mine)
    await expect.poll(() => sections(page).allTextContents()).toEqual(['Overview', 'Citizens', 'Delegations', 'Content'])
    await page.getByText('No delegations match.').waitFor()
    await page.goto(`${address}#/citizens`)
    await page.getByText('No citizens match.').waitFor()
    expect(await page.getByRole('button', { name: 'Find' }).count()).toBe(0)
    for (const theirs of ['review', 'verifications', 'expressions', 'keys', 'audit']) {
      await page.goto(`${address}#/${theirs}`)
      await expect
        .poll(() => page.getByRole('heading', { level: 1 }).textContent(), { message: theirs })
        .toBe('You do not have access to this page')
    }
    expectNoComplaints()
  })

  it('shows why a citizen was rejected, check by check, for a job without a review', async () => {
    const code = `CIT-${randomUUID()}`
    const client = new VerificationClient(system)
    const { body } = await client.submit({ ...(await jobOf(5, { citizen_code: code })), selfie_b64: await selfieOf(23) })
    await client.untilFinished([body.job_id])
    const page = await open(`#/verifications/${body.job_id}`)
    await signIn(page, superAdmin)
    await page.getByText('rejected', { exact: true }).waitFor()
    const against = await page.getByRole('list', { name: 'Reasons against verification' }).textContent()
    expect(against).toContain('The face in the selfie does not match the face on the document.')
    const face = await page.getByRole('row', { name: /^Face match/ }).textContent()
    expect(face).toMatch(
      /needs review.*The selfie and the portrait on the document must show the same person\..*Distance between the two faces: [01][.\d]+\./,
    )
    await page.locator('summary', { hasText: 'checks passed' }).click()
    expect(await page.getByRole('row', { name: /^Machine-readable zone/ }).textContent()).toContain('passed')
    await page.setViewportSize({ width: 390, height: 844 })
    const overflow = () =>
      page.evaluate(`Math.max(...[...document.querySelectorAll('.scrolls')].map((each) => each.scrollWidth - each.clientWidth))`)
    await expect.poll(overflow).toBeLessThanOrEqual(0)
    expectNoComplaints()
  })

  /** Sends an operation to the graph. */
  const send = async (query: string, variables: object = {}, token?: string): Promise<unknown> => {
    const response = await fetch(system.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ query, variables }),
    })
    return response.json()
  }
  /** Searches for an expression once the index has it: other tests post more than a list of the newest shows. */
  const find = async (page: Page, id: string, street: string): Promise<void> => {
    const search = 'query ($input: SearchExpressionsInput!) { searchExpressions(input: $input) { nodes { id } } }'
    const searchCodes = async (): Promise<readonly string[]> => {
      const { data } = (await send(search, { input: { text: street } })) as {
        data: { searchExpressions: { nodes: readonly { id: string }[] } | null }
      }
      return data.searchExpressions?.nodes.map((node) => node.id) ?? []
    }
    await expect.poll(searchCodes).toContain(id)
    await page.getByLabel('Search by meaning or words').fill(street)
  }
  /** A unique name in letters: a run of digits could be redacted as a telephone number. */
  const newStreet = (): string =>
    randomUUID()
      .replaceAll('-', '')
      .replaceAll(/\d/g, (digit) => 'klmnopqrst'.charAt(Number(digit)))

  // one layout suffices for the behaviour of the pages; the test above covers both
  if (layout === 'split') return

  it('finds a job of any service by outcome, and shows a group_admin only their own sections', async () => {
    const { code } = await pendingCase()
    const page = await open('#/verifications')
    await signIn(page, superAdmin)
    await page.getByRole('link', { name: code }).waitFor()
    await page.getByRole('button', { name: /Outcome/ }).click()
    await page.getByRole('option', { name: 'verified', exact: true }).click()
    await expect.poll(() => page.getByRole('link', { name: code }).count()).toBe(0)
    await page.getByRole('button', { name: 'Sign out' }).click()

    await signIn(page, await accountOf(system, 'group_admin'))
    await expect.poll(() => sections(page).allTextContents()).toEqual(['Overview', 'Citizens', 'Delegations', 'Content'])
    expectNoComplaints()
  })

  it('shows why a callback was not delivered, and redelivers it', async () => {
    await using receiver = await openReceiver()
    const code = `CIT-${randomUUID()}`
    const { cni_verso_b64: _, ...frontAlone } = await jobOf(5, { citizen_code: code, callback_url: receiver.url })
    await new VerificationClient(system).submit(frontAlone)
    await receiver.until(1, 60_000)
    const page = await open('#/callbacks')
    await signIn(page, superAdmin)
    const row = page.getByRole('row', { name: code })
    await row.getByText('delivered').waitFor()
    await row.getByRole('button', { name: 'Send again' }).click()
    await receiver.until(2, 60_000)
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Send again')
    expectNoComplaints()
  })

  it('retains the typed text when the session expires', async () => {
    const { code } = await pendingCase()
    const page = await open('#/review', { expectedErrors: ['401'] })
    await signIn(page, reviewer)
    await page.getByRole('link', { name: code }).click()
    await page.getByRole('button', { name: 'Claim the case' }).click()
    await page.getByRole('radio', { name: 'Verify: this is the person' }).check()
    await page.getByLabel('Note').fill('a sentence that took long to write')
    let isOver = true
    const errors = [{ message: 'This needs a user with role reviewer', extensions: { code: 'UNAUTHENTICATED' } }]
    await page.route('**/graphql', (route) => {
      return isOver
        ? route.fulfill({ status: 401, contentType: 'application/json', body: JSON.stringify({ data: null, errors }) })
        : route.continue()
    })
    await page.getByRole('button', { name: 'Extend the time' }).click()
    const again = page.getByRole('dialog', { name: 'Your session has ended' })
    await again.waitFor()
    expect(await page.getByText('This needs a user').count()).toBe(0)
    const opening = page.waitForEvent('popup')
    await again.getByRole('button', { name: 'Sign in' }).click()
    const beside = await opening
    await beside.getByLabel('Email address').fill(reviewer.email)
    await beside.getByLabel('Password').fill(reviewer.password)
    isOver = false
    await beside.getByRole('button', { name: 'Sign in' }).click()
    await again.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Note').inputValue()).toBe('a sentence that took long to write')
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
    await page.getByRole('heading', { name: 'Decision saved' }).waitFor()
    expectNoComplaints()
  })

  it('corrects and withdraws an expression, and escapes the text of citizens', async () => {
    const street = newStreet()
    const text = `<img src=x onerror=alert(1)> La route de ${street} est pleine de trous`
    const { data } = (await send('mutation ($input: IngestExpressionInput!) { ingestExpression(input: $input) { expression { id } } }', {
      input: { text, authorRef: randomUUID() },
    })) as { data: { ingestExpression: { expression: { id: string } } } }
    const { id } = data.ingestExpression.expression
    const page = await open('#/expressions')
    await signIn(page, superAdmin)
    await find(page, id, street)
    await page.getByRole('button', { name: text }).click()
    const window = page.getByRole('dialog', { name: 'Expression' })
    await window.getByRole('button', { name: /Sentiment/ }).click()
    await page.getByRole('option', { name: 'positive' }).click()
    await window.getByRole('button', { name: 'Save the correction' }).click()
    await expect.poll(() => page.getByRole('row', { name: text }).textContent()).toContain('positive')

    await page.getByRole('button', { name: text }).click()
    await window.getByRole('button', { name: 'Withdraw' }).click()
    await window.getByRole('radio', { name: /You cannot undo this/ }).check()
    await window.getByRole('button', { name: 'Withdraw' }).click()
    // the list is inert behind the dialog
    await window.waitFor({ state: 'hidden' })
    await expect.poll(() => page.getByRole('button', { name: text }).count()).toBe(0)
    expect(await send('query ($id: ID!) { expression(id: $id) { id } }', { id })).toEqual({ data: { expression: null } })
    expectNoComplaints()
  })

  it('removes a withdrawn expression from every open page: the list and the dialog of the console, the feed and the panel of the explorer', async () => {
    const street = newStreet()
    // prose: nobody: a sentence of a citizen
    const text = `Nobody empties the bins of ${street}`
    const [lat, lon] = [-40 - Math.random(), -20 - Math.random()]
    const around = [lon - 0.2, lat - 0.2, lon + 0.2, lat + 0.2].map((edge) => edge.toFixed(4)).join()
    const ingest = 'mutation ($input: IngestExpressionInput!) { ingestExpression(input: $input) { expression { id } } }'
    // the explorer works without a map, too
    const explorer = await watched.open({ expectedErrors: ['WebGL'] })
    // figures of words are those of the search index, which follows a withdrawal later
    await explorer.goto(`${system.rest.exploration}/?lang=en&bbox=${around}&q=${encodeURIComponent(street)}`)
    await explorer.locator('#connection', { hasText: 'Live' }).waitFor()
    const { data } = (await send(ingest, { input: { text, authorRef: randomUUID(), location: { lat, lon } } })) as {
      data: { ingestExpression: { expression: { id: string } } }
    }
    const { id } = data.ingestExpression.expression
    const inFeed = explorer.locator('#feed li', { hasText: text })
    await inFeed.waitFor()
    const found = explorer.locator('#figure-expressions')
    await expect.poll(() => found.textContent()).toBe('1')
    // expressions of other tests would move it out of the feed
    await explorer.getByRole('button', { name: 'Pause' }).click()
    const list = await open('#/expressions')
    await signIn(list, superAdmin)
    await find(list, id, street)
    await list.getByRole('button', { name: text }).click()
    const window = list.getByRole('dialog', { name: 'Expression' })
    await window.getByText(text).waitFor()
    await explorer.locator('#map-table summary').click()
    await explorer.locator('#map-table tbody button').first().click()
    const panel = explorer.locator('#details')
    await panel.getByText(text).waitFor()

    const withdraw = 'mutation ($input: WithdrawExpressionInput!) { withdrawExpression(input: $input) { id } }'
    expect(await send(withdraw, { input: { id } }, await tokenOf(system))).toEqual({ data: { withdrawExpression: { id } } })
    await window.getByText('This expression has been withdrawn.').waitFor()
    await window.getByRole('button', { name: 'Close' }).click()
    await panel.getByText('This opinion was withdrawn.').waitFor()
    await inFeed.waitFor({ state: 'detached' })
    await expect.poll(() => found.textContent()).toBe('0')
    for (const page of [list, explorer]) expect(await page.getByText(text).count()).toBe(0)
    expectNoComplaints()
  })

  it('imports delegations from a file: with a result per line, none if a line is invalid, all otherwise', async () => {
    const giver = `CIT-${randomUUID()}`
    const lineOf = (delegate: string): string => `${giver},${delegate},default,2026-01-01T00:00:00Z`
    const fileOf = (...lines: readonly string[]) => ({
      name: 'delegations.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['delegator,delegate,group_id,starts_at', ...lines, ''].join('\r\n')),
    })
    const page = await open('#/delegations')
    await signIn(page, superAdmin)
    await page.getByRole('link', { name: 'Import delegations from a file' }).click()
    const importButton = page.getByRole('button', { name: /^Import/ })
    await page.getByLabel('File').setInputFiles(fileOf(lineOf('B'), lineOf(giver)))
    await page.getByRole('status').getByText('1 line has an error, so nothing was imported.').waitFor()
    expect(await page.getByRole('row', { name: '3' }).last().textContent()).toContain('delegate: must be another citizen')
    expect(await importButton.count()).toBe(0)

    await page.getByLabel('File').setInputFiles(fileOf(lineOf('B'), lineOf('C')))
    await page.getByRole('status').getByText('Nothing has been imported yet. New: 2. Changed: 0. Unchanged: 0.').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await importButton.click()
    await page.getByRole('status').getByText('Imported. New: 2. Changed: 0. Unchanged: 0.').waitFor()
    await page.getByRole('link', { name: 'Back to delegations' }).click()
    await page.getByLabel('From').fill(giver)
    await page.getByText('2 delegations that you can view, the latest recorded first.').waitFor()

    await page.goto(`${address}#/audit`)
    await page.getByLabel('Action in words').fill('delegations.import')
    await page
      .getByRole('row', { name: /delegations\.import/ })
      .first()
      .waitFor()
    expectNoComplaints()
  })

  it('accepts an address that was truncated within an encoded character', async () => {
    const page = await open('#/citizens/%E0%A4%A')
    await signIn(page, superAdmin)
    await page.getByRole('heading', { name: /%E0%A4%A/ }).waitFor()
    expect(await page.getByText('URI malformed').count()).toBe(0)
    await page.getByText('No records were found for this code. Check the spelling.').waitFor()
    expectNoComplaints()
  })

  it('lists service keys, including expired ones, without their secrets', async () => {
    const name = `service-${randomUUID()}`
    const run = async (...words: readonly string[]): Promise<string> => {
      const command = startProcess(['keys', ...words], system.env)
      expect(await command.exited, command.output()).toBe(0)
      return command.output()
    }
    const [, key = ''] = /X-Service-API-Key: (\S+)/.exec(await run('create', name, '--scope', 'submit')) ?? []
    await run('revoke', name)
    const page = await open('#/keys')
    await signIn(page, superAdmin)
    const row = page.getByRole('row', { name })
    await row.getByText('expired').waitFor()
    expect(await row.textContent()).toContain('submit')
    await page.getByRole('row').filter({ hasText: 'settings' }).first().waitFor()
    const shown = await page.locator('main').textContent()
    expect([shown?.includes('change VERIFICATION_API_KEYS'), shown?.includes(key)]).toEqual([true, false])
    expect(await brokenRules(page)).toEqual([])
    expectNoComplaints()
  })

  it('restores or purges deleted content of a tenant; a group_admin sees the content of their groups', async () => {
    const tenant = `trash-${randomUUID()}`
    const headers = { authorization: `Bearer ${await tokenOf(system)}`, 'x-tenant-id': tenant }
    const client = new ContentClient(system.rest.content, headers)
    const children = ['Water', 'School'].map((title) => ({ id: title.toLowerCase(), title }))
    expect((await client.import({ nodes: [{ id: 'top', title: 'Magazine', children }] })).status).toBe(200)
    const remove = `mutation { ${children
      .map(({ id }) => `${id}: deleteContentNode(input: { tenantId: "${tenant}", id: "${id}" }) { deleted }`)
      .join(' ')} }`
    expect((await client.request('POST', '/graphql', { query: remove })).body.data).toEqual({
      water: { deleted: 1 },
      school: { deleted: 1 },
    })

    const page = await open('#/content')
    await signIn(page, superAdmin)
    await page.getByLabel('Organisation').fill('No name')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('Enter up to 63 lowercase letters a to z, digits and hyphens.').waitFor()
    await page.getByLabel('Organisation').fill(tenant)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('button', { name: 'Restore: Water' }).click()
    await page.getByText('The text was restored.').waitFor()
    await page.getByRole('button', { name: 'Delete permanently: School' }).click()
    const window = page.getByRole('dialog', { name: 'Delete “School” permanently?' })
    await window.getByRole('button', { name: 'Delete permanently' }).click()
    await page.getByText('The trash of this organisation is empty.').waitFor()
    const { body } = await client.get('/api/v1/export')
    expect(body.map(({ id }: { readonly id: string }) => id)).toEqual(['top', 'water'])
    await page.evaluate(`location.hash = '#/audit'`)
    // other suites write to the same trail
    await page.getByLabel('Action in words').fill('content.purge')
    await page.getByRole('cell', { name: 'content.purge' }).first().waitFor()

    await page.getByRole('button', { name: 'Sign out' }).click()
    await signIn(page, await accountOf(system, 'group_admin'))
    await page.getByRole('link', { name: 'Content' }).click()
    await page.getByText('The trash of this organisation is empty.').waitFor()
    expect(await page.getByLabel('Organisation').count()).toBe(0)
    await page.evaluate(`location.hash = '#/content/${tenant}'`)
    await page.getByText('None of your groups administers this tenant').waitFor()
    expectNoComplaints()
  })

  it('passes axe in every language, light and dark, at every width', async () => {
    const views = [
      { lang: 'fr', colorScheme: 'light', width: 1280 },
      { lang: 'ar', colorScheme: 'dark', width: 390 },
      { lang: 'en', colorScheme: 'dark', width: 1920 },
    ] as const
    for (const { lang, colorScheme, width } of views) {
      const page = await open(`?lang=${lang}`, { colorScheme, viewport: { width, height: 900 } })
      const check = async (view: string): Promise<void> => {
        await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => undefined)
        expect([lang, view, await brokenRules(page)]).toEqual([lang, view, []])
        expect([lang, view, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([lang, view, width])
      }
      expect(await page.evaluate('document.documentElement.dir')).toBe(lang === 'ar' ? 'rtl' : 'ltr')
      await check('sign-in')
      await page.locator('main button').click()
      await page.locator('input[type=email]').waitFor()
      await check('the page of the issuer')
      await page.locator('input[type=email]').fill(superAdmin.email)
      await page.locator('input[type=password]').fill(superAdmin.password)
      await page.locator('main button[type=submit]').click()
      await page.locator('.sections').waitFor()
      const lines = new Set(
        await sections(page).evaluateAll((links: readonly { readonly offsetTop: number }[]) => links.map((link) => link.offsetTop)),
      )
      if (width >= 1280) expect([lang, lines.size]).toEqual([lang, 1])
      else expect((await page.locator('.sections').boundingBox())?.height).toBeLessThan(64)
      for (const view of [
        '',
        'review',
        'verifications',
        'callbacks',
        'citizens',
        'expressions',
        'expressions/dead-letters',
        'delegations',
        'delegations/simulations',
        'content',
        'audit',
      ]) {
        await page.evaluate(`location.hash = '#/${view}'`)
        await page.locator('main h1').waitFor()
        await check(view)
      }
    }
    expectNoComplaints()
  })
})

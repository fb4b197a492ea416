import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brokenRules } from '../../support/clients/axe.ts'
import { chromiumPath, type PageOptions, startBrowser } from '../../support/clients/browser.ts'
import { KeyboardUser } from '../../support/clients/keyboard-user.ts'
import { VerificationClient } from '../../support/clients/verification-client.ts'
import { watchedPages } from '../../support/clients/watched-pages.ts'
import type { Platform } from '../../support/processes/platform.ts'
import { sharedPlatform } from '../../support/processes/shared-platform.ts'
import { jobOf } from '../../support/samples/people.ts'

const [described, about] =
  chromiumPath === undefined
    ? [describe.skip, 'the query editor: SKIPPED, this machine has no Chromium']
    : [describe, 'the query editor in Chromium']

described(about, () => {
  let system: Platform
  let browser: Browser
  let address: string
  const watched = watchedPages(() => browser, { isQuiet: true })

  beforeAll(async () => {
    ;[system, browser] = await Promise.all([sharedPlatform('one'), startBrowser()])
    address = system.graphqlUrl.replace(/graphql$/, 'query')
  })
  afterAll(() => browser?.close())

  const watch = watched.open
  const open = async (options: PageOptions = {}, hash = ''): Promise<Page> => {
    const page = await watch(options)
    await page.goto(address + hash)
    await editor(page, 'Operation').waitFor()
    return page
  }
  const editor = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
  const answer = (page: Page) => editor(page, 'Response')
  const write = async (page: Page, name: string, text: string): Promise<void> => {
    await editor(page, name).click()
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText(text)
  }
  const run = (page: Page) => page.getByRole('button', { name: 'Run', exact: true }).click()
  /** Operations that the page sends from now on, without introspection. */
  const listened = (page: Page): { readonly query: string; readonly operationName?: string }[] => {
    const requests: { readonly query: string; readonly operationName?: string }[] = []
    page.on('request', (request) => {
      const body = request.url().endsWith('/graphql') ? request.postDataJSON() : undefined
      if (body && !body.query.includes('__schema')) requests.push(body)
    })
    return requests
  }
  const answering = (page: Page, body: string, status = 200, contentType = 'application/json') =>
    page.route('**/graphql', (route) => route.fulfill({ body, status, contentType }))

  it('runs its initial operation, completes by the schema, and marks errors against it', async () => {
    const page = await open()
    await run(page)
    await expect.poll(() => answer(page).textContent()).toContain('"workersActive": 1')
    await expect.poll(() => page.getByRole('region', { name: 'Response' }).getByRole('status').textContent()).toMatch(/HTTP 200.*ms.*byte/)

    await write(page, 'Operation', '{ verificationQ }')
    for (const key of ['End', 'ArrowLeft', 'ArrowLeft', 'Control+Space']) await page.keyboard.press(key)
    await page.getByRole('option', { name: /^verificationQueue/ }).waitFor()
    await expect.poll(() => brokenRules(page)).toEqual([])
    await page.keyboard.press('Enter')
    await expect.poll(() => editor(page, 'Operation').textContent()).toContain('{ verificationQueue }')
    await page.keyboard.press('Control+Shift+M')
    await page.getByRole('option', { name: /must have a selection of subfields/ }).waitFor()
    await page.locator('.cm-lintRange-error').waitFor()
    expect(await brokenRules(page)).toEqual([])
  })

  it('shows the errors of the graph and their number, with the keyboard only', async () => {
    const page = await open({ expectedErrors: ['400'] })
    await write(page, 'Operation', 'query Waiting { verificationResults(first: 1) { totalCount } }')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => answer(page).textContent()).toContain('UNAUTHENTICATED')
    await page.getByText('1 error').waitFor()
    await write(page, 'Operation', '{ nothing }')
    await page.keyboard.press('Control+Enter')
    await page.getByText('HTTP 400').waitFor()
    expect(await answer(page).textContent()).toContain('Cannot query field')
  })

  it('runs the one of several operations that is under the cursor', async () => {
    const page = await open()
    await write(page, 'Operation', 'query One { verificationHealth { status } }\n\nquery Two { contentHealth { version } }')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => answer(page).textContent()).toContain('"contentHealth"')
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => answer(page).textContent()).toContain('"verificationHealth"')
  })

  it('runs on Ctrl+Enter everywhere on the page, except behind a dialog', async () => {
    const page = await open()
    const requests = listened(page)
    await page.getByRole('button', { name: 'Format', exact: true }).focus()
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => answer(page).textContent()).toContain('"workersActive"')
    await page.getByRole('button', { name: 'History', exact: true }).click()
    await page.getByRole('button', { name: 'Clear history' }).focus()
    await page.keyboard.press('Control+Enter')
    await page.keyboard.press('Escape')
    await write(page, 'Operation', 'query Inside { contentHealth { version } }')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => answer(page).textContent()).toContain('"contentHealth"')
    expect(requests.map(({ operationName }) => operationName)).toEqual(['Platform', 'Inside'])
  })

  it('sends nothing while operation, variables or headers are invalid, and names which', async () => {
    const page = await open()
    const requests = listened(page)
    const alert = () => page.getByRole('alert').textContent()
    await write(page, 'Operation', 'query Broken {\n  me {')
    await run(page)
    await expect.poll(alert).toMatch(/^The operation has an error on line 2/)
    await write(page, 'Operation', 'query Map($zoom: Int!) { map(zoom: $zoom) { total } }')
    await write(page, 'Variables', '{"zoom": 4')
    await run(page)
    await expect.poll(alert).toMatch(/^Variables must be a JSON object\. Nothing was sent/)
    await write(page, 'Variables', '{"zo')
    await page.keyboard.press('Control+Space')
    await page.getByRole('option', { name: /^zoom/ }).click()
    await expect.poll(() => editor(page, 'Variables').textContent()).toContain('"zoom": ')
    await write(page, 'Variables', '{"zoom": 4}')
    await page.getByRole('tab', { name: 'Headers' }).click()
    await write(page, 'Headers', '["no", "object"]')
    await run(page)
    await expect.poll(alert).toMatch(/^Headers must be a JSON object/)
    expect(requests).toEqual([])
    await write(page, 'Headers', '{"X-Typed": "yes"}')
    const sent = page.waitForRequest((request) => request.headers()['x-typed'] === 'yes')
    await run(page)
    expect((await sent).postDataJSON()).toMatchObject({ operationName: 'Map', variables: { zoom: 4 } })
    await expect.poll(() => answer(page).textContent()).toContain('"total"')
  })

  it('shows the events of a subscription on arrival, newest first, until it is stopped', async () => {
    const page = await open()
    await page.getByRole('tab', { name: 'Headers' }).click()
    await write(page, 'Headers', JSON.stringify({ 'X-Service-API-Key': system.apiKey }))
    await write(page, 'Operation', 'subscription Finished { verificationFinished(after: 0) { job { citizen { code } } } }')
    await run(page)
    await page.getByText('Waiting for events…').waitFor()
    const client = new VerificationClient(system)
    const jobs: string[] = []
    for (const code of ['WATCHED-1', 'WATCHED-2']) {
      jobs.push((await client.submit(await jobOf(5, { citizen_code: code }))).body.job_id)
      await expect.poll(() => answer(page).textContent()).toContain(code)
    }
    await page.getByRole('button', { name: 'Earlier' }).click()
    await expect.poll(() => answer(page).textContent()).not.toContain('WATCHED-2')
    await page.getByRole('button', { name: 'Newest' }).click()
    await expect.poll(() => answer(page).textContent()).toContain('WATCHED-2')
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor()
    expect(await page.getByText('Waiting for events…').count()).toBe(0)
    await client.acknowledge(jobs)
  })

  it('cancels a slow request, and merges incremental results', async () => {
    const page = await open({ expectedErrors: ['ERR_FAILED'] })
    await write(page, 'Operation', 'query Parts { verificationHealth { status ... @defer { version } } }')
    await run(page)
    await expect.poll(() => answer(page).textContent()).toMatch(/"status": "OK",.*"version": "/)
    await page.route('**/graphql', () => undefined)
    await run(page)
    await page.getByText('Running…').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it('stores documents over a reload and for the next visit; headers, passwords and tokens for this tab only', async () => {
    const page = await open()
    await write(page, 'Operation', 'query First { me { email } }')
    await page.getByRole('button', { name: 'New document' }).click()
    await write(page, 'Operation', 'mutation Second($input: LoginInput!) { login(input: $input) { accessToken } }')
    await write(page, 'Variables', '{"input": {"email": "a@b.test", "password": "typed-password"}}')
    await page.getByRole('tab', { name: 'Headers' }).click()
    await write(page, 'Headers', '{"X-Typed": "typed-header"}')
    await page.reload()
    await page.getByRole('tab', { name: 'Second', selected: true }).waitFor()
    await expect.poll(() => editor(page, 'Variables').textContent()).toContain('typed-password')
    await page.getByRole('tab', { name: 'Headers' }).click()
    await expect.poll(() => editor(page, 'Headers').textContent()).toContain('typed-header')
    const storage = await page.evaluate<string>('JSON.stringify({ ...localStorage })')
    expect(storage).toContain('a@b.test')
    expect(storage).not.toMatch(/typed-password|typed-header/)

    const next = await page.context().newPage()
    await next.goto(address)
    await next.getByRole('tab', { name: 'Second', selected: true }).waitFor()
    await next.getByRole('tab', { name: 'Headers' }).click()
    expect(await editor(next, 'Headers').textContent()).toBe('')

    // by keyboard: to the previous tab, and close it
    await page.getByRole('tab', { name: 'Second' }).focus()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => editor(page, 'Operation').textContent()).toContain('query First')
    await page.keyboard.press('Delete')
    await expect.poll(() => page.getByRole('tab', { name: 'First' }).count()).toBe(0)
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Second')
  })

  it('stores a history without secrets, opens its entries again, and deletes them', async () => {
    const page = await open({ expectedErrors: ['400'] })
    await write(page, 'Operation', 'mutation Typed { login(input: {email: "a@b.test", password: "typed-password"}) { accessToken } }')
    await run(page)
    await expect.poll(() => answer(page).textContent()).toContain('errors')
    await page.getByRole('button', { name: 'History' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Typed' }).click()
    await expect.poll(() => editor(page, 'Operation').textContent()).toContain('password: ""')
    await page.getByRole('button', { name: 'History' }).click()
    await page.getByRole('button', { name: 'Clear history' }).click()
    await page.getByText('You have not run any operations yet.').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.evaluate<string>('localStorage.getItem("civigraph:past-runs")')).toBe('[]')
  })

  it('formats an operation, and leaves one with comments unchanged', async () => {
    const page = await open()
    await write(page, 'Operation', 'query   A{me{email}}')
    await page.getByRole('button', { name: 'Format' }).click()
    await page.getByText('Formatted.').waitFor()
    expect(await editor(page, 'Operation').textContent()).toBe('query A {  me {    email  }}')
    await write(page, 'Operation', '# mine\nquery   A{me{email}}')
    await page.keyboard.press('Shift+Alt+F')
    await page.getByText('Formatting would remove the comments').waitFor()
    expect(await editor(page, 'Operation').textContent()).toContain('query   A{me{email}}')
  })

  it('opens the operation of an address, also of GraphiQL, and copies such an address', async () => {
    const search = `?${new URLSearchParams({ query: 'query Linked($zoom: Int!) { map(zoom: $zoom) { total } }', variables: '{"zoom": 3}' })}`
    const page = await watch()
    await page.goto(`${address.replace(/query$/, 'graphiql')}${search}`)
    await page.getByRole('tab', { name: 'Linked', selected: true }).waitFor()
    expect(page.url()).toBe(address)
    await page.getByRole('button', { name: 'Copy link', exact: true }).click()
    await page.getByText(/address bar/).waitFor()
    expect(new URL(page.url()).search).toBe(search)
    await page.reload()
    await page.getByRole('tab', { name: 'Linked', selected: true }).waitFor()
    expect(await page.getByRole('tablist', { name: 'Open documents' }).getByRole('tab').count()).toBe(1)
  })

  it('navigates the documentation by keyboard: from a field, by a search, and back to the editor', async () => {
    const page = await watch()
    const user = await KeyboardUser.at(page)
    await page.goto(`${address}?${new URLSearchParams({ query: '{ verificationQueue { depth } }' })}`)
    // once the schema has loaded
    await page.getByRole('button', { name: 'Documentation' }).click()
    await page.getByLabel('Search types and fields').waitFor()
    await user.press('Escape')
    await user.isAt('button', 'Documentation')
    await editor(page, 'Operation').focus()
    await user.press('Control+Home')
    for (let step = 0; step < 5; step++) await user.press('ArrowRight')
    await user.press('F1')
    await user.isAt('heading', 'Query.verificationQueue')
    await user.go('button', 'VerificationQueue')
    await user.press('Enter')
    await user.isAt('heading', 'VerificationQueue')
    await user.go('searchbox', 'Search types and fields', { key: 'Shift+Tab' })
    await user.type('searchExp')
    await user.announces(/result/)
    await user.go('button', 'Query.searchExpressions')
    await user.press('Enter')
    await user.isAt('heading', 'Query.searchExpressions')
    expect(await page.getByRole('complementary').textContent()).toContain('SearchExpressionsInput')
    expect(await brokenRules(page)).toEqual([])
    await user.press('Escape')
    await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('editor')
  })

  it('works without a schema, reports why it is missing, and loads it again', async () => {
    const page = await watch()
    const hidden = JSON.stringify({ errors: [{ message: 'GraphQL introspection is not allowed.' }] })
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('__schema')
        ? route.fulfill({ body: hidden, contentType: 'application/json' })
        : route.continue(),
    )
    await page.goto(address)
    await run(page)
    await expect.poll(() => answer(page).textContent()).toContain('"workersActive"')
    await page.getByRole('button', { name: 'Documentation' }).click()
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('introspection is not allowed')
    await page.unroute('**/graphql')
    await page.getByRole('button', { name: 'Reload the schema' }).click()
    await page.getByLabel('Search types and fields').waitFor()
  })

  it('renders descriptions as text, not as HTML', async () => {
    const page = await watch()
    await page.route('**/graphql', async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replaceAll(
        '"description":"',
        '"description":"<img src=x onerror=\'globalThis.isRun = true\'> `code` ',
      )
      await route.fulfill({ response, body })
    })
    await page.goto(address)
    await page.getByRole('button', { name: 'Documentation' }).click()
    await page.getByRole('complementary').getByText('<img src=x').first().waitFor()
    await page.getByRole('complementary').locator('code', { hasText: 'code' }).first().waitFor()
    await editor(page, 'Operation').getByText('verificationQueue').hover()
    await page.locator('.cm-tooltip-hover').getByText('<img src=x').waitFor()
    expect(await page.evaluate('globalThis.isRun')).toBeUndefined()
  })

  it('reports a response of another server, and a missing response', async () => {
    const page = await open({ expectedErrors: ['502', 'ERR_FAILED'] })
    await answering(page, '<html><script>globalThis.isRun = true</script>Bad gateway</html>', 502, 'text/html')
    await run(page)
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('status 502')
    expect(await answer(page).textContent()).toContain('<script>')
    await page.unroute('**/graphql')
    await page.route('**/graphql', (route) => route.abort())
    await run(page)
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('did not respond')
    expect(await page.evaluate('globalThis.isRun')).toBeUndefined()
  })

  it('shows the beginning of a response of five megabytes, saves all of it, and does not render it as HTML', async () => {
    const page = await open()
    const hostile = '<img src=x onerror="globalThis.isRun = true"></textarea><script>globalThis.isRun = true</script>'
    const body = JSON.stringify({
      data: { hostile, list: Array.from({ length: 50_000 }, (_, index) => ({ index, text: 'x'.repeat(80) })) },
    })
    expect(body.length).toBeGreaterThan(5_000_000)
    await answering(page, body)
    await run(page)
    await page.getByText(/Only the start is shown/).waitFor()
    expect(await answer(page).textContent()).toContain('<img src=x onerror=')
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save' }).click()
    expect(JSON.parse(await readFile(await (await saving).path(), 'utf8')).data.list.length).toBe(50_000)
    expect(await page.evaluate('globalThis.isRun')).toBeUndefined()
  })

  it('has an example per component, signs in for them, and ends an expired session', async () => {
    const page = await open({ expectedErrors: ['401'] })
    const example = async (name: RegExp): Promise<void> => {
      await page.locator('summary', { hasText: 'Examples' }).click()
      await page.getByRole('button', { name }).click()
      await run(page)
    }
    await example(/^Verification/)
    await expect.poll(() => answer(page).textContent()).toContain('UNAUTHENTICATED')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    expect(await brokenRules(page)).toEqual([])
    await page.getByLabel('Service key').fill(system.apiKey)
    await page.getByRole('button', { name: 'Use this key' }).click()
    await page.getByText('Use a service key').waitFor()
    await run(page)
    await expect.poll(() => answer(page).textContent()).toContain('"totalCount"')
    // typed credentials take precedence
    await page.getByRole('tab', { name: 'Headers' }).click()
    await write(page, 'Headers', '{"X-Service-API-Key": "wrong"}')
    await run(page)
    await expect.poll(() => answer(page).textContent()).toContain('UNAUTHENTICATED')
    await write(page, 'Headers', '{}')

    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    const account = JSON.parse(await readFile(join(system.dataDir, 'credentials.json'), 'utf8')).super_admin
    await page.getByLabel('Email').fill(account.email)
    await page.getByLabel('Password').fill('wrong')
    await page.getByRole('button', { name: 'Sign in with this account' }).click()
    await expect.poll(() => page.getByRole('alert').textContent()).toMatch(/credentials|password/i)
    await page.getByLabel('Password').fill(account.password)
    await page.getByRole('button', { name: 'Sign in with this account' }).click()
    await page.getByText(account.email).waitFor()
    await example(/^Administration/)
    await expect.poll(() => answer(page).textContent()).toContain('"SUPER_ADMIN"')
    for (const name of [/^Exploration/, /^Classification/, /^Content/]) {
      await example(name)
      await expect.poll(() => answer(page).textContent()).toContain('"data"')
    }
    await page.reload()
    await page.getByText(account.email).waitFor()
    expect(await page.evaluate<string>('JSON.stringify({ ...localStorage })')).not.toContain('eyJ')

    await page.evaluate(
      `{ const session = JSON.parse(sessionStorage['civigraph:credentials']); sessionStorage['civigraph:credentials'] = JSON.stringify({ ...session, endsAt: 0, refreshToken: 'none' }) }`,
    )
    await page.reload()
    await page.getByText('Your session has ended. Sign in again.').waitFor()
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  })

  it('resizes the panes of a wide screen, by arrows and by mouse', async () => {
    const page = await open({ viewport: { width: 1400, height: 900 } })
    const width = async (): Promise<number> => (await page.getByRole('region', { name: 'Response' }).boundingBox())?.width ?? 0
    const before = await width()
    const bar = page.getByRole('separator', { name: 'Width of the panes' })
    await bar.focus()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(width).toBeGreaterThan(before)
    expect(await bar.getAttribute('aria-valuenow')).toBe('45')
    await bar.hover()
    await page.mouse.down()
    await page.mouse.move(1000, 400, { steps: 3 })
    await page.mouse.up()
    await expect.poll(width).toBeLessThan(before)
  })

  it('changes language and colours at once, and loses nothing', async () => {
    const page = await open()
    await write(page, 'Operation', 'query Typed { me { email } }')
    await page.getByRole('button', { name: 'العربية' }).click()
    await expect.poll(() => editor(page, 'العملية').textContent()).toContain('query Typed')
    expect(await page.evaluate('[document.documentElement.lang, document.documentElement.dir]')).toEqual(['ar', 'rtl'])
    await page.getByLabel('المظهر').selectOption({ label: 'داكن' })
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(16, 22, 29)')
  })

  it.each(['fr', 'en', 'ar'])('passes axe in "%s", light and dark, and fits every screen from 320 pixels on', async (lang) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await watch({ colorScheme })
      await page.goto(`${address}?lang=${lang}`)
      await page.locator('button[title="Ctrl+Enter"]').click()
      await page.getByText('HTTP 200').waitFor()
      await page.locator('button[title="F1"]').click()
      await page.locator('.docs input').fill('expression')
      await page.locator('.result .cm-content').focus()
      await page.keyboard.press('Control+F')
      await page.locator('.cm-search').waitFor()
      for (const width of [320, 768, 1920]) {
        await page.setViewportSize({ width, height: 900 })
        expect([lang, colorScheme, width, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([
          lang,
          colorScheme,
          width,
          width,
        ])
        expect([lang, colorScheme, width, await brokenRules(page, ['target-size'])]).toEqual([lang, colorScheme, width, []])
      }
    }
  })
})

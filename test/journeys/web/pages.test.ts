import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, type Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, startBrowser, type WatchedPage, watchedPage } from '../../support/clients/browser.ts'
import { VerificationClient } from '../../support/clients/verification-client.ts'
import { layouts, type Platform } from '../../support/processes/platform.ts'
import { sharedPlatform } from '../../support/processes/shared-platform.ts'
import { jobOf, selfieOf } from '../../support/samples/people.ts'

interface Description {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly security?: readonly Readonly<Record<string, readonly string[]>>[] }>>>
  >
  readonly components: { readonly securitySchemes?: Readonly<Record<string, object>> }
}

const [described, about] =
  chromiumPath === undefined ? [describe.skip, 'the pages: SKIPPED, this machine has no Chromium'] : [describe, 'the pages in Chromium']

described.each(layouts)(`${about}, in layout %s`, (layout) => {
  let system: Platform
  let browser: Browser
  let watched: WatchedPage[] = []
  let landing: string
  let service: string
  let documentation: string[]

  beforeAll(async () => {
    ;[system, browser] = await Promise.all([sharedPlatform(layout), startBrowser()])
    landing = system.graphqlUrl.replace(/graphql$/, '')
    service = `${system.rest.verification}/`
    documentation = Object.values(system.rest).map((address) => `${address}/docs`)
  })
  afterAll(() => browser?.close())

  const open = async (url: string, options: Parameters<typeof watchedPage>[1] = {}): Promise<Page> => {
    const opened = await watchedPage(browser, options)
    watched.push(opened)
    await opened.page.goto(url)
    return opened.page
  }
  /** what every test ends with: the pages it opened kept to themselves and logged no error */
  const expectNoComplaints = (): void => {
    expect(watched.flatMap(({ complaints }) => complaints)).toEqual([])
  }
  afterEach(async () => {
    await Promise.all(watched.map(({ page }) => page.context().close()))
    watched = []
  })

  const fill = async (page: Page, seed: number, selfieSeed = seed): Promise<void> => {
    const job = await jobOf(seed)
    const identity = Object(job.declared_identity)
    for (const [label, value] of [
      ['API key', system.apiKey],
      ['First name', identity.first_name],
      ['Last name', identity.last_name],
      ['Date of birth', identity.date_of_birth],
      ['Citizen code', `PAGE-${seed}-${selfieSeed}`],
      ['Issuing country', job.country_code],
    ])
      await page.getByLabel(label).fill(value)
    await page.getByLabel('Type').selectOption(String(job.document_type))
    for (const [label, content] of [
      ['Selfie', await selfieOf(selfieSeed)],
      ['Document, front', job.cni_recto_b64],
      ['Document, back', job.cni_verso_b64],
    ]) {
      const buffer = Buffer.from(String(content), 'base64')
      await page.getByLabel(`${label}`, { exact: false }).setInputFiles({ name: 'image', mimeType: 'image/jpeg', buffer })
    }
  }

  it('names the five components, says how each is, and leads to what it names', async () => {
    const page = await open(landing)
    await expect.poll(() => page.getByRole('status').textContent()).toBe('All 5 components are working.')
    expect(await page.locator('[data-component] .state').allTextContents()).toEqual(Array(5).fill('Working'))
    const links = await page.evaluate<string[]>('[...document.links].map((link) => link.href)')
    expect(links.length).toBeGreaterThan(18)
    for (const link of links) await expect.poll(async () => [link, (await fetch(link)).status]).toEqual([link, 200])
    expectNoComplaints()
  })

  it('takes a verification from the form to its acknowledged result', async () => {
    const page = await open(service)
    // where keys are somebody's own, none is filled in
    expect(await page.getByRole('button', { name: 'An impostor' }).isVisible()).toBe(false)
    await fill(page, 5)
    await page.getByRole('button', { name: 'Submit the verification' }).click()
    const outcome = page.locator('.outcome h3')
    await outcome.waitFor({ timeout: 60_000 })

    const client = new VerificationClient(system)
    const [result] = (await client.results()).body.results.filter(({ citizen_code }) => citizen_code === 'PAGE-5-5')
    const titles: Record<string, string> = { verified: 'Verified', pending_review: 'To be reviewed', rejected: 'Rejected' }
    expect(await outcome.textContent()).toBe(titles[result?.outcome ?? ''])
    expect(await page.locator('#result').textContent()).toContain(result?.job_id)
    expect(await page.locator('#result meter').count()).toBe(Object.keys(result?.scores ?? {}).length)

    await page.getByRole('button', { name: 'Acknowledge the result' }).click()
    await page.getByText('Acknowledged: the service has erased it.').waitFor()
    expect((await client.results()).body.results.map(({ job_id }) => job_id)).not.toContain(result?.job_id)
    expectNoComplaints()
  })

  // one layout shows how the pages behave; what comes through the processes of the other is shown above
  if (layout === 'split') return

  it('says so when the gateway stops answering', async () => {
    const page = await open(landing, { alsoKnown: ['ERR_FAILED'] })
    await expect.poll(() => page.getByRole('status').textContent()).toBe('All 5 components are working.')
    await page.route('**/graphql', (route) => route.abort())
    await expect.poll(() => page.getByRole('status').textContent()).toBe('The gateway does not answer.')
    expect(await page.locator('[data-component] .state').allTextContents()).toEqual(Array(5).fill('No answer'))
    expectNoComplaints()
  })

  it('runs GraphiQL’s first query, and sends the headers of its header editor', async () => {
    const page = await open(`${landing}graphiql`, { alsoKnown: ['400'] })
    for (const name of ['Operation', 'Headers']) await page.getByRole('textbox', { name }).waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Execute query' }).click()
    const answer = page.locator('.result-window')
    await expect.poll(() => answer.textContent()).toContain('"workersActive": 1')

    // GraphiQL reads what was typed a moment later; the tab then bears the operation's name.
    const ask = async (name: string, operation: string): Promise<void> => {
      await page.locator('.graphiql-query-editor .CodeMirror').click()
      await page.keyboard.press('Control+A')
      await page.keyboard.insertText(operation)
      await page.getByRole('tab', { name }).waitFor()
      await page.keyboard.press('Control+Enter')
    }
    await ask('Waiting', 'query Waiting { verificationResults(first: 1) { totalCount } }')
    await expect.poll(() => answer.textContent()).toContain('UNAUTHENTICATED')
    await page.locator('.graphiql-editor-tool .CodeMirror:visible').click()
    await page.keyboard.insertText(JSON.stringify({ 'X-Service-API-Key': system.apiKey }))
    await ask('Mine', 'query Mine { verificationResults(first: 1) { totalCount } }')
    await expect.poll(() => answer.textContent()).toContain('"totalCount": 0')
    expect(await page.evaluate<string>('JSON.stringify(localStorage)')).not.toContain(system.apiKey)

    await ask('Finished', 'subscription Finished { verificationFinished(after: 0) { job { citizen { code } } } }')
    await page.getByRole('button', { name: 'Stop query' }).waitFor()
    const client = new VerificationClient(system)
    const { job_id } = (await client.submit(await jobOf(5, { citizen_code: 'WATCHED' }))).body
    await expect.poll(() => answer.textContent()).toContain('"WATCHED"')
    await client.acknowledge([job_id])
    expectNoComplaints()
  })

  it('has an example per component in GraphiQL, signs in for them, and keeps what was typed over a reload, for this tab alone', async () => {
    const page = await open(`${landing}graphiql`, { alsoKnown: ['400'] })
    const answer = page.locator('.result-window')
    const example = async (name: RegExp): Promise<void> => {
      await page.locator('#examples summary').click()
      await page.getByRole('link', { name }).click()
      await page.getByRole('button', { name: 'Execute query' }).click()
    }
    await example(/^Verification/)
    await expect.poll(() => answer.textContent()).toContain('UNAUTHENTICATED')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByLabel('API key').fill(system.apiKey)
    await page.getByRole('button', { name: 'Use this key' }).click()
    await page.getByText('With an API key').waitFor()
    await page.getByRole('button', { name: 'Execute query' }).click()
    await expect.poll(() => answer.textContent()).toContain('"totalCount"')

    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    const account = JSON.parse(await readFile(join(system.dataDir, 'credentials.json'), 'utf8')).super_admin
    await page.getByLabel('E-mail').fill(account.email)
    await page.getByLabel('Password').fill('wrong')
    await page.getByRole('button', { name: 'Sign in with this account' }).click()
    await expect.poll(() => page.getByRole('alert').textContent()).toMatch(/credentials|password/i)
    await page.getByLabel('Password').fill(account.password)
    await page.getByRole('button', { name: 'Sign in with this account' }).click()
    await page.getByText(account.email).waitFor()
    await example(/^Administration/)
    await expect.poll(() => answer.textContent()).toContain('"SUPER_ADMIN"')
    for (const name of [/^Exploration/, /^Classification/, /^Content/]) {
      await example(name)
      await expect.poll(() => answer.textContent()).toContain('"data"')
    }

    await page.locator('.graphiql-editor-tool .CodeMirror:visible').click()
    await page.getByRole('button', { name: 'Headers' }).click()
    await page.locator('.graphiql-editor-tool .CodeMirror:visible').click()
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText('{"X-Typed": "before the reload"}')
    const kept = () => page.evaluate<string>('JSON.stringify({ ...sessionStorage })')
    await expect.poll(kept).toContain('before the reload')
    await page.reload()
    await page.getByText(account.email).waitFor()
    await expect.poll(() => page.locator('.graphiql-editor-tool').textContent()).toContain('before the reload')
    expect(await page.evaluate<string>('JSON.stringify({ ...localStorage })')).not.toMatch(/before the reload|eyJ/)
    expectNoComplaints()
  })

  it('says in plain words why another person’s selfie is rejected', async () => {
    const page = await open(service)
    await fill(page, 5, 23)
    await page.getByRole('button', { name: 'Submit the verification' }).click()
    await page.locator('.outcome').waitFor({ timeout: 60_000 })
    expect(await page.locator('.outcome h3').textContent()).toBe('Rejected')
    expect(await page.locator('#result li').first().textContent()).toBe('The face on the selfie is not the face on the document.')
    expectNoComplaints()
  })

  it('takes photographs as cameras make them: forty megapixels, lying on their side; and such as are dropped onto their field', async () => {
    const page = await open(service)
    await fill(page, 5)
    // the noise of a large sensor: too many bytes for the service
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
    const face = await sharp(Buffer.from(await selfieOf(5), 'base64'))
      .resize({ width: 5400, height: 7000, fit: 'inside' })
      .toBuffer()
    const upright = await sharp({ create: { width: 5400, height: 7400, channels: 3, background: '#888', noise } })
      .composite([{ input: face }])
      .jpeg({ quality: 95 })
      .toBuffer()
    const large = await sharp(upright).rotate(-90).withMetadata({ orientation: 6 }).jpeg({ quality: 100 }).toBuffer()
    expect(large.length).toBeGreaterThan(5 * 1024 * 1024)
    await page.getByLabel('Selfie').setInputFiles({ name: 'camera.jpg', mimeType: 'image/jpeg', buffer: large })
    await page.getByText('it is made smaller before it is sent').waitFor()
    const { cni_verso_b64: back } = await jobOf(5)
    await page.evaluate(`(async () => {
      const dataTransfer = new DataTransfer()
      const bytes = Uint8Array.from(atob('${back}'), (character) => character.charCodeAt(0))
      dataTransfer.items.add(new File([bytes], 'dropped.jpg', { type: 'image/jpeg' }))
      document.querySelector('#document-back').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    })()`)
    expect(await page.locator('#document-back').evaluate((input: { files?: { name: string }[] }) => input.files?.[0]?.name)).toBe(
      'dropped.jpg',
    )
    const [sent] = await Promise.all([
      page.waitForRequest('**/jobs/submit'),
      page.getByRole('button', { name: 'Submit the verification' }).click(),
    ])
    const job = sent.postDataJSON() as { readonly selfie_b64: string; readonly cni_verso_b64: string }
    expect(job.cni_verso_b64).toBe(back)
    const arrived = Buffer.from(job.selfie_b64, 'base64')
    const { width, height, orientation = 1 } = await sharp(arrived).metadata()
    expect([arrived.length <= 5 * 1024 * 1024, height > width, orientation]).toEqual([true, true, 1])
    await page.locator('.outcome').waitFor({ timeout: 60_000 })
    expectNoComplaints()
  })

  it('names the field that the service refuses', async () => {
    const page = await open(service, { alsoKnown: ['401', '422'] })
    await fill(page, 5)
    await page.getByLabel('API key').fill('wrong')
    await page.getByRole('button', { name: 'Submit the verification' }).click()
    await page.locator('#api-key[aria-invalid=true]').waitFor()
    expect(await page.locator('#api-key-problem').textContent()).toBe('The service does not know this API key.')

    await page.getByLabel('API key').fill(system.apiKey)
    await page.route('**/jobs/submit', (route) => {
      const job = JSON.parse(route.request().postData() ?? '') as { declared_identity: object }
      return route.continue({ postData: JSON.stringify({ ...job, declared_identity: { ...job.declared_identity, last_name: 7 } }) })
    })
    await page.getByRole('button', { name: 'Submit the verification' }).click()
    await page.locator('#last-name[aria-invalid=true]').waitFor()
    expect(await page.locator('#problems a').allTextContents()).toEqual([
      'Last name: Input should be a valid string (body.declared_identity.last_name)',
    ])
    expect(await page.evaluate('document.activeElement.id')).toBe('problems')
    expect(await page.locator('#api-key').getAttribute('aria-invalid')).toBeNull()
    expectNoComplaints()
  })

  it('says what is missing before anything is sent, and leads to each field', async () => {
    const page = await open(service)
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
    await page.getByLabel('API key').focus()
    await page.keyboard.press('Enter')
    expect(await page.locator('#problems a').allTextContents()).toEqual([
      'Fill in: API key',
      'Fill in: First name',
      'Fill in: Last name',
      'Fill in: Citizen code',
      'Fill in: Issuing country',
      'Choose an image for: Selfie',
      'Choose an image for: Document, front',
    ])
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('api-key')
    expect(sent).toEqual([])
    expectNoComplaints()
  })

  it('tries operations on /docs: with a key, and with the account that development fills in', async () => {
    const tryOut = async (page: Page, path: string, answer: string): Promise<void> => {
      const operation = page.locator('.opblock', { has: page.locator(`[data-path="${path}"]`) })
      await operation.locator('.opblock-summary-control').click()
      await operation.getByRole('button', { name: 'Try it out' }).click()
      await operation.getByRole('button', { name: 'Execute' }).click()
      await expect.poll(() => operation.locator('.live-responses-table').textContent()).toContain(answer)
    }
    const page = await open(`${service}docs`)
    await page.getByRole('button', { name: 'Authorize' }).click()
    await page.locator('.auth-container', { hasText: 'serviceKey' }).getByRole('textbox').fill(system.apiKey)
    await page.locator('.auth-container', { hasText: 'serviceKey' }).getByRole('button', { name: 'Apply credentials' }).click()
    await page.locator('.auth-btn-wrapper').getByRole('button', { name: 'Close' }).first().click()
    await tryOut(page, '/jobs/results', 'total_ready')

    const administration = await open(`${system.rest.administration}/docs`)
    await administration.getByRole('button', { name: 'Sign in' }).click()
    await administration.getByRole('button', { name: 'Sign in with this account' }).click()
    await administration.getByRole('button', { name: 'Sign out' }).waitFor()
    await tryOut(administration, '/auth/me', 'super_admin')
    await tryOut(administration, '/auth/login', 'access_token')
    expectNoComplaints()
  })

  it('breaks no rule of axe on any /docs, with every operation open and tried', async () => {
    const axe = await readFile(join(import.meta.dirname, '../../../node_modules/axe-core/axe.min.js'), 'utf8')
    // what differs between components is not their colours
    for (const url of documentation)
      for (const colorScheme of url === `${service}docs` ? (['light', 'dark'] as const) : (['light'] as const)) {
        const page = await open(url, { colorScheme })
        const clickAll = async (controls: string, then: string): Promise<void> => {
          await page.locator(controls).last().waitFor()
          await page.evaluate(`for (const each of document.querySelectorAll('${controls}')) each.click()`)
          await page.locator(then).last().waitFor()
        }
        await clickAll('.opblock-summary-control', '.try-out__btn')
        await clickAll('.try-out__btn', '.execute')
        await clickAll('[id$="-getHealth"] .execute', '[id$="-getHealth"] .live-responses-table .download-contents')
        await page.evaluate(axe)
        const broken = await page.evaluate<{ id: string; html: string[] }[]>(
          'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => ({ id, html: nodes.map(({ html }) => html) })))',
        )
        expect([url, colorScheme, broken]).toEqual([url, colorScheme, []])
      }
    expectNoComplaints()
  })

  it('can be used with the keyboard alone: Tab reaches everything, and shows where it is', async () => {
    for (const url of [landing, service, `${service}docs`]) {
      const page = await open(url)
      await page.waitForLoadState('networkidle', { timeout: 2000 }).catch(() => undefined)
      const all = await page.evaluate<number>(
        `[...document.querySelectorAll('a[href], button:enabled, input, select, summary')]
          .filter((each) => each.tabIndex >= 0 && each.checkVisibility()).map((each, index) => each.dataset.stop = index).length`,
      )
      const reached = new Set<string>()
      for (let presses = 0; presses < 3 * all + 10 && reached.size < all; presses++) {
        await page.keyboard.press('Tab')
        const [stop, outline] = await page.evaluate<[string, string]>(
          `[document.activeElement.dataset.stop ?? '', getComputedStyle(document.activeElement).outlineStyle]`,
        )
        if (stop === '') continue
        reached.add(stop)
        expect([url, stop, outline]).toEqual([url, stop, 'solid'])
      }
      expect([url, reached.size]).toEqual([url, all])
    }
    expectNoComplaints()
  })

  it('fits a screen of 320 pixels', async () => {
    for (const url of [landing, service, ...documentation]) {
      const page = await open(url, { viewport: { width: 320, height: 640 } })
      expect([url, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([url, 320])
    }
    expectNoComplaints()
  })

  it('describes for every operation which credentials open it', async () => {
    for (const address of Object.values(system.rest)) {
      const { paths, components } = (await (await fetch(`${address}/openapi.json`)).json()) as Description
      const known = Object.keys(components.securitySchemes ?? {})
      const named = Object.values(paths).flatMap((methods) => Object.values(methods).flatMap(({ security = [] }) => security))
      expect(new Set(named.flatMap((each) => Object.keys(each)))).toEqual(new Set(known))
      for (const [path, methods] of Object.entries(paths))
        for (const [method, { security = [] }] of Object.entries(methods)) {
          const response = await fetch(address + path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000'), {
            method: method.toUpperCase(),
            ...(method === 'post' && { headers: { 'content-type': 'application/json' }, body: '{}' }),
          })
          const missesKey = response.status === 422 && (await response.text()).includes('"X-Service-API-Key"')
          expect([address, method, path, response.status === 401 || missesKey]).toEqual([address, method, path, security.length > 0])
        }
    }
  })

  it('runs no script that is not a file of its own', async () => {
    for (const url of [landing, `${landing}graphiql`, service, `${service}docs`]) {
      const response = await fetch(url)
      const policy = response.headers.get('content-security-policy') ?? ''
      expect(policy).toMatch(/default-src 'none'; script-src 'self';/)
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toMatch(/https?:|unsafe-eval|\*/)
      expect((await response.text()).match(/<script(?![^>]*src="\/)|<style|\son\w+=|https:\/\//g)).toBeNull()
    }
  })
})

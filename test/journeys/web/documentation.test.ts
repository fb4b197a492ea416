import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brokenRules } from '../../support/clients/axe.ts'
import { chromiumPath, type PageOptions, startBrowser } from '../../support/clients/browser.ts'
import { answerOf, openedOn, operationOn, unfoldAll } from '../../support/clients/documentation-page.ts'
import { KeyboardUser } from '../../support/clients/keyboard-user.ts'
import { watchedPages } from '../../support/clients/watched-pages.ts'
import type { Platform } from '../../support/processes/platform.ts'
import { sharedPlatform } from '../../support/processes/shared-platform.ts'

const hostile = '<img src=x onerror="globalThis.isHurt = true"><script>globalThis.isHurt = true</script>'

/** A document with features that the platform's documents lack. */
const anyDocument = {
  openapi: '3.1.0',
  info: {
    title: `Things ${hostile}`,
    version: '2.1',
    description: `Of **things**. ${hostile} [here](javascript:alert)`,
    contact: { name: 'The maintainers', email: 'things@example.org' },
    license: { name: 'A licence', url: 'javascript:alert(1)' },
  },
  paths: {
    '/things/{id}': {
      get: {
        operationId: 'getThing',
        tags: ['All things'],
        summary: 'One of them',
        deprecated: true,
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'limit', in: 'query', required: true, schema: { type: 'integer', minimum: 1, maximum: 10, default: 5 } },
          { name: 'colour', in: 'query', schema: { type: 'string', enum: ['red', 'blue'] } },
          { name: 'tags', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
          { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
        ],
        responses: { 200: { description: 'OK', content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } } },
        security: [{ key: [] }],
      },
    },
    '/things': {
      post: {
        operationId: 'makeThing',
        tags: ['All things'],
        summary: 'Makes one',
        requestBody: { required: true, content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
        responses: { 201: { description: 'Made' } },
      },
    },
    '/pictures': {
      post: {
        operationId: 'keepPicture',
        summary: 'Stores a picture',
        requestBody: {
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                required: ['picture'],
                properties: { picture: { type: 'string', format: 'binary' }, note: { type: 'string' } },
              },
            },
          },
        },
        responses: { 200: { description: 'OK' } },
      },
    },
  },
  components: {
    schemas: {
      Thing: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', maxLength: 20, description: hostile },
          weight: { type: ['number', 'null'], minimum: 0 },
          made: { type: 'string', format: 'date-time', readOnly: true },
          parts: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
          of: { oneOf: [{ type: 'object', properties: { wood: { type: 'string' } } }, { type: 'string' }] },
        },
        additionalProperties: { type: 'object', properties: { more: { type: 'boolean' } } },
      },
    },
    securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'api_key' } },
  },
}

const [described, about] =
  chromiumPath === undefined ? [describe.skip, 'the documentation: SKIPPED, this machine has no Chromium'] : [describe, 'the documentation']

described(about, () => {
  let system: Platform
  let browser: Browser
  const watched = watchedPages(() => browser, { isQuiet: true })
  beforeAll(async () => {
    ;[system, browser] = await Promise.all([sharedPlatform('one'), startBrowser()])
  })
  afterAll(() => browser?.close())

  const begin = watched.open
  const at = (place = ''): string => `${system.rest.verification}/docs${place}`
  /** `/docs` of any document. */
  const beginAny = async (place = '', options: PageOptions = {}): Promise<Page> => {
    const page = await begin(options)
    await page.route('**/openapi.json', (route) => route.fulfill({ json: anyDocument }))
    await page.goto(at(place))
    await page.getByRole('heading', { level: 1, name: 'Things' }).waitFor()
    return page
  }
  const isOpen = (operation: Locator): Promise<string | null> => operation.locator('h3 > button').getAttribute('aria-expanded')

  it('filters operations by words, shows their number, and resets the filter', async () => {
    const page = await begin()
    await page.goto(at())
    await page.getByRole('heading', { level: 1, name: 'Biometric' }).waitFor()
    const all = await page.locator('h3 > button').count()
    await page.getByLabel('Search operations').fill('batch SUBMIT')
    await page.getByText('1 operation', { exact: true }).waitFor()
    expect(await page.locator('h3 > button:visible').allTextContents()).toEqual([expect.stringContaining('/jobs/submit-batch')])
    await page.getByLabel('Search operations').fill('nothing like it')
    await page.getByText('0 operations').waitFor()
    await page.getByLabel('Search operations').fill('')
    await expect.poll(() => page.locator('h3 > button:visible').count()).toBe(all)
  })

  it('opens the operation of an earlier link, has open operations in its address, and copies the link of one', async () => {
    const page = await begin({ permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(at('#/Jobs/submitJob'))
    const submit = operationOn(page, 'POST', '/jobs/submit')
    await expect.poll(() => isOpen(submit)).toBe('true')
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('/jobs/submit')
    await openedOn(page, 'GET', '/queue')
    await expect.poll(() => new URL(page.url()).hash).toBe('#/Jobs/submitJob&/Health/getQueueMetrics')
    await page.reload()
    for (const operation of [submit, operationOn(page, 'GET', '/queue')]) await expect.poll(() => isOpen(operation)).toBe('true')

    await operationOn(page, 'GET', '/queue').getByRole('button', { name: 'Copy link' }).click()
    await page.getByText('Copied.').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(at('#/Health/getQueueMetrics'))

    await page.getByLabel('Search operations').fill('batch')
    await page.evaluate('location.hash = "#/Jobs/getJob"')
    await expect.poll(() => isOpen(operationOn(page, 'GET', '/jobs/{job_id}'))).toBe('true')
    await expect.poll(() => isOpen(submit)).toBe('false')
    // a tag with spaces, as in such links
    const any = await beginAny('#/All%20things/makeThing')
    await expect.poll(() => isOpen(operationOn(any, 'POST', '/things'))).toBe('true')
  })

  it('reports a link to an unknown operation, as text', async () => {
    const page = await begin()
    await page.goto(at('#/Jobs/%3Cimg%20src=x%3E'))
    await page.getByRole('status').filter({ hasText: 'The link refers to Jobs/<img src=x>, which is not in this document.' }).waitFor()
    await page.getByLabel('Search operations').fill('submit-batch')
    await page.getByRole('status').filter({ hasText: '1 operation' }).waitFor()
  })

  it('links from an operation to other credentials, beside those in use', async () => {
    const page = await begin()
    await page.route('**/docs/development.json', (route) => route.fulfill({ json: { key: 'a-key' } }))
    await page.goto(at('#/Jobs/submitJob'))
    const submit = operationOn(page, 'POST', '/jobs/submit')
    await submit.getByText('In use').waitFor()
    await submit.getByRole('button', { name: 'Authorize' }).click()
    await page.getByRole('dialog', { name: 'Authorize' }).waitFor()
  })

  it('names the invalid fields before sending, focuses the first, and sends anyway on request', async () => {
    const page = await begin({ expectedErrors: ['422', '401'] })
    await page.goto(at('#/Jobs/submitJob'))
    const submit = operationOn(page, 'POST', '/jobs/submit')
    const body = submit.getByLabel('Body')
    await body.fill('{"citizen_code": "C", "priority": "soon",}')
    const sent: string[] = []
    page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`))
    await submit.getByRole('button', { name: 'Execute' }).click()
    expect(await submit.getByRole('alert').textContent()).toContain('body: is not valid JSON')
    await body.fill('{"citizen_code": "C", "priority": "soon", "declared_identity": {"first_name": 5}}')
    await submit.getByRole('button', { name: 'Execute' }).click()
    const message = await submit.getByRole('alert').textContent()
    for (const field of [
      'document_type: required',
      'priority: must be one of: normal, high',
      'declared_identity.first_name: must be of type',
    ])
      expect(message).toContain(field)
    expect(await submit.locator('textarea[aria-invalid=true]:focus').count()).toBe(1)
    expect(sent).toEqual([])
    await submit.getByRole('button', { name: 'Send anyway' }).click()
    await answerOf(submit, '422 Unprocessable Entity').waitFor()
    expect(sent).toEqual(['POST /jobs/submit'])
  })

  it('sends the input where the document specifies, and only to this listener', async () => {
    const page = await beginAny('#/All%20things/getThing')
    await page.route('**/things/**', (route) => route.fulfill({ json: {} }))
    const get = operationOn(page, 'GET', '/things/{id}')
    await get.getByText('deprecated').first().waitFor()
    await get.getByLabel(/^id/).fill('a/b')
    await get.getByLabel(/^limit/).fill('11')
    await get.getByRole('button', { name: 'Execute' }).click()
    await get.getByRole('alert').getByText('limit: must be 10 or less.').waitFor()
    await get.getByLabel(/^limit/).fill('7')
    await get.getByRole('button', { name: /^not sent colour/ }).click()
    await page.getByRole('option', { name: 'blue' }).click()
    await get.getByLabel(/^tags/).fill('one\ntwo')
    await get.getByLabel(/^X-Trace/).fill('mine')
    await get.getByRole('button', { name: 'Authorize' }).click()
    await page.getByLabel('Key', { exact: true }).fill('the-secret')
    await page.getByRole('button', { name: 'Use for key' }).click()
    await page.getByRole('button', { name: 'Close' }).click()

    const sent = page.waitForRequest('**/things/**')
    await get.getByRole('button', { name: 'Execute' }).click()
    await answerOf(get, '200 OK').waitFor()
    expect((await sent).url()).toBe(`${system.rest.verification}/things/a%2Fb?limit=7&colour=blue&tags=one&tags=two&api_key=the-secret`)
    expect((await sent).headers()).toMatchObject({ 'x-trace': 'mine', accept: 'application/json' })

    await get.getByText('curl command').click()
    const command = await get.getByRole('group', { name: 'curl command' }).textContent()
    expect(command).toContain(`curl -X GET '${system.rest.verification}/things/a%2Fb?limit=7&colour=blue&tags=one&tags=two'"&api_key=$KEY"`)
    expect(await get.textContent()).not.toContain('the-secret')
  })

  it('sends a form with a file, with an input named after the field', async () => {
    const page = await beginAny('#/default/keepPicture')
    await page.route('**/pictures', (route) => route.fulfill({ status: 413, json: { detail: 'The body is too large' } }))
    const operation = operationOn(page, 'POST', '/pictures')
    await operation.getByRole('button', { name: 'Execute' }).click()
    await operation.getByRole('alert').getByText('picture: required.').waitFor()
    expect(await operation.locator('input[type=file]:focus').count()).toBe(1)
    await operation.getByLabel(/^picture/).setInputFiles({ name: 'mine.png', mimeType: 'image/png', buffer: Buffer.from('a picture') })
    await operation.getByLabel(/^note/).fill('of me')
    const sent = page.waitForRequest('**/pictures')
    await operation.getByRole('button', { name: 'Execute' }).click()
    expect((await sent).headers()['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    await answerOf(operation, '413').waitFor()
    await expect.poll(() => operation.getByRole('group', { name: 'Response body' }).textContent()).toContain('The body is too large')
    expect(watched.complaints()).toEqual([expect.stringContaining('413')])
  })

  it('waits for a slow response until it is cancelled, and reports a missing response', async () => {
    const page = await begin({ expectedErrors: ['ERR_FAILED', '503'] })
    await page.clock.install()
    await page.route('**/queue', () => undefined)
    await page.goto(at('#/Health/getQueueMetrics'))
    const queue = operationOn(page, 'GET', '/queue')
    const execute = queue.getByRole('button', { name: 'Execute' })
    await execute.click()
    await queue.getByRole('button', { name: 'Cancel' }).click()
    await queue.getByText('Cancelled.').waitFor()
    await expect.poll(() => queue.locator('button:focus').textContent()).toBe('Execute')
    await execute.click()
    await queue.getByText('Waiting for the response').waitFor()
    await page.clock.fastForward('01:01')
    await queue.getByText('There was no response within 60 seconds.').waitFor()
    await page.unroute('**/queue')
    await page.route('**/queue', (route) => route.abort())
    await execute.click()
    await queue.getByText('The service did not respond. Check that it is running').waitFor()
    await page.unroute('**/queue')
    await page.route('**/queue', (route) => route.fulfill({ status: 503, headers: { 'retry-after': '5' }, json: { detail: 'Down' } }))
    await execute.click()
    await answerOf(queue, '503 Service Unavailable').waitFor()
    await expect.poll(() => queue.getByRole('group', { name: 'Response body' }).textContent()).toContain('"detail": "Down"')
  })

  it('shows the beginning of a large response at once, and saves all of it', async () => {
    const page = await beginAny('#/All%20things/makeThing')
    const large = JSON.stringify(Array.from({ length: 100_000 }, (_, id) => ({ id, text: 'of some length, to come to 5 MB' })))
    expect(large.length).toBeGreaterThan(5_000_000)
    await page.route('**/things', (route) => route.fulfill({ contentType: 'application/json', body: large }))
    const createThing = operationOn(page, 'POST', '/things')
    await page.evaluate(`{
      globalThis.longest = 0
      new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) longest = Math.max(longest, duration) }).observe({ type: 'longtask' })
    }`)
    await createThing.getByRole('button', { name: 'Execute' }).click()
    await createThing.getByText('The first 100,000 characters are shown.').waitFor()
    expect((await createThing.getByRole('group', { name: 'Response body' }).textContent())?.length).toBe(100_000)
    // in milliseconds; a test machine may be many times slower
    expect(await page.evaluate<number>('longest')).toBeLessThan(2000)
    const [file] = await Promise.all([page.waitForEvent('download'), createThing.getByRole('button', { name: 'Save as a file' }).click()])
    expect(file.suggestedFilename()).toBe('makeThing.json')
  })

  it('accepts a body with an image of several megabytes', async () => {
    const page = await begin()
    await page.route('**/jobs/submit', (route) => route.fulfill({ status: 202, json: {} }))
    await page.goto(at('#/Jobs/submitJob'))
    const submit = operationOn(page, 'POST', '/jobs/submit')
    const body = submit.getByLabel('Body')
    await body.fill(JSON.stringify({ ...JSON.parse(await body.inputValue()), selfie_b64: 'A'.repeat(4_000_000) }))
    const sent = page.waitForRequest('**/jobs/submit')
    await submit.getByRole('button', { name: 'Execute' }).click()
    await answerOf(submit, '202 Accepted').waitFor()
    expect((await sent).postDataJSON().selfie_b64).toHaveLength(4_000_000)
  })

  it('shows a picture as an image, and hostile content as text', async () => {
    const page = await beginAny('#/All%20things/makeThing')
    const createThing = operationOn(page, 'POST', '/things')
    await page.route('**/things', (route) => route.fulfill({ contentType: 'text/html', body: hostile }))
    await createThing.getByRole('button', { name: 'Execute' }).click()
    await expect.poll(() => createThing.getByRole('group', { name: 'Response body' }).textContent()).toBe(hostile)
    await page.unroute('**/things')
    const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>globalThis.isHurt = true</script></svg>'
    await page.route('**/things', (route) => route.fulfill({ contentType: 'image/svg+xml', body: picture }))
    await createThing.getByRole('button', { name: 'Execute' }).click()
    await createThing.getByRole('img', { name: 'Response from makeThing' }).waitFor()
    await unfoldAll(page)
    expect(await page.evaluate('globalThis.isHurt')).toBeUndefined()
    expect(await page.getByRole('link', { name: 'A licence' }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'The maintainers' }).getAttribute('href')).toBe('mailto:things@example.org')
    expect(await page.locator('main a[href^="javascript:"], main script').count()).toBe(0)
  })

  it('expands a schema with all its keywords, and stops at a recursion', async () => {
    const page = await beginAny('#/All%20things/makeThing')
    await unfoldAll(page)
    const schemas = await page.getByRole('region', { name: 'Schemas' }).textContent()
    for (const text of [
      'name string required',
      'maxLength: 20',
      'number or null',
      'read only',
      'array of Thing',
      'see above',
      'Exactly one of:',
      'any other name',
    ])
      expect(schemas?.replace(/\s+/g, ' ')).toContain(text)
  })

  it('reports a document that did not load, and loads it again', async () => {
    const page = await begin({ expectedErrors: ['503', 'ERR_FAILED'] })
    await page.route('**/openapi.json', (route) => route.fulfill({ status: 503 }))
    await page.goto(at())
    await page.getByRole('alert').getByText('503').waitFor()
    await page.unroute('**/openapi.json')
    await page.route('**/openapi.json', (route) => route.fulfill({ json: {} }))
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('alert').getByText('no OpenAPI document').waitFor()
    await page.unroute('**/openapi.json')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Biometric verification service' }).waitFor()
  })

  it('shows Arabic from right to left around an English document, and retains open operations and input while the language changes', async () => {
    const page = await begin()
    await page.goto(at('#/Jobs/getJob'))
    const get = operationOn(page, 'GET', '/jobs/{job_id}')
    await get.getByLabel(/^job_id/).fill('mine')
    await page.getByRole('button', { name: 'العربية' }).click()
    await get.getByRole('button', { name: 'تنفيذ' }).waitFor()
    expect(await get.getByLabel(/^job_id/).inputValue()).toBe('mine')
    // everything except the text of the document
    expect(await page.evaluate('getComputedStyle(document.querySelector("main")).direction')).toBe('rtl')
    expect(await page.locator('[lang=en][dir=ltr]').filter({ hasText: 'Status of one job' }).count()).toBe(1)
    const untranslated = await page.evaluate(`[...document.querySelectorAll('main *, header *')]
      .filter((each) => each.checkVisibility() && each.closest('[lang=en], code, bdi, pre, [lang=fr], .method, .wordmark') === null)
      .flatMap((each) => [...each.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ textContent }) => textContent.trim()))
      .filter((text) => /^[A-Za-z]{4,} [a-z]+/.test(text))`)
    expect(untranslated).toEqual([])
  })

  it.each([
    ['fr', 'ltr', 'Autoriser', 'Adresse électronique'],
    ['en', 'ltr', 'Authorize', 'Email address'],
    ['ar', 'rtl', 'التفويض', 'البريد الإلكتروني'],
  ])('has its own text in %s', async (language, direction, authorize, email) => {
    const page = await begin()
    await page.goto(at(`?lang=${language}`))
    await page.getByRole('button', { name: authorize }).first().click()
    await page.getByLabel(email).waitFor()
    expect(await page.evaluate('[document.documentElement.lang, getComputedStyle(document.querySelector("header")).direction]')).toEqual([
      language,
      direction,
    ])
  })

  it.each([
    ['light', 'en', 1280],
    ['dark', 'en', 320],
    ['light', 'ar', 320],
    ['dark', 'ar', 1920],
  ] as const)('passes axe in %s and %s at %i pixels, with all operations of a document open', async (colorScheme, language, width) => {
    const page = await beginAny(`?lang=${language}`, { colorScheme, viewport: { width, height: 800 } })
    await page.route('**/things', (route) => route.fulfill({ json: { name: 'a chair' } }))
    await page.evaluate(`for (const each of document.querySelectorAll('h3 > button')) each.click()`)
    await unfoldAll(page)
    const createThing = operationOn(page, 'POST', '/things')
    await createThing.locator('[type=submit]').click()
    await answerOf(createThing, '200 OK').waitFor()
    // with the errors in it
    await operationOn(page, 'POST', '/pictures').locator('[type=submit]').click()
    await page.getByRole('alert').first().waitFor()
    expect(await brokenRules(page, ['target-size'])).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
  })

  it('is usable with the keyboard only: an operation is found, opened and tried, and a key typed and removed', async () => {
    const page = await begin()
    const me = await KeyboardUser.at(page)
    await page.goto(at('?lang=en'))
    await page.getByRole('heading', { level: 1, name: 'Biometric' }).waitFor()
    await me.go('searchbox', 'Search operations')
    await me.type('process responds')
    await me.announces('1 operation')
    await me.go('button', '/health/live')
    await me.press('Enter')
    await me.go('button', 'Execute')
    await me.press('Enter')
    await me.announces('200 OK')
    await me.go('group', 'Response body')

    await me.go('button', 'Authorize', { key: 'Shift+Tab', within: 20 })
    await me.press('Enter')
    await me.go('textbox', 'Key')
    await me.type('mine')
    await me.press('Enter')
    await me.isAt('button', 'Remove serviceKey')
    await me.press('Enter')
    await me.isAt('textbox', 'Key')
    await me.press('Escape')
    await me.isAt('button', 'Authorize')
  })
})

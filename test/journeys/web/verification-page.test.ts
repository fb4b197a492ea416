import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brokenRules } from '../../support/clients/axe.ts'
import { chromiumPath, type PageOptions, startBrowser, watchedPage } from '../../support/clients/browser.ts'
import { VerificationClient } from '../../support/clients/verification-client.ts'
import { watchedPages } from '../../support/clients/watched-pages.ts'
import { layouts, type Platform, type System } from '../../support/processes/platform.ts'
import { sharedPlatform } from '../../support/processes/shared-platform.ts'
import { startSystem } from '../../support/processes/start-system.ts'
import { drawnPerson, jobOf, selfieOf } from '../../support/samples/people.ts'

const [described, about] =
  chromiumPath === undefined
    ? [describe.skip, 'the page of verification: SKIPPED, this machine has no Chromium']
    : [describe, 'the page of verification in Chromium']

let browser: Browser
const watched = watchedPages(() => browser)
beforeAll(async () => {
  if (chromiumPath !== undefined) browser = await startBrowser()
})
afterAll(() => browser?.close())

const openAt = async (platform: Platform, query = '', options: PageOptions = {}): Promise<Page> => {
  const page = await watched.open(options)
  await page.goto(`${platform.rest.verification}/${query}`)
  return page
}
/** After every test: its pages requested no other origin and logged no error. */
const expectNoComplaints = (): void => {
  expect(watched.complaints()).toEqual([])
}
const send = (page: Page) => page.getByRole('button', { name: 'Submit' })
const outcome = (page: Page) => page.locator('.outcome h1')
const problems = (page: Page) => page.locator('#problems li').allTextContents()
const choose = async (page: Page, name: string, content: Buffer): Promise<void> => {
  await page
    .locator(`[data-photograph=${name}] input`)
    .first()
    .setInputFiles({ name: 'image.jpg', mimeType: 'image/jpeg', buffer: content })
}

/** Fills in the form for a drawn person. @param selfieSeed - the person in front of the camera */
const fill = async (page: Page, apiKey: string, code: string, seed = 5, selfieSeed = seed): Promise<void> => {
  const job = await jobOf(seed)
  const identity = Object(job.declared_identity)
  for (const [label, value] of [
    ['Service key', apiKey],
    ['Given names', identity.first_name],
    ['Family name', identity.last_name],
    ['Date of birth', identity.date_of_birth],
    ['Citizen code', code],
    ['Issuing country', job.country_code],
  ])
    await page.getByLabel(label).fill(value)
  await page.getByRole('button', { name: /Document type/ }).click()
  await page.getByRole('option', { name: 'National identity card' }).click()
  for (const [name, content] of [
    ['selfie', await selfieOf(selfieSeed)],
    ['front', job.cni_recto_b64],
    ['back', job.cni_verso_b64],
  ])
    await choose(page, String(name), Buffer.from(String(content), 'base64'))
  await expect.poll(() => page.locator('.preview-place img').count()).toBe(3)
}

described.each(layouts)(`${about}, in layout %s`, (layout) => {
  let system: Platform
  beforeAll(async () => {
    system = await sharedPlatform(layout)
  })

  it('leads a verification from the form to its acknowledged result, with live progress', async () => {
    const page = await openAt(system)
    // with configured keys none is prefilled
    expect(await page.getByRole('button', { name: 'An impostor' }).count()).toBe(0)
    await fill(page, system.apiKey, `PAGE-${layout}`)
    const requests: string[] = []
    page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`))
    await send(page).click()
    await outcome(page).waitFor({ timeout: 60_000 })
    expect(requests).toContain('POST /graphql')

    const client = new VerificationClient(system)
    const [result] = (await client.results()).body.results.filter(({ citizen_code }) => citizen_code === `PAGE-${layout}`)
    const titles: Record<string, string> = {
      verified: 'Identity verified',
      pending_review: 'To be reviewed',
      rejected: 'Identity not verified',
    }
    expect(await outcome(page).textContent()).toBe(titles[result?.outcome ?? ''])
    expect(JSON.parse((await page.locator('.answer pre').textContent()) ?? '')).toEqual(result)
    expect(await page.locator('meter').count()).toBe(Object.keys(result?.scores ?? {}).length)

    await page.getByRole('button', { name: 'Acknowledge the result' }).click()
    await page.getByText('You acknowledged the result. The service has erased it.').waitFor()
    expect((await client.results()).body.results.map(({ job_id }) => job_id)).not.toContain(result?.job_id)
    // Back returns to the form with its input
    await page.goBack()
    expect(await page.getByLabel('Citizen code').inputValue()).toBe(`PAGE-${layout}`)
    expectNoComplaints()
  })
})

// one layout suffices for the behaviour of the page; the test above covers both
described(about, () => {
  let system: System
  beforeAll(async () => {
    system = await startSystem({ components: ['verification'] })
  })
  afterAll(() => system?.stop())
  const open = (query?: string, options?: Parameters<typeof openAt>[2]): Promise<Page> => openAt(system, query, options)

  it.each([
    ['A genuine citizen', 'Identity verified', undefined],
    ['An impostor', 'Identity not verified', 'The face in the selfie does not match the face on the document.'],
    ['An expired passport', 'To be reviewed', 'The document has expired.'],
    ['An unreadable card', 'To be reviewed', 'The service could not read the text on the document.'],
  ])('verifies %s by one click: %s', async (kind, title, reason) => {
    const page = await open()
    await page.getByRole('button', { name: kind }).click()
    await outcome(page).waitFor({ timeout: 120_000 })
    expect(await outcome(page).textContent()).toBe(title)
    const reasons = await page.locator('.reasons li').allTextContents()
    if (reason === undefined) expect(reasons).toEqual([])
    else expect(reasons).toContain(reason)
    // the required action and the next step
    await page.getByRole('heading', { name: 'What happens next' }).waitFor()
    expect(await page.getByRole('heading', { name: 'What you can do' }).count()).toBe(reason === undefined ? 0 : 1)
    expect(await page.locator('.looked li').count()).toBeGreaterThan(3)
    expectNoComplaints()
  })

  it('accepts photographs as cameras take them, forty megapixels in landscape with rotation, and dropped or pasted ones', async () => {
    const page = await open()
    await fill(page, system.apiKey, 'LARGE')
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
    await choose(page, 'selfie', large)
    await page.getByText(/Rotated upright\. Reduced to [\d.]+ MB\./).waitFor()
    const small = await sharp(Buffer.from(String((await jobOf(5)).cni_recto_b64), 'base64'))
      .rotate(-90)
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const { cni_verso_b64: back } = await jobOf(5)
    const give = (event: 'drop' | 'paste', base64: string, selector: string): Promise<unknown> =>
      page.evaluate(`(() => {
        const data = new DataTransfer()
        const bytes = Uint8Array.from(atob('${base64}'), (character) => character.charCodeAt(0))
        data.items.add(new File([bytes], 'dropped.jpg', { type: 'image/jpeg' }))
        const place = document.querySelector('${selector}')
        const options = { bubbles: true, cancelable: true }
        place.dispatchEvent('${event}' === 'drop' ? new DragEvent('drop', { ...options, dataTransfer: data }) : new ClipboardEvent('paste', { ...options, clipboardData: data }))
      })()`)
    await give('drop', String(back), '[data-photograph=back]')
    await page.locator('[data-photograph=front] input').first().focus()
    await give('paste', small.toString('base64'), 'body')
    await page.locator('[data-photograph=front]').getByText('Rotated upright.').waitFor()

    const [sent] = await Promise.all([page.waitForRequest('**/jobs/submit'), send(page).click()])
    const job = sent.postDataJSON() as Readonly<Record<'selfie_b64' | 'cni_recto_b64' | 'cni_verso_b64', string>>
    // a suitable file is sent unchanged, byte for byte
    expect(job.cni_verso_b64).toBe(back)
    for (const image of [job.selfie_b64, job.cni_recto_b64]) {
      const arrived = Buffer.from(image, 'base64')
      const { orientation = 1 } = await sharp(arrived).metadata()
      expect([arrived.length <= 5 * 1024 * 1024, orientation]).toEqual([true, 1])
    }
    const { width, height } = await sharp(Buffer.from(job.selfie_b64, 'base64')).metadata()
    expect(height).toBeGreaterThan(width)
    await outcome(page).waitFor({ timeout: 60_000 })

    await page.goBack()
    await choose(page, 'selfie', Buffer.from('no picture at all, and more than a few bytes of it'))
    await page.getByText('Your browser cannot read this file.').waitFor()
    expectNoComplaints()
  })

  it('lists missing fields before sending, and links to each', async () => {
    const page = await open()
    const sent: string[] = []
    page.on('request', (request) => /jobs/.test(request.url()) && sent.push(request.url()))
    await page.getByLabel('Service key').fill('')
    await page.keyboard.press('Enter')
    expect(await problems(page)).toEqual([
      'Service key: enter a value',
      'Given names: enter a value',
      'Family name: enter a value',
      'Citizen code: enter a value',
      'Issuing country: enter a value',
      'Selfie: choose or take a photo',
      'Document, front: choose or take a photo',
    ])
    expect(await page.evaluate('document.activeElement.id')).toBe('problems')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.name')).toBe('key')
    expect(await page.getByLabel('Given names').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Given names').fill('Awa')
    expect(await page.getByLabel('Given names').getAttribute('aria-invalid')).toBeNull()
    // typing does not move the focus
    expect(await page.evaluate('document.activeElement.name')).toBe('firstName')
    await page.getByRole('button', { name: /^Document, front:/ }).click()
    expect(await page.evaluate('document.activeElement.type')).toBe('file')
    expect(sent).toEqual([])
    expectNoComplaints()
  })

  it('names the field that the service refuses', async () => {
    const page = await open('', { expectedErrors: ['401', '422'] })
    await fill(page, 'wrong', 'REFUSED')
    await send(page).click()
    await expect.poll(() => problems(page)).toEqual(['Service key: the service does not recognise this key'])
    await page.getByLabel('Service key').fill(system.apiKey)
    await page.route('**/jobs/submit', (route) => {
      const job = JSON.parse(route.request().postData() ?? '') as { declared_identity: object }
      return route.continue({ postData: JSON.stringify({ ...job, declared_identity: { ...job.declared_identity, last_name: 7 } }) })
    })
    await send(page).click()
    await expect.poll(() => problems(page)).toEqual(['Family name: Input should be a valid string (body.declared_identity.last_name)'])
    expect(await page.getByLabel('Family name').getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByLabel('Service key').getAttribute('aria-invalid')).toBeNull()
    expectNoComplaints()
  })

  it('loses nothing when the connection drops: the input remains, a repeated submission is one job, and the page waits for the result', async () => {
    const page = await open('', { expectedErrors: ['ERR_FAILED', 'ERR_INTERNET'] })
    await fill(page, system.apiKey, 'LOST')
    const keys: (string | undefined)[] = []
    let isDown = true
    // the request arrives, but the response does not
    await page.route('**/jobs/submit', async (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      if (!isDown) return route.continue()
      isDown = false
      await route.fetch()
      return route.abort()
    })
    await send(page).click()
    await expect.poll(() => problems(page)).toEqual([expect.stringMatching(/^The service did not respond\..*verified only once/)])
    expect(await page.getByLabel('Citizen code').inputValue()).toBe('LOST')
    expect(await page.locator('.preview-place img').count()).toBe(3)

    let refused = 0
    await page.route('**/jobs/0*', (route) => (++refused > 3 ? route.continue() : route.abort()))
    // without events the page polls the result
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('subscription') === true ? route.abort() : route.continue(),
    )
    await send(page).click()
    await page.getByText('The service is not responding. This page is trying again.').waitFor()
    await outcome(page).waitFor({ timeout: 60_000 })
    expect([keys.length, new Set(keys).size]).toEqual([2, 1])
    const { body } = await new VerificationClient(system).results()
    expect(body.results.filter(({ citizen_code }) => citizen_code === 'LOST')).toHaveLength(1)
    expectNoComplaints()
  })

  it('reports why the camera is unavailable, and retains the form', async () => {
    const page = await open()
    await page.getByLabel('Given names').fill('Awa')
    await page.locator('[data-photograph=selfie]').getByRole('button', { name: 'Use the camera' }).click()
    const window = page.getByRole('dialog', { name: 'Take a selfie' })
    await window
      .getByRole('alert')
      .getByText(/camera/)
      .waitFor()
    await window.getByRole('button', { name: 'Back to the form' }).click()
    await window.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Given names').inputValue()).toBe('Awa')
    expectNoComplaints()
  })

  it('guides the user of the camera, and uses the photograph', async () => {
    const { selfie } = await drawnPerson(5)
    const picture = await sharp(selfie)
      .resize({ width: 640, height: 480, fit: 'contain', background: '#9aa' })
      .jpeg({ quality: 90 })
      .toBuffer()
    const film = join(system.dataDir, 'film.mjpeg')
    await writeFile(film, Buffer.concat(Array.from({ length: 10 }, () => picture)))
    const filmed = await startBrowser([
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-video-capture=${film}`,
    ])
    try {
      const { page, complaints } = await watchedPage(filmed, { permissions: ['camera'] })
      await page.goto(`${system.rest.verification}/`)
      const take = async (name: string, title: string): Promise<void> => {
        await page.locator(`[data-photograph=${name}]`).getByRole('button', { name: 'Use the camera' }).click()
        await page.getByRole('dialog', { name: title }).waitFor()
      }
      await take('selfie', 'Take a selfie')
      await page.getByText('Good. Hold still and take the photo.').waitFor()
      await page.getByText('About these tips').click()
      await page.getByText('your browser has no face detector').waitFor()
      expect(await brokenRules(page)).toEqual([])
      await page.getByRole('button', { name: 'Take photo' }).click()
      await page.getByRole('img', { name: 'Your photo' }).waitFor()
      await page.getByRole('button', { name: 'Use this photo' }).click()
      await page.locator('[data-photograph=selfie] img').waitFor()
      expect(await page.locator('[data-photograph=selfie] img').evaluate((image: { naturalWidth?: number }) => image.naturalWidth)).toBe(
        640,
      )

      await take('front', 'Take a photo of the document')
      await page.getByText('Put the document in the frame').waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      expect(await page.locator('[data-photograph=front] img').count()).toBe(0)
      expect(complaints).toEqual([])
    } finally {
      await filmed.close()
    }
  })

  it('switches between three languages without losing input; Arabic runs from right to left', async () => {
    const page = await open('?lang=fr')
    await page.getByLabel('Code du citoyen').fill('CIT-7')
    await page.getByLabel('Pays de délivrance').fill('sn')
    await page.getByText('Sénégal').waitFor()
    await page.getByRole('button', { name: 'العربية' }).click()
    await page.getByRole('heading', { name: 'التحقق البيومتري', level: 1 }).waitFor()
    expect(await page.getByLabel('رمز المواطن').inputValue()).toBe('CIT-7')
    await page.getByText('السنغال').waitFor()
    expect(await page.evaluate('[document.documentElement.dir, document.title]')).toEqual(['rtl', 'التحقق البيومتري · Civigraph'])
    await page.getByRole('button', { name: 'منتحل' }).click()
    await outcome(page).waitFor({ timeout: 60_000 })
    expect(await outcome(page).textContent()).toBe('لم يتم التحقق من الهوية')
    expect(await page.locator('.reasons li').allTextContents()).toEqual(['الوجه في الصورة الشخصية لا يطابق الوجه على الوثيقة.'])
    await page.getByRole('button', { name: 'Français' }).click()
    await expect.poll(() => outcome(page).textContent()).toBe('Identité non vérifiée')
    expectNoComplaints()
  })

  it('passes axe and fits in every language, light and dark, from 390 to 1920 pixels', async () => {
    const views = [
      { lang: 'en', colorScheme: 'light', width: 768 },
      { lang: 'ar', colorScheme: 'dark', width: 390 },
      { lang: 'fr', colorScheme: 'dark', width: 1920 },
      { lang: 'ar', colorScheme: 'light', width: 1920 },
    ] as const
    for (const { lang, colorScheme, width } of views) {
      const page = await open(`?lang=${lang}`, { colorScheme, viewport: { width, height: 900 } })
      const check = async (view: string): Promise<void> => {
        expect([lang, view, await brokenRules(page)]).toEqual([lang, view, []])
        expect([lang, view, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([lang, view, width])
      }
      await page.locator('.drawn button').first().waitFor()
      await check('form')
      await page.locator('form button[type=submit]').click()
      await page.locator('#problems').waitFor()
      await check('problems')
      await page.locator('.drawn button').nth(3).click()
      await outcome(page).waitFor({ timeout: 60_000 })
      await page.locator('.result details.more > summary').click()
      await check('result')
    }
    expectNoComplaints()
  })
})

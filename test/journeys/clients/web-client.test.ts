import { execFile, spawn } from 'node:child_process'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { preview } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, startBrowser, watchedPage } from '../../support/clients/browser.ts'
import { postExpression } from '../../support/clients/post-expression.ts'
import { workshop } from '../../support/clients/workshop.ts'
import { freePortBase } from '../../support/processes/free-ports.ts'
import { type Gate, openGate } from '../../support/processes/gate.ts'
import { type System, startPlatform } from '../../support/processes/platform.ts'
import { drawnPerson } from '../../support/samples/people.ts'

const run = promisify(execFile)
const project = join(import.meta.dirname, '../../..')
const patience = { timeout: 400_000, maxBuffer: 16 * 1024 * 1024 }
const npm = (words: readonly string[], cwd: string) =>
  process.env.npm_execpath === undefined
    ? run('npm', words, { cwd, ...patience })
    : run(process.execPath, [process.env.npm_execpath, ...words], { cwd, ...patience })

/** The application with its packages, generated documents and build, as the README says. */
const app =
  chromiumPath === undefined
    ? undefined
    : await workshop('web-client', async (folder) => {
        await cp(join(project, 'demonstration/web-client'), folder, { recursive: true })
        await npm(['pack', '--silent', '--pack-destination', folder], join(project, 'packages/civigraph-client'))
        const { version } = JSON.parse(await readFile(join(project, 'packages/civigraph-client/package.json'), 'utf8'))
        await npm(['install', '--no-audit', '--no-fund', '--silent', `./civigraph-client-${version}.tgz`], folder)
      })

describe.skipIf(app === undefined)('the web client', () => {
  const folder = app ?? ''
  let system: System
  let gate: Gate
  let site: Awaited<ReturnType<typeof preview>>
  let backend: ReturnType<typeof spawn>
  let page: Page
  const operations: { readonly hasText: boolean; readonly hash: unknown }[] = []
  const browsing = startBrowser()

  beforeAll(async () => {
    for (const script of ['codegen', 'types', 'build']) await npm(['run', '--silent', script], folder)
    system = await startPlatform({ env: { DEMO_DATA: 'on' } })
    gate = await openGate(new URL(system.graphqlUrl).origin)
    const [, code = ''] = /^```js backend\.mjs\n(.*?)^```$/ms.exec(await readFile(join(project, 'docs/clients/browsers.md'), 'utf8')) ?? []
    await writeFile(join(folder, 'backend.mjs'), code)
    const port = String(await freePortBase())
    const env = { PATH: process.env.PATH ?? '', URL: new URL(system.graphqlUrl).origin, KEY: system.apiKey, PORT: port }
    backend = spawn(process.execPath, ['backend.mjs'], { cwd: folder, env })
    const proxy = { '/graphql': { target: gate.url, ws: true }, '/verifications': { target: `http://127.0.0.1:${port}` } }
    const at = { port: 0, host: '127.0.0.1', proxy }
    site = await preview({ configFile: join(folder, 'vite.config.ts'), root: folder, logLevel: 'silent', preview: at })
    for (const text of Array.from({ length: 45 }, (_, n) => `Lampadaire zanzibar numéro ${n} éteint`))
      expect(await postExpression(system, { text, lang: 'fr' })).toMatchObject({ status: 201 })
    page = (await watchedPage(await browsing)).page
    page.on('request', (request) => {
      if (request.method() !== 'POST' || !request.url().endsWith('/graphql')) return
      const { query, extensions } = request.postDataJSON() as { query?: string; extensions?: { persistedQuery?: { sha256Hash?: string } } }
      operations.push({ hasText: query !== undefined, hash: extensions?.persistedQuery?.sha256Hash })
    })
    await page.goto(site.resolvedUrls?.local[0] ?? '')
  }, 600_000)
  afterAll(async () => {
    await (await browsing).close()
    await site?.close()
    backend?.kill()
    await gate?.[Symbol.asyncDispose]()
    await system?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const signIn = async (password: string): Promise<void> => {
    await page.getByLabel('password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  const open = (view: string) => page.getByRole('link', { name: view, exact: true }).click()

  it('refuses a wrong password, signs in, and shows the figures with their deferred part by a persisted query', async () => {
    const account = JSON.parse(await readFile(join(system.dataDir, 'credentials.json'), 'utf8')).super_admin
    await page.getByLabel('email').fill(account.email)
    await signIn('wrong')
    await expect.poll(() => page.getByRole('alert').textContent()).toBe('Wrong email or password.')
    operations.length = 0
    await signIn(account.password)
    await expect.poll(() => page.getByLabel('expressions').textContent()).toMatch(/^\d+$/)
    await expect.poll(() => page.getByRole('list', { name: 'domains' }).getByRole('listitem').count()).toBeGreaterThan(3)
    // the sign-in, the hash, and the text where the platform did not know the hash
    expect(operations[1]).toEqual({ hasText: false, hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(operations.slice(1).every(({ hash }) => hash === operations[1]?.hash)).toBe(true)
  })

  it('scrolls through a search to its end, each expression once, while others are ingested', async () => {
    await open('search')
    await page.getByLabel('Words').fill('lampadaire zanzibar')
    await page.getByRole('button', { name: 'Search' }).click()
    const results = page.getByRole('list', { name: 'results' }).getByRole('listitem')
    await expect.poll(() => results.count()).toBeGreaterThanOrEqual(20)
    expect(await postExpression(system, { text: 'Lampadaire zanzibar zanzibar lampadaire', lang: 'fr' })).toMatchObject({ status: 201 })
    const end = page.locator('p[role="status"]')
    await expect
      .poll(
        async () => {
          await end.scrollIntoViewIfNeeded()
          return end.textContent()
        },
        { timeout: 60_000 },
      )
      .toMatch(/^\d+ results$/)
    const texts = await results.locator('span').allTextContents()
    const own = texts.filter((text) => /zanzibar/.test(text))
    expect(own.toSorted()).toEqual(Array.from({ length: 45 }, (_, n) => `Lampadaire zanzibar numéro ${n} éteint`).toSorted())
  })

  it('counts a repeated and a changed vote once', async () => {
    const first = page.getByRole('list', { name: 'results' }).getByRole('listitem').first()
    const total = first.locator('output')
    expect(await total.textContent()).toBe('0')
    for (const name of ['agree', 'agree', 'disagree']) {
      const button = first.getByRole('button', { name, exact: true })
      await button.click()
      await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true')
      expect(await total.textContent()).toBe('1')
    }
  })

  it('explains an invalid input by field', async () => {
    await page.getByLabel('Words').fill('  ')
    await page.getByRole('button', { name: 'Search' }).click()
    await expect.poll(() => page.getByRole('alert').textContent()).toMatch(/Correct the fields below\..*text: /s)
  })

  it('shows each new expression once, also those of a network cut', async () => {
    await open('live')
    const shown = page.getByRole('list', { name: 'new expressions' }).getByRole('listitem')
    const say = async (text: string) => expect(await postExpression(system, { text, lang: 'fr' })).toMatchObject({ status: 201 })
    const until = (pattern: RegExp) =>
      expect.poll(() => shown.allTextContents(), { timeout: 60_000 }).toContainEqual(expect.stringMatching(pattern))
    // the subscription may still be opening
    for (let n = 0; (await shown.count()) === 0; n++) {
      await say(`Avant la coupure ${n}`)
      await sleep(500)
    }
    gate.cut()
    await say('Pendant la coupure, un')
    await say('Pendant la coupure, deux')
    gate.open()
    await say('Après la coupure')
    await until(/^Après/)
    await until(/un$/)
    await until(/deux$/)
    const texts = await shown.allTextContents()
    expect(new Set(texts).size).toBe(texts.length)
  })

  it('submits a verification through the server that holds the key, with its refusals at the fields', async () => {
    await open('verification')
    const { holder, selfie, front } = await drawnPerson(11)
    const file = (bytes: Uint8Array) => ({ name: 'image.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(bytes) })
    await page.getByLabel('country').fill('Zz')
    await page.getByLabel('selfie').setInputFiles(file(selfie))
    await page.getByLabel('document', { exact: true }).setInputFiles(file(front))
    const submit = page.getByRole('button', { name: 'Submit' })
    await submit.click()
    await expect.poll(() => page.getByRole('alert').getByRole('listitem').count()).toBe(3)
    await page.getByLabel('first name').fill(holder.firstName)
    await page.getByLabel('last name').fill(holder.lastName)
    await page.getByLabel('country').fill(holder.issuingCountry)
    await submit.click()
    await expect.poll(() => page.getByRole('status').textContent(), { timeout: 120_000 }).toMatch(/^(VERIFIED|PENDING_REVIEW|REJECTED)$/)
  })

  it('saves the content as PDF', async () => {
    await open('document')
    const [download] = await Promise.all([
      page.waitForEvent('download', { timeout: 120_000 }),
      page.getByRole('button', { name: /^Save / }).click({ timeout: 120_000 }),
    ])
    expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe('%PDF-')
  })

  it('signs out', async () => {
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect.poll(() => page.getByLabel('password').count()).toBe(1)
  })
})

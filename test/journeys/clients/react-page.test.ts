import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, preview } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DelegationsDocument, SignInDocument } from '../../../packages/civigraph-client/src/graphql/generated/documents.ts'
import { createGraphqlClient } from '../../../packages/civigraph-client/src/graphql/graphql-client.ts'
import { chromiumPath, startBrowser, watchedPage } from '../../support/clients/browser.ts'
import { postExpression } from '../../support/clients/post-expression.ts'
import { VerificationClient } from '../../support/clients/verification-client.ts'
import { type System, startPlatform } from '../../support/processes/platform.ts'
import { jobOf } from '../../support/samples/people.ts'

const configFile = join(import.meta.dirname, '../../../docs/clients/page/vite.config.ts')
const [described, about] =
  chromiumPath === undefined
    ? [describe.skip, 'the sample page: SKIPPED, this machine has no Chromium']
    : [describe, 'the sample page, as it is built']

described(about, () => {
  let system: System
  let outDir: string
  let page: Awaited<ReturnType<typeof preview>>
  const browsing = startBrowser()
  beforeAll(async () => {
    const quiet = { configFile, logLevel: 'error' } as const
    outDir = await mkdtemp(join(tmpdir(), 'civigraph-page-'))
    await build({ ...quiet, build: { outDir } })
    // the demonstration's delegations
    system = await startPlatform({ env: { DEMO_DATA: 'on' } })
    const proxy = { '/graphql': { target: new URL(system.graphqlUrl).origin, ws: true } }
    page = await preview({ ...quiet, build: { outDir }, preview: { port: 0, host: '127.0.0.1', proxy } })
  })
  afterAll(async () => {
    await (await browsing).close()
    await page?.close()
    await system?.stop()
    await rm(outDir, { recursive: true, force: true })
  })

  it('joins four components for one citizen, and shows new expressions', async () => {
    const account = JSON.parse(await readFile(join(system.dataDir, 'credentials.json'), 'utf8')).super_admin
    const url = system.graphqlUrl
    const { login } = await createGraphqlClient({ url }).request(SignInDocument, { input: account })
    const client = createGraphqlClient({ url, headers: { Authorization: `Bearer ${login?.accessToken}` } })
    const withDomain = async () =>
      (await client.request(DelegationsDocument, { first: 50 })).delegations?.nodes.find(({ domain }) => domain !== null)
    await expect.poll(withDomain).toBeDefined()
    const delegation = await withDomain()
    const code = delegation?.delegator.code ?? ''
    const verification = new VerificationClient(system)
    const { body } = await verification.submit({ ...(await jobOf(11)), citizen_code: code })
    await verification.untilFinished([body.job_id])

    const { page: tab, complaints } = await watchedPage(await browsing, { expectedErrors: [' 404 '] })
    await tab.goto(page.resolvedUrls?.local[0] ?? '')
    await tab.getByLabel('email').fill(account.email)
    await tab.getByLabel('password').fill('wrong')
    await tab.getByRole('button', { name: 'Sign in' }).click()
    await expect.poll(() => tab.getByRole('alert').textContent()).toBe('Invalid credentials')
    await tab.getByLabel('password').fill(account.password)
    await tab.getByRole('button', { name: 'Sign in' }).click()
    await tab.getByLabel('code').fill(code)
    await tab.getByRole('button', { name: 'Find' }).click()

    await expect.poll(() => tab.getByRole('listitem').allTextContents()).toEqual(['NATIONAL_ID: VERIFIED'])
    const row = tab.getByRole('row', { name: delegation?.delegate.code ?? '' }).first()
    const label = delegation?.domain?.labels.find(({ lang }) => lang === 'en')?.text ?? ''
    await expect.poll(() => row.textContent()).toContain(label)
    expect(await row.textContent()).toMatch(/\d+ agree\)/)

    const text = 'The library on the hill should open on Sundays'
    expect(await postExpression(system, { text, lang: 'en' })).toMatchObject({ status: 201 })
    await expect.poll(() => tab.getByRole('status').textContent()).not.toBe('No new expression yet.')
    await tab.screenshot({ path: process.env.PAGE_SCREENSHOT ?? join(outDir, 'page.png'), fullPage: true })
    expect(complaints).toEqual([])
  })
})

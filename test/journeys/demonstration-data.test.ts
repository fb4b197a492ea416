import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, startBrowser, watchedPage } from '../support/clients/browser.ts'
import { embeddedUrl } from '../support/engines/databases.ts'
import type { System } from '../support/processes/platform.ts'
import { startProcess, stopProcess } from '../support/processes/platform-process.ts'
import { startSystem } from '../support/processes/start-system.ts'

describe('demonstration data', () => {
  let system: System
  beforeAll(async () => {
    system = await startSystem({ env: { DEMO_DATA: 'on' } })
  })
  afterAll(() => system?.stop())

  const sent = async (): Promise<number> => {
    const text = await readFile(join(system.dataDir, 'demonstration.json'), 'utf8').catch(() => '{"sent":0}')
    return (JSON.parse(text) as { sent: number }).sent
  }
  const figures = async () => {
    const client = new pg.Client({ connectionString: await embeddedUrl(system.dataDir) })
    await client.connect()
    const { rows } = await client.query<Record<'all' | 'different' | 'placed' | 'votes', number>>(`
      select count(*)::int as all, count(distinct external_id)::int as different, count(lat)::int as placed,
        (select count(*)::int from vote) as votes
      from expression where source = 'demonstration' and withdrawn_at is null`)
    await client.end()
    return rows[0]
  }

  const texts = async (): Promise<unknown> => (await fetch(`${system.rest.content}/api/v1/export`)).json()

  it('is loaded through the pipeline in the background, continues after a restart without duplicates, and is removed permanently', async () => {
    await expect.poll(sent, { timeout: 90_000, interval: 200 }).toBeGreaterThan(50)
    for (const running of system.processes.splice(0)) expect(await stopProcess(running)).toBe(0)
    const before = await sent()
    const again = await system.start([])
    await expect.poll(sent, { timeout: 90_000, interval: 200 }).toBeGreaterThan(before + 10)
    // sent expressions are written asynchronously
    await expect.poll(async () => (await figures())?.all).toBeGreaterThan(before)
    await expect.poll(async () => (await figures())?.votes).toBeGreaterThan(0)
    const there = await figures()
    await expect.poll(texts).toHaveLength(25)
    expect(there?.different).toBe(there?.all)
    expect(there?.placed).toBeGreaterThan(0.8 * (there?.all ?? 0))
    expect(again.output()).toContain('loading demonstration data')

    // the platform continues to load until it notices the removal
    const removal = startProcess(['demo-data', 'remove'], system.env)
    expect(await removal.exited).toBe(0)
    expect(removal.output()).toMatch(
      /^[1-9]\d* demonstration expressions removed with their votes\ndemonstration magazine removed, 25 texts\n60 demonstration delegations removed\n$/,
    )
    expect(await texts()).toEqual({ detail: 'This tenant has no content' })
    await expect.poll(figures).toMatchObject({ all: 0, votes: 0 })
    // the few expressions in flight are sent, and withdrawn soon after
    let reached = -1
    await expect
      .poll(
        async () => {
          const last = reached
          reached = await sent()
          return reached === last
        },
        { interval: 2000 },
      )
      .toBe(true)
    await expect.poll(figures).toMatchObject({ all: 0, votes: 0 })
    expect(await sent()).toBe(reached)
  })

  it.skipIf(chromiumPath === undefined)(
    'offers synthetic citizens on the page of verification, each one click from its result',
    async () => {
      const browser = await startBrowser()
      try {
        const { page, complaints } = await watchedPage(browser)
        await page.goto(`${system.rest.verification}/`)
        for (const [citizen, outcome] of [
          ['A genuine citizen', 'Identity verified'],
          ['An impostor', 'Identity not verified'],
        ] as const) {
          await page.getByRole('button', { name: citizen }).click()
          // the first document loads the models
          await expect.poll(() => page.locator('.outcome h1').allTextContents(), { timeout: 120_000 }).toEqual([outcome])
          await page.goBack()
        }
        expect(complaints).toEqual([])
      } finally {
        await browser.close()
      }
    },
  )
})

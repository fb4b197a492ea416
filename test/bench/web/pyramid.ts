import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { startBrowser } from '../../support/clients/browser.ts'
import { ContentClient } from '../../support/clients/content-client.ts'
import type { Benchmark, Variant } from '../support/harness.ts'
import { percentile } from '../support/percentile.ts'
import { startPlatform } from '../support/platform-process.ts'
import { mainThreadFrames } from './presented-frames.ts'

const nodes = 50_000
const seconds = Number(process.env.SECONDS ?? 6)
const limitMs = 120_000
const stepMs = 8
/** opened texts of the second and third row: 1,111 texts are loaded */
const opened = 110

const wide = { width: 1280, height: 800 }
const narrow = { width: 390, height: 844 }

export const pyramid: Benchmark = {
  name: 'pyramid',
  about: `a tree of ${nodes} texts with ten children each, of which ${opened + 1} are open, as a pyramid in Chromium with software rendering; for ${seconds} s it is dragged, zoomed, or walked by keys; processor time of the main thread from one frame to the next`,
  target: 'p95 under 8 ms a frame; first picture within 1 s',
  rounds: Number(process.env.ROUNDS ?? 3),
  async start(print) {
    const platform = await startPlatform()
    const admin = new ContentClient(platform.content, { authorization: `Bearer ${await platform.token()}`, 'x-tenant-id': 'large' })
    const { status } = await admin.lines(rows())
    if (status !== 200) throw new Error(`the import was answered ${status}`)
    const browser = await startBrowser()
    const variant = (name: string, viewport: typeof wide, act: (page: Page) => Promise<void>): Variant => ({
      name,
      measure: () => measured(browser, platform.content, viewport, act, print),
      stop: async () => {},
    })
    const [first, ...others] = [
      variant('1,280 x 800, dragged', wide, dragged),
      variant('1,280 x 800, zoomed', wide, zoomed),
      variant('1,280 x 800, walked', wide, walked),
      variant('390 x 844, dragged', narrow, dragged),
      variant('390 x 844, zoomed', narrow, zoomed),
    ] as const
    const stop = async (): Promise<void> => {
      await browser.close()
      await platform.stop()
    }
    return [{ ...first, stop }, ...others]
  },
}

const summary = 'L’eau qui arrive au robinet vient de loin. Elle est pompée, filtrée, puis contrôlée chaque semaine.'

const rows = (): readonly object[] =>
  Array.from({ length: nodes }, (_, n) => ({
    ...{ id: `n${n}`, title: `Chapitre ${n} de l’atlas`, summary, body: `${summary}\n\n`.repeat(3), locale: 'fr', position: n },
    ...(n === 0 ? {} : { parent_id: `n${Math.floor((n - 1) / 10)}` }),
  }))

async function measured(
  browser: Browser,
  address: string,
  viewport: typeof wide,
  act: (page: Page) => Promise<void>,
  print: (line: string) => void,
): Promise<Readonly<Record<string, number>>> {
  const context = await browser.newContext({ viewport })
  const page = await context.newPage()
  page.setDefaultTimeout(limitMs)
  try {
    await page.addInitScript(firstPictureScript)
    await page.goto(`${address}/?lang=fr&tenant=large&view=pyramid`)
    await page.locator('[role=treeitem][aria-level="2"]').nth(2).waitFor()
    const firstPicture = Number(await (await page.waitForFunction('globalThis.firstPicture')).jsonValue())
    await openBranches(page)
    const busyMs = await mainThreadFrames(page, () => act(page))
    print(`load of the machine ${loadavg()[0]?.toFixed(1)}, ${await page.locator('[role=treeitem]').count()} blocks in the document`)
    return {
      'first picture ms': firstPicture,
      frames: busyMs.length,
      'median ms a frame': percentile(busyMs, 0.5),
      'p95 ms a frame': percentile(busyMs, 0.95),
      'slowest ms': busyMs.at(-1) ?? Number.NaN,
    }
  } finally {
    await context.close()
  }
}

/** Notes when the frame with the first texts of the second row has been drawn, in ms from the start of the navigation. */
const firstPictureScript = `{
  const look = () => document.querySelector('[role=treeitem][aria-level="2"]') === null
    ? requestAnimationFrame(look)
    : requestAnimationFrame(() => { globalThis.firstPicture = performance.now() })
  requestAnimationFrame(look)
}`

/** Opens the texts of the second and third row by keys. */
async function openBranches(page: Page): Promise<void> {
  await page.locator('[role=treeitem]').first().focus()
  for (const count of [10, 100]) {
    await page.keyboard.press('Home')
    for (let level = 0; level < (count === 10 ? 1 : 2); level++) await page.keyboard.press('ArrowDown')
    for (let at = 0; at < count; at++) {
      const answer = page.waitForResponse((response) => response.url().includes('/api/v1/nodes/'))
      await page.keyboard.press('Space')
      await answer
      await page.locator('[role=treeitem][aria-selected=true][aria-expanded=true]:not([aria-busy])').waitFor()
      if (at < count - 1) await page.keyboard.press('ArrowRight')
    }
  }
  await sleep(500)
}

async function middleOf(page: Page): Promise<{ readonly x: number; readonly y: number; readonly width: number; readonly height: number }> {
  const box = await page.locator('.picture').boundingBox()
  if (box === null) throw new Error('the picture is missing')
  return { ...box, x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Drags the picture in a loop, without releasing the pointer. */
async function dragged(page: Page): Promise<void> {
  const { x, y, width, height } = await middleOf(page)
  await page.mouse.move(x, y)
  await page.mouse.down()
  await during((second) => page.mouse.move(x + 0.45 * width * Math.sin(2 * second), y + 0.4 * height * Math.sin(3.1 * second)))
  await page.mouse.up()
}

/** Zooms out to the whole tree and in again. */
async function zoomed(page: Page): Promise<void> {
  const { x, y } = await middleOf(page)
  await page.mouse.move(x, y)
  await page.keyboard.down('Control')
  await during((second) => page.mouse.wheel(0, Math.floor(second / 2) % 2 === 0 ? 12 : -12))
  await page.keyboard.up('Control')
}

/** Walks along a row, as fast as a held key. */
async function walked(page: Page): Promise<void> {
  await page.locator('[role=treeitem][aria-selected=true]').focus()
  await during((second) => page.keyboard.press(Math.floor(second / 2) % 2 === 0 ? 'ArrowLeft' : 'ArrowRight').then(() => sleep(25)))
}

/** The event rate of a mouse. */
async function during(step: (second: number) => Promise<void>): Promise<void> {
  const begun = performance.now()
  for (let ms = 0; ms < seconds * 1000; ms = performance.now() - begun) {
    await step(ms / 1000)
    await sleep(stepMs)
  }
}

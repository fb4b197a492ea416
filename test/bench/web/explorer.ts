import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { drawing, startBrowser } from '../../support/clients/browser.ts'
import { frenchSentences } from '../classification/sentences.ts'
import type { Benchmark, Variant } from '../support/harness.ts'
import { percentile } from '../support/percentile.ts'
import { type PlatformProcess, startPlatform } from '../support/platform-process.ts'
import { presentedFrames, rendererOf } from './presented-frames.ts'

const expressions = 5000
const atOnce = 20
const seconds = Number(process.env.SECONDS ?? 6)
/** All circles of a wide window with the smallest possible cells: the page draws no more than this at once. */
const view = '-15,-22.5,51,23.5'
const limitMs = 120_000
/** Limit until the tiles of the first view are loaded. */
const settleMs = 2500
const stepMs = 8

interface Window {
  readonly width: number
  readonly height: number
}
/** Position and size of the map. */
interface MapWindow extends Window {
  readonly x: number
  readonly y: number
}
type Movement = (page: Page, middle: MapWindow) => Promise<void>

const wide: Window = { width: 1280, height: 800 }
const narrow: Window = { width: 390, height: 844 }

export const explorer: Benchmark = {
  name: 'explorer',
  about: `${expressions} expressions, each at a different place and all in view, on the explorer in Chromium with software rendering; the map is dragged, or zoomed by its wheel, for ${seconds} s; frames of the page that the compositor shows`,
  target: '30 frames/s or better',
  rounds: Number(process.env.ROUNDS ?? 3),
  async start(print) {
    const platform = await startPlatform()
    await postAll(platform)
    const browser = await startBrowser(drawing)
    print(await described({ browser, address: platform.explorer, window: wide }))
    const variant = (name: string, window: Window, move: Movement, more: Partial<ExplorerOptions> = {}): Variant => ({
      name,
      measure: () => measured({ browser, address: platform.explorer, window, ...more }, move, print),
      stop: async () => {},
    })
    const [first, ...others] = [
      variant('1,280 x 800, dragged, reporting a graphics card', wide, dragged, { reportsGraphicsCard: true }),
      variant('1,280 x 800, dragged', wide, dragged),
      variant('1,280 x 800, zoomed', wide, zoomed),
      variant('1,280 x 800, heat, dragged', wide, dragged, { parameters: '&layer=heat' }),
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

/** Posts expressions at distinct places all over a part of the world, so that each cell of the map has one. */
async function postAll({ explorer, post }: PlatformProcess): Promise<void> {
  const part = (index: number, step: number): number => (index * step) % 1
  const postOne = async (index: number): Promise<void> => {
    const location = { lon: -14 + 64 * part(index, 0.754877666), lat: -21.5 + 44 * part(index, 0.569840291) }
    const status = await post({ text: `${frenchSentences[index % frenchSentences.length]} ${index}`, location })
    if (status !== 201) throw new Error(`an expression was answered ${status}`)
  }
  for (let posted = 0; posted < expressions; posted += atOnce)
    await Promise.all(Array.from({ length: atOnce }, (_, offset) => postOne(posted + offset)))
  const counted = async (): Promise<number> => {
    const { features } = (await (await fetch(`${explorer}/api/v1/map?zoom=0`)).json()) as {
      readonly features: readonly { readonly properties: { readonly point_count?: number } }[]
    }
    return features.reduce((sum, { properties }) => sum + (properties.point_count ?? 1), 0)
  }
  for (const until = Date.now() + limitMs; (await counted()) < expressions; await sleep(500))
    if (Date.now() > until) throw new Error(`${expressions} expressions were not counted in ${limitMs} ms`)
}

interface ExplorerOptions {
  readonly browser: Browser
  readonly address: string
  readonly window: Window
  readonly parameters?: string
  /** WebGL reports a graphics card to the page, so that it draws at full quality. */
  readonly reportsGraphicsCard?: boolean
}

async function measured(opened: ExplorerOptions, move: Movement, print: (line: string) => void): Promise<Readonly<Record<string, number>>> {
  const page = await openedMap(opened)
  try {
    const { gapsMs, seconds, cpuSeconds } = await presentedFrames(page, async () => move(page, await middleOf(page)))
    print(`load of the machine ${loadavg()[0]?.toFixed(1)}`)
    return {
      'frames/s': gapsMs.length / seconds,
      'median frames/s': 1000 / percentile(gapsMs, 0.5),
      'slowest 5 % frames/s': 1000 / percentile(gapsMs, 0.95),
      'CPU ms a frame': (cpuSeconds * 1000) / gapsMs.length,
    }
  } finally {
    await page.context().close()
  }
}

/** Opens the explorer with its map in the middle of the window, completely drawn. */
async function openedMap({ browser, address, window, parameters = '', reportsGraphicsCard = false }: ExplorerOptions): Promise<Page> {
  const context = await browser.newContext({ viewport: window })
  const page = await context.newPage()
  page.setDefaultTimeout(limitMs)
  if (reportsGraphicsCard) await page.addInitScript(graphicsCardScript)
  await page.goto(`${address}/?lang=en&bbox=${view}${parameters}`)
  await page.getByText(`${expressions.toLocaleString('en')} opinions on the map`).waitFor()
  await page.locator('#map').evaluate((map: { scrollIntoView(options: object): void }) => map.scrollIntoView({ block: 'center' }))
  await sleep(settleMs)
  return page
}

const graphicsCardScript = `{
  const { getParameter } = WebGL2RenderingContext.prototype
  WebGL2RenderingContext.prototype.getParameter = function (name) { return name === 0x9246 ? 'a graphics card' : getParameter.call(this, name) }
}`

/** Number of drawn circles, and the renderer. */
async function described(opened: ExplorerOptions): Promise<string> {
  const page = await openedMap(opened)
  try {
    const { searchParams } = new URL(page.url())
    const [west = 0, , east = 0] = (searchParams.get('bbox') ?? '').split(',').map(Number)
    const { width } = await middleOf(page)
    // a world is 512 pixels wide at zoom 0
    const zoom = Math.floor(Math.log2((360 * width) / (512 * (east - west))))
    const answer = await fetch(`${opened.address}/api/v1/map?bbox=${searchParams.get('bbox')}&zoom=${zoom}`)
    const { features } = (await answer.json()) as { readonly features: readonly unknown[] }
    return `${await rendererOf(page)}; ${expressions} expressions in view as ${features.length} circles, at zoom ${zoom}`
  } finally {
    await page.context().close()
  }
}

async function middleOf(page: Page): Promise<MapWindow> {
  const box = await page.locator('#map').boundingBox()
  if (box === null) throw new Error('the map is not there')
  const { x, y, width, height } = box
  return { x: x + width / 2, y: y + height / 2, width, height }
}

/** Drags the map in a loop over most of its area, without releasing the pointer. */
async function dragged(page: Page, { x, y, width, height }: MapWindow): Promise<void> {
  await page.mouse.move(x, y)
  await page.mouse.down()
  await during((second) => page.mouse.move(x + 0.4 * width * Math.sin(2 * second), y + 0.3 * height * Math.sin(3.1 * second)))
  await page.mouse.up()
}

/** Zooms about two levels in, out, and in again. */
async function zoomed(page: Page, { x, y }: MapWindow): Promise<void> {
  // the wheel scrolls the page until the map is active
  await page.locator('#map').focus()
  await page.mouse.move(x, y)
  await during((second) => page.mouse.wheel(0, Math.floor(second / 2) % 2 === 0 ? -25 : 25))
}

/** The event rate of a mouse. */
async function during(step: (second: number) => Promise<void>): Promise<void> {
  const begun = performance.now()
  for (let ms = 0; ms < seconds * 1000; ms = performance.now() - begun) {
    await step(ms / 1000)
    await sleep(stepMs)
  }
}

import type { Browser, Page } from 'playwright-core'

/** Frames that the screen showed during an action. */
export interface PresentedFrames {
  /** Milliseconds between consecutive frames, ascending. */
  readonly gapsMs: readonly number[]
  readonly seconds: number
  /** Processor seconds of all processes of the browser. */
  readonly cpuSeconds: number
}

/** Trace event of the compositor when it shows what the page has drawn; its own animation frames do not emit it. */
const frameEvent = 'ActivateLayerTree'
const category = 'disabled-by-default-devtools.timeline.frame'

/** Counts the frames of a page that the browser's compositor shows during an action, from its trace. */
export async function presentedFrames(page: Page, act: () => Promise<void>): Promise<PresentedFrames> {
  const browser = page.context().browser()
  if (browser === null) throw new Error('the page is of no browser')
  await browser.startTracing(page, { categories: [category] })
  const worked = await cpuSecondsOf(browser)
  const begun = performance.now()
  await act()
  const seconds = (performance.now() - begun) / 1000
  const cpuSeconds = (await cpuSecondsOf(browser)) - worked
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    readonly traceEvents: readonly { readonly name: string; readonly ts: number }[]
  }
  const times = traceEvents
    .filter(({ name }) => name === frameEvent)
    .map(({ ts }) => ts / 1000)
    .sort((a, b) => a - b)
  const gapsMs = times.slice(1).map((time, index) => time - (times[index] ?? time))
  return { gapsMs: gapsMs.sort((a, b) => a - b), seconds, cpuSeconds }
}

async function cpuSecondsOf(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0)
}

/** The name of the renderer in WebGL: a graphics card or a software renderer. */
export const rendererOf = (page: Page): Promise<string> =>
  page.evaluate<string>(`(() => {
    const context = document.createElement('canvas').getContext('webgl2')
    return context.getParameter(context.getExtension('WEBGL_debug_renderer_info').UNMASKED_RENDERER_WEBGL)
  })()`)

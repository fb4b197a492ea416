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

interface TraceEvent {
  readonly name: string
  readonly ts: number
  readonly dur?: number
  /** processor time */
  readonly tdur?: number
  readonly pid: number
  readonly tid: number
}

/** Categories of the tasks of a thread and of its animation frames. */
const taskCategories = ['disabled-by-default-devtools.timeline', 'devtools.timeline']
/** One in each frame that the page draws. */
const animationEvent = 'FireAnimationFrame'

/**
 * Measures what a page that draws in animation frames costs its main thread during an action: scripts, layout, painting and event handlers.
 * It is processor time, which other programs on the machine do not change.
 * @returns milliseconds from each frame to the next, ascending
 */
export async function mainThreadFrames(page: Page, act: () => Promise<void>): Promise<readonly number[]> {
  const browser = page.context().browser()
  if (browser === null) throw new Error('the page is of no browser')
  await browser.startTracing(page, { categories: taskCategories })
  await act()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { readonly traceEvents: readonly TraceEvent[] }
  // other processes of the browser draw seldom
  const threads = Map.groupBy(
    traceEvents.filter(({ name }) => name === animationEvent),
    ({ pid, tid }) => `${pid} ${tid}`,
  )
  const [frames = []] = [...threads.values()].sort((one, other) => other.length - one.length)
  const begins = frames.map(({ ts }) => ts).sort((one, other) => one - other)
  const busyMs = begins.map(() => 0)
  for (const { name, pid, tid, ts, dur = 0, tdur = 0 } of traceEvents) {
    if (name !== 'RunTask' || pid !== frames[0]?.pid || tid !== frames[0]?.tid) continue
    // the task that draws a frame begins before it
    const at = begins.findLastIndex((begin) => begin <= ts + dur)
    if (at >= 0) busyMs[at] = (busyMs[at] ?? 0) + tdur / 1000
  }
  return busyMs.sort((one, other) => one - other)
}

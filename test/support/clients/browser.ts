import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

/** The headless shell first: a browser with windows takes five times as much processor time for the same pages. */
const places = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Path of Chromium; undefined without one. Tests that need it are then skipped with a message. */
export const chromiumPath: string | undefined = places.find((place) => existsSync(place))

/** Arguments for WebGL on a machine without a graphics card. */
export const drawing = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'] as const

/** Starts a Chromium without background requests. @param more - arguments */
export function startBrowser(more: readonly string[] = []): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('there is no Chromium on this machine')
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync']
  return chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-gpu', ...quiet, ...more] })
}

/** A page with its violations: requests to other origins, violations of its policy, logged errors. */
export interface WatchedPage {
  readonly page: Page
  readonly complaints: string[]
}

export interface PageOptions extends BrowserContextOptions {
  /** Errors that a test provokes, such as ` 401 `: the browser logs every refused request as an error. */
  readonly expectedErrors?: readonly string[]
}

export async function watchedPage(browser: Browser, { expectedErrors = [], ...options }: PageOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && !expectedErrors.some((expected) => message.text().includes(expected)))
      complaints.push(`console: ${message.text()} (${message.location().url})`)
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    const home = request.frame().url()
    if (['data:', 'blob:'].includes(url.protocol) || request.isNavigationRequest()) return
    if (url.origin !== new URL(home).origin) complaints.push(`${home} requests ${url.href}`)
  })
  return { page, complaints }
}

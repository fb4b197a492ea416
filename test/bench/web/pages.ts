import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromiumPath, drawing, startBrowser } from '../../support/clients/browser.ts'
import { frenchSentences } from '../classification/sentences.ts'
import type { Benchmark, Variant } from '../support/harness.ts'
import { type PlatformProcess, startPlatform } from '../support/platform-process.ts'

/** Fetched by npm for a run: with its 150 packages it is too large for the dependencies of the project. */
const lighthouse = 'lighthouse@12'
const expressions = 300
const seconds = Number(process.env.SECONDS ?? 12)
const throttling = 4
const eventsPerSecond = 100

/** Port of a page relative to that of the explorer, and its path. */
const pages = {
  explorer: [0, '/'],
  landing: [-2, '/'],
  query: [-2, '/query'],
  verification: [-1, '/'],
  console: [2, '/'],
  reader: [3, '/'],
  reference: [0, '/docs'],
} as const

export const pagesBench: Benchmark = {
  name: 'pages',
  about: `each page in Chromium as Lighthouse 12 simulates a phone, ${expressions} expressions; then the explorer on a processor slowed down ${throttling} times while ${eventsPerSecond} events a second arrive for ${seconds} s`,
  target:
    'score 90, LCP under 2.5 s, blocking under 300 ms, 400 kB before the map; 70 % idle, one request for figures and one for the map in 2 s',
  rounds: Number(process.env.ROUNDS ?? 1),
  warmsUpItself: true,
  async start(print) {
    const platform = await startPlatform()
    for (let index = 0; index < expressions; index++)
      await platform.post({
        text: `${frenchSentences[index % frenchSentences.length]} ${index}`,
        location: { lon: -14 + ((index * 7.3) % 60), lat: -20 + ((index * 3.7) % 40) },
      })
    const variants = Object.keys(pages).map(
      (name): Variant => ({
        name,
        measure: () => audited(addressOf(platform, name as keyof typeof pages), print),
        stop: async () => {},
      }),
    )
    const live: Variant = { name: 'explorer while data arrives', measure: () => whileDataArrives(platform, print), stop: platform.stop }
    return [...variants, live]
  },
}

function addressOf({ explorer }: PlatformProcess, name: keyof typeof pages): string {
  const [offset, path] = pages[name]
  const url = new URL(path, explorer)
  url.port = String(Number(url.port) + offset)
  return url.href
}

interface Report {
  readonly categories: { readonly performance: { readonly score: number } }
  readonly audits: Readonly<Record<string, { readonly numericValue?: number; readonly details?: { readonly items?: readonly unknown[] } }>>
}

async function audited(address: string, print: (line: string) => void): Promise<Readonly<Record<string, number>>> {
  const folder = await mkdtemp(join(tmpdir(), 'lighthouse-'))
  try {
    const file = join(folder, 'report.json')
    const options = ['--only-categories=performance', '--output=json', `--output-path=${file}`, '--quiet']
    const flags = `--chrome-flags=--headless=new --no-sandbox ${drawing.join(' ')}`
    await promisify(execFile)('npm', ['exec', '--yes', `--package=${lighthouse}`, '--', 'lighthouse', address, ...options, flags], {
      env: { ...process.env, CHROME_PATH: chromiumPath },
    })
    const { categories, audits } = JSON.parse(await readFile(file, 'utf8')) as Report
    const requests = (audits['network-requests']?.details?.items ?? []) as readonly {
      readonly url: string
      readonly transferSize: number
    }[]
    const map = requests.findIndex(({ url }) => url.includes('/drawn-map-'))
    const kilobytes = (of: typeof requests): number => of.reduce((sum, { transferSize }) => sum + transferSize, 0) / 1000
    print(`load of the machine ${loadavg()[0]?.toFixed(1)}`)
    return {
      score: categories.performance.score * 100,
      'LCP s': (audits['largest-contentful-paint']?.numericValue ?? Number.NaN) / 1000,
      'blocking ms': audits['total-blocking-time']?.numericValue ?? Number.NaN,
      requests: requests.length,
      kB: kilobytes(requests),
      'kB before the map': kilobytes(map < 0 ? requests : requests.slice(0, map)),
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Sends the page the events of a busy platform, in addition to those of its own. */
async function whileDataArrives({ explorer }: PlatformProcess, print: (line: string) => void): Promise<Readonly<Record<string, number>>> {
  const browser = await startBrowser(drawing)
  try {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
    let send: (name: string, content: object) => void = () => undefined
    await page.routeWebSocket(/socket\.realtime/, (socket) => {
      socket.connectToServer()
      send = (name, content) => socket.send(`42${JSON.stringify([name, content])}`)
    })
    const count = { figures: 0, map: 0, others: 0 }
    page.on('request', (request) => {
      const url = request.url()
      count[url.endsWith('/graphql') ? 'figures' : url.includes('/api/v1/map') ? 'map' : 'others']++
    })
    await page.goto(`${explorer}/?lang=en`)
    await page.locator('#map-title').scrollIntoViewIfNeeded()
    await page.locator('#map').waitFor()
    await page.waitForTimeout(3000)
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable')
    await session.send('Emulation.setCPUThrottlingRate', { rate: throttling })
    const metrics = async (): Promise<{ readonly at: number; readonly busy: number }> => {
      const { metrics } = await session.send('Performance.getMetrics')
      const of = (name: string): number => metrics.find((each) => each.name === name)?.value ?? Number.NaN
      return { at: of('Timestamp'), busy: of('TaskDuration') }
    }
    let id = 0
    const stream = setInterval(() => {
      for (const name of ['stats:updated', 'domains:updated', 'map:invalidated']) send(name, {})
      const expression = { id: `${id++}`, text: frenchSentences[id % frenchSentences.length], created_at: new Date().toISOString() }
      const place = { lat: (id * 3.7) % 20, lon: (id * 7.3) % 40, place: 'Thiès' }
      send('expression:created', {
        seq: 1,
        expression: { ...expression, lang: { code: 'fr' }, classification: null, sentiment: null, location: place },
      })
    }, 1000 / eventsPerSecond)
    const [before, requests] = [await metrics(), { ...count }]
    await page.waitForTimeout(seconds * 1000)
    const [after, later] = [await metrics(), { ...count }]
    clearInterval(stream)
    print(`load of the machine ${loadavg()[0]?.toFixed(1)}`)
    const per2s = (of: keyof typeof count): number => ((later[of] - requests[of]) * 2) / (after.at - before.at)
    return {
      'idle %': 100 * (1 - (after.busy - before.busy) / (after.at - before.at)),
      'figures in 2 s': per2s('figures'),
      'map in 2 s': per2s('map'),
      'others in 2 s': per2s('others'),
    }
  } finally {
    await browser.close()
  }
}

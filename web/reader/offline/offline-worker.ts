/**
 * The service worker of the reader (`/keeper.js`): caches the page and the texts that are read, and serves them offline. The server
 * prepends the list of the page's files.
 */
interface Shell {
  /** cache of another version of the page */
  readonly version: string
  readonly files: readonly string[]
}
interface ExtendableEvent extends Event {
  waitUntil(done: Promise<unknown>): void
}
interface FetchEvent extends ExtendableEvent {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}
const own = self as unknown as { readonly shell: Shell; readonly clients: { claim(): Promise<void> } }

const shellPrefix = 'civigraph.reader.shell.'
const shellName = shellPrefix + own.shell.version
const textsName = 'civigraph.reader.texts'
/** evicts older entries */
const maxTexts = 500
const wholeTree = '/api/v1/export'
const texts = /^\/api\/v1\/(?:nodes\/[^/]+|export)$/

addEventListener('install', (event) => {
  const keepShell = caches.open(shellName).then((cache) => cache.addAll(['/', ...own.shell.files]))
  ;(event as ExtendableEvent).waitUntil(keepShell)
})

addEventListener('activate', (event) => {
  const clean = async (): Promise<void> => {
    const old = (await caches.keys()).filter((name) => name.startsWith(shellPrefix) && name !== shellName)
    await Promise.all(old.map((name) => caches.delete(name)))
    await own.clients.claim()
  }
  ;(event as ExtendableEvent).waitUntil(clean())
})

addEventListener('fetch', (event) => {
  const fetching = event as FetchEvent
  const { request } = fetching
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate' && pathname === '/') fetching.respondWith(fetch(request).catch(() => inShell('/')))
  else if (own.shell.files.includes(pathname)) fetching.respondWith(inShell(pathname, request))
  else if (texts.test(pathname)) fetching.respondWith(textFor(fetching))
})

async function inShell(path: string, request?: Request): Promise<Response> {
  const cached = await (await caches.open(shellName)).match(path, { ignoreVary: true })
  return cached ?? (request === undefined ? Response.error() : fetch(request))
}

/** Returns the service's response, or the cached one when the network fails. */
async function textFor(fetching: FetchEvent): Promise<Response> {
  const { request } = fetching
  const key = keyOf(request)
  try {
    const answer = await fetch(request)
    // content of a private tenant must not stay in this browser
    const isPrivate = answer.headers.get('Cache-Control')?.includes('no-store') === true
    if (answer.status === 200 && !isPrivate) fetching.waitUntil(keepText(key, answer.clone()))
    if (answer.status === 404) fetching.waitUntil(caches.open(textsName).then((cache) => cache.delete(key)))
    return answer
  } catch (error) {
    const cached = await (await caches.open(textsName)).match(key, { ignoreVary: true })
    if (cached === undefined) throw error
    return cached
  }
}

/** The tenant is in a header, so one address has a cache entry per tenant. */
function keyOf({ url, headers }: Request): string {
  const key = new URL(url)
  key.searchParams.set('of', headers.get('X-Tenant-Id') ?? '')
  return key.href
}

async function keepText(key: string, answer: Response): Promise<void> {
  const headers = new Headers(answer.headers)
  headers.delete('Content-Encoding')
  headers.set('X-Saved-At', new Date().toISOString())
  const cache = await caches.open(textsName)
  await cache.put(key, new Response(await answer.blob(), { headers }))
  const cached = (await cache.keys()).filter(({ url }) => new URL(url).pathname !== wholeTree)
  await Promise.all(cached.slice(0, -maxTexts).map((request) => cache.delete(request)))
}

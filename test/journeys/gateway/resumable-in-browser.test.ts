import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listenerUrl } from '../../../foundation/http/listener-url.ts'
import { createExecutor } from '../../../gateway/executor/executor.ts'
import { inProcessSource } from '../../../gateway/sources/in-process-source.ts'
import { composeSupergraph } from '../../../gateway/supergraph/supergraph.ts'
import { chromiumPath, startBrowser } from '../../support/clients/browser.ts'
import { library, librarySdl } from '../../support/gateway/library.ts'
import { recordedLog, serve } from '../../support/gateway/town.ts'
import { openGate } from '../../support/processes/gate.ts'

const project = new URL('../../../', import.meta.url).pathname
const [described, about] =
  chromiumPath === undefined
    ? [describe.skip, 'a resumable client: SKIPPED, this machine has no Chromium']
    : [describe, 'a resumable client in Chromium']

const page = `<!doctype html><title>resumable</title>
<script type="importmap">{"imports": {"graphql-ws": "/node_modules/graphql-ws/dist/client.js"}}</script>
<script type="module">
  import { createClient } from 'graphql-ws'
  import { resumable } from '/packages/civigraph-client/src/graphql/resumable.ts'
  window.numbers = []
  const url = new URLSearchParams(location.search).get('url')
  const client = resumable(createClient({ url, retryAttempts: 1000, retryWait: () => new Promise((go) => setTimeout(go, 50)) }))
  client.subscribe({ query: 'subscription { lent { seq } }' }, {
    next: ({ data }) => window.numbers.push(data.lent.seq),
    error: (error) => { window.ended = error },
    complete: () => { window.ended = 'complete' },
  })
</script>`

/** Serves the page and its imported modules unchanged. */
const files = createServer(async ({ url = '/' }, response) => {
  const { pathname } = new URL(url, 'http://page')
  if (pathname === '/') return response.writeHead(200, { 'content-type': 'text/html' }).end(page)
  const isServed = /^\/(packages\/civigraph-client\/src\/graphql\/resumable\.ts|node_modules\/graphql-ws\/dist\/[\w-]+\.js)$/.test(pathname)
  if (!isServed) return response.writeHead(404).end()
  const text = await readFile(join(project, pathname), 'utf8')
  const script = pathname.endsWith('.ts') ? stripTypeScriptTypes(text) : text
  return response.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
})

described(about, () => {
  it('misses no event and receives none twice when its connection is closed repeatedly', async () => {
    const books = library()
    const { shelves, readers } = books.schemas
    const executor = createExecutor({
      supergraph: composeSupergraph(Object.entries(librarySdl).map(([name, sdl]) => ({ name, sdl, url: `http://${name}` }))),
      sources: { shelves: inProcessSource({ schema: shelves }), readers: inProcessSource({ schema: readers }) },
      eventTimeoutMs: 2000,
    })
    await using served = await serve({ executor, log: recordedLog().log, async [Symbol.asyncDispose]() {} }, { corsOrigins: 'any' })
    await using network = await openGate(served.graphql.replace('http', 'ws'))
    await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve))
    const browser = await startBrowser()
    try {
      const tab = await browser.newPage()
      await tab.goto(`${listenerUrl(files, '127.0.0.1')}/?url=${network.url}`)
      const numbers = (): Promise<readonly number[]> => tab.evaluate('window.numbers')
      await expect
        .poll(async () => {
          books.lend()
          return (await numbers()).length
        })
        .toBeGreaterThan(0)
      const [first = 0] = await numbers()
      for (let time = 0; time < 3; time += 1) {
        network.cut()
        network.open()
        for (let book = 0; book < 3; book += 1) books.lend()
        await expect.poll(numbers).toEqual(Array.from({ length: books.lent() - first + 1 }, (_, index) => first + index))
      }
      expect(await tab.evaluate('window.ended')).toBeUndefined()
    } finally {
      await browser.close()
      await new Promise((resolve) => files.close(resolve))
    }
  })
})

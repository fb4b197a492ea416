import { fastify } from 'fastify'
import { afterAll, expect, it } from 'vitest'
import { serveDocuments } from '../../../platform/listeners/documents.ts'

const server = fastify()
serveDocuments(server)
afterAll(() => server.close())

const start = ['/docs/clients/README.md', '/packages/civigraph-client/README.md']

it.each(start)('serves %s as text', async (url) => {
  const { statusCode, headers, body } = await server.inject(url)
  expect([statusCode, headers['content-type'], headers['x-content-type-options']]).toEqual([200, 'text/plain; charset=utf-8', 'nosniff'])
  expect(body).toContain('@civigraph/client')
})

it('serves every document that the client documents link', async () => {
  const missing: string[] = []
  for (const from of start) {
    const { body } = await server.inject(from)
    for (const [, link = ''] of body.matchAll(/\]\(([^)#\s]+\.md)(?:#[^)]*)?\)/g)) {
      if (/^https?:/.test(link)) continue
      const { pathname } = new URL(link, `http://gateway${from}`)
      if ((await server.inject(pathname)).statusCode !== 200) missing.push(`${from}: ${link}`)
    }
  }
  expect(missing).toEqual([])
})

it.each([
  '/docs/none.md',
  '/docs/../package.json',
  '/docs/%2e%2e/package.json',
  '/packages/civigraph-client/package.json',
  '/docs/clients/page/page.tsx',
])('serves no other file: %s', async (url) => {
  expect((await server.inject(url)).statusCode).toBe(404)
})

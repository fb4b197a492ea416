import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GraphQLSchema } from 'graphql'
import { expect, it, onTestFinished } from 'vitest'
import { silentLog } from '../../../../foundation/log.ts'
import { type ServeOptions, serve } from '../../../../gateway/package/serve.ts'
import { composeSupergraph } from '../../../../gateway/supergraph/supergraph.ts'

const served = async (types: string, url?: string, options: Partial<ServeOptions> = {}) => {
  const supergraph = join(tmpdir(), `${randomUUID()}.graphql`)
  onTestFinished(() => rm(supergraph))
  const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@authenticated"])'
  await writeFile(supergraph, composeSupergraph([{ name: 'goods', sdl: `${link} ${types}`, ...(url !== undefined && { url }) }]))
  return serve({ supergraph, port: 0, log: silentLog, ...options })
}

it('names its own options when a supergraph cannot be served', async () => {
  await expect(served('type Query { dear: Int }')).rejects.toThrow('subgraphUrls must name the subgraphs goods')
  await expect(served('type Query { dear: Int @authenticated }', 'http://127.0.0.1:1')).rejects.toThrow(
    /protects fields with @authenticated.*\(createGatewayServer/,
  )
})

it('serves the graph, its schema and its health, and no pages', async () => {
  await using gateway = await served('type Query { dear: Int }', 'http://127.0.0.1:1')
  const statusOf = async (path: string, init: RequestInit = {}): Promise<number> =>
    (await fetch(gateway.url + path, { ...init, signal: AbortSignal.timeout(60_000), redirect: 'manual' })).status
  const headers = { 'content-type': 'application/json' }
  expect(await statusOf('/graphql', { method: 'POST', headers, body: '{"query":"{ __typename }"}' })).toBe(200)
  expect(await statusOf('/schema.graphql')).toBe(200)
  expect(await statusOf('/health/live')).toBe(200)
  expect(await statusOf('/query')).toBe(404)
})

it('passes queries through plugins of Apollo Server', async () => {
  const seen: unknown[] = []
  const plugins = [
    {
      async serverWillStart({ schema }: { readonly schema: GraphQLSchema }) {
        seen.push(schema.getQueryType()?.name)
      },
      async requestDidStart() {
        return {
          async willSendResponse({ response }: { readonly response: { readonly http: { readonly headers: Map<string, string> } } }) {
            response.http.headers.set('x-plugin', 'yes')
          },
        }
      },
    },
  ]
  await using gateway = await served('type Query { dear: Int }', 'http://127.0.0.1:1', { plugins })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body: '{"query":"{ __typename }"}' })
  expect([answer.status, answer.headers.get('x-plugin'), await answer.json()]).toEqual([200, 'yes', { data: { __typename: 'Query' } }])
  expect(seen).toEqual(['Query'])
})

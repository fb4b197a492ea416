import { randomUUID } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { parseConfig } from '../../../../foundation/config/config.ts'
import { listenerUrl } from '../../../../foundation/http/listener-url.ts'
import { composeSupergraph } from '../../../../gateway/supergraph/supergraph.ts'
import { supergraphWatch } from '../../../../gateway/supergraph/supergraph-watch.ts'
import { portsOf } from '../../../../platform/process/ports.ts'
import { assembleSupergraphGateway, originOf } from '../../../../platform/supergraph-gateway.ts'
import { foreign } from '../../../support/gateway/foreign-subgraph.ts'
import { type Library, library, librarySdl } from '../../../support/gateway/library.ts'
import { recordedLog } from '../../../support/gateway/town.ts'

describe('a supergraph that changes while the gateway runs', () => {
  let graph: Library
  let subgraphs: { readonly name: string; readonly sdl: string; readonly url: string; readonly stop: () => Promise<void> }[]
  beforeAll(async () => {
    graph = library()
    subgraphs = await Promise.all(
      Object.entries(librarySdl).map(async ([name, sdl]) => {
        const { server, stop } = await foreign(graph.schemas[name === 'shelves' ? 'shelves' : 'readers'])
        return { name, sdl, url: `${listenerUrl(server, '127.0.0.1')}/graphql`, stop }
      }),
    )
  })
  afterAll(() => Promise.all(subgraphs.map(({ stop }) => stop())))
  const supergraph = (from = '', to = ''): string =>
    composeSupergraph(subgraphs.map((each) => ({ ...each, sdl: each.sdl.replace(from, to) })))
  const renamed = (): string => supergraph('catalogue: String', 'register: String')

  const startGateway = async (settings: Readonly<Record<string, string>>) => {
    const { log, lines } = recordedLog()
    const config = parseConfig({ PORT_BASE: '0', METRICS_PORT: '0', SUPERGRAPH_POLL_MS: '100', ...settings }, '/')
    const roles = { all: false, gateway: true, subgraphs: [], workers: [], rest: [] }
    const gateway = await assembleSupergraphGateway(
      originOf(config),
      config,
      portsOf(config, roles),
      { version: '1', commit: 'x', schemaLevel: 0 },
      log,
    )
    await gateway.part.start(new AbortController().signal)
    const [, graphql = ''] = gateway.addresses().find(([label]) => label === 'GraphQL') ?? []
    return {
      graphql,
      logged: (sentence: string) => lines.filter((line) => line.includes(sentence)),
      fields: async (): Promise<unknown> => {
        const body = JSON.stringify({ query: '{ catalogue: __type(name: "Query") { fields { name } } }' })
        const answer = await fetch(graphql, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
        return (
          (await answer.json()) as { readonly data: { readonly catalogue: { readonly fields: { readonly name: string }[] } } }
        ).data.catalogue.fields.map(({ name }) => name)
      },
      health: async (): Promise<unknown> => (await fetch(graphql.replace('/graphql', '/health'))).json(),
      [Symbol.asyncDispose]: () => gateway.part.stop(),
    }
  }

  it('is served as soon as its file changes, with its subscriptions intact; an invalid one is refused and logged', async () => {
    const file = join(tmpdir(), `${randomUUID()}.graphql`)
    const offer = async (sdl: string): Promise<void> => {
      await writeFile(`${file}.next`, sdl)
      await rename(`${file}.next`, file)
    }
    await offer(supergraph())
    await using gateway = await startGateway({ SUPERGRAPH_FILE: file })
    const client = createClient({ url: gateway.graphql.replace('http', 'ws'), webSocketImpl: WebSocket, retryAttempts: 0 })
    const events = client.iterate({ query: 'subscription { lent(after: 0) { seq book { stars } } }' })
    graph.lend()
    expect((await events.next()).value).toMatchObject({ data: { lent: { seq: 1, book: { stars: 1 } } } })

    await offer(renamed())
    await expect.poll(gateway.fields).toContain('register')
    expect(gateway.logged('supergraph replaced')).toHaveLength(1)
    graph.lend('2')
    expect((await events.next()).value).toMatchObject({ data: { lent: { seq: 2, book: { stars: 2 } } } })
    expect(await gateway.health()).toMatchObject({ status: 'ok' })

    await offer('type Query { broken')
    await expect.poll(() => gateway.logged('supergraph rejected').length).toBe(1)
    expect(await gateway.fields()).toContain('register')
    expect(await gateway.health()).toMatchObject({
      status: 'degraded',
      checks: { supergraph: { error: expect.stringMatching(/rejected/) } },
    })
    await offer(composeSupergraph([{ name: 'lost', sdl: 'type Query { lost: Int }' }]))
    await expect.poll(() => gateway.logged('SUBGRAPH_URLS must name the subgraphs lost').length).toBe(1)
    await rm(file)
    await expect.poll(() => gateway.logged('cannot read the supergraph').length).toBe(1)

    await offer(supergraph())
    await expect.poll(gateway.fields).toContain('catalogue')
    expect(await gateway.health()).toMatchObject({ status: 'ok' })
    await client.dispose()
    await rm(file)
  })

  it('is fetched with its ETag from an address', async () => {
    let offered = supergraph()
    const requests: unknown[] = []
    const server = createServer(({ headers }, response) => {
      const etag = `"${offered.length}"`
      requests.push([headers.authorization, headers['if-none-match']])
      if (headers['if-none-match'] === etag) response.writeHead(304).end()
      else response.writeHead(200, { etag }).end(offered)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `${listenerUrl(server, '127.0.0.1').replace('//', '//gateway:secret%20word@')}/supergraph?v=1`
    {
      await using gateway = await startGateway({ SUPERGRAPH_URL: url })
      await expect.poll(() => requests.length).toBeGreaterThan(2)
      const credentials = `Basic ${btoa('gateway:secret word')}`
      expect(requests.slice(0, 2)).toEqual([
        [credentials, undefined],
        [credentials, `"${offered.length}"`],
      ])
      offered = renamed()
      await expect.poll(gateway.fields).toContain('register')
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await expect.poll(() => gateway.logged('cannot read the supergraph').length).toBe(1)
      expect(gateway.logged('secret')).toEqual([])
      expect(await gateway.fields()).toContain('register')
      expect(await gateway.health()).toMatchObject({
        status: 'degraded',
        checks: { supergraph: { error: expect.stringMatching(/cannot be read/) } },
      })
    }
    await expect(startGateway({ SUPERGRAPH_URL: url })).rejects.toThrow(/^the supergraph http:\/\/127[\d.:]+\/supergraph cannot be served/)
  })
})

it('is loaded one at a time, and the last of those that arrive in the meantime', async () => {
  let offered = 'first'
  const loaded: string[] = []
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let atOnce = 0
  const watch = supergraphWatch({
    origin: { name: 'a test', read: async () => offered },
    sdl: 'first',
    everyMs: 10,
    log: recordedLog().log,
    async serve(sdl) {
      atOnce += 1
      expect(atOnce).toBe(1)
      loaded.push(sdl)
      await gates[loaded.length - 1]?.promise
      atOnce -= 1
    },
  })
  await watch.start(new AbortController().signal)
  offered = 'second'
  await expect.poll(() => loaded).toEqual(['second'])
  for (offered of ['third', 'fourth', 'fifth']) watch.poll()
  gates[0]?.resolve()
  await expect.poll(() => loaded).toEqual(['second', 'fifth'])
  gates[1]?.resolve()
  await watch.stop()
  expect(loaded).toEqual(['second', 'fifth'])
})

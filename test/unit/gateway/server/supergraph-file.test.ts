import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { parseConfig } from '../../../../foundation/config/config.ts'
import { listenerUrl } from '../../../../foundation/http/listener-url.ts'
import { composeSupergraph } from '../../../../gateway/supergraph/supergraph.ts'
import type { ComposedProcess } from '../../../../platform/engines/composition.ts'
import { portsOf } from '../../../../platform/process/ports.ts'
import { parseRoles, type Roles } from '../../../../platform/process/roles.ts'
import { assembleSupergraphGateway, originOf, supergraphProblems } from '../../../../platform/supergraph-gateway.ts'
import { foreign } from '../../../support/gateway/foreign-subgraph.ts'
import { type HarbourLog, harbour, harbourSdl } from '../../../support/gateway/harbour.ts'
import { recordedLog } from '../../../support/gateway/town.ts'

const rolesOf = (...words: string[]): Roles => {
  const roles = parseRoles(words)
  if ('problems' in roles) throw new Error(roles.problems.join())
  return roles
}

describe('a foreign supergraph from a file', () => {
  const file = join(tmpdir(), `${randomUUID()}.graphql`)
  const subgraphRequests: string[] = []
  const running: { readonly server: Server; readonly stop: () => Promise<void> }[] = []
  let urls: Record<string, string>
  let gateway: ComposedProcess
  let graphql: string
  let log: HarbourLog
  const start = async (settings: Record<string, string>): Promise<ComposedProcess> => {
    const config = parseConfig({ PORT_BASE: '0', METRICS_PORT: '0', SUPERGRAPH_FILE: file, ...settings }, '/')
    return assembleSupergraphGateway(
      originOf(config),
      config,
      portsOf(config, rolesOf('gateway')),
      { version: '1', commit: 'x', schemaLevel: 0 },
      recordedLog().log,
    )
  }

  beforeAll(async () => {
    const fleet = harbour()
    log = fleet.log
    urls = {}
    for (const [name, schema] of Object.entries(fleet.schemas)) {
      const subgraph = await foreign(schema, subgraphRequests)
      running.push(subgraph)
      urls[name] = `${listenerUrl(subgraph.server, '127.0.0.1')}/graphql`
    }
    // the file has a wrong address for one of them, SUBGRAPH_URLS the right one
    await writeFile(
      file,
      composeSupergraph(
        Object.entries(harbourSdl).map(([name, sdl]) => ({ name, sdl, url: name === 'ports' ? 'http://127.0.0.1:9' : (urls[name] ?? '') })),
      ),
    )
    gateway = await start({ SUBGRAPH_URLS: `ports=${urls.ports}` })
    await gateway.part.start(new AbortController().signal)
    graphql = gateway.addresses().find(([label]) => label === 'GraphQL')?.[1] ?? ''
  })
  afterAll(async () => {
    await gateway.part.stop()
    await Promise.all(running.map((subgraph) => subgraph.stop()))
    await rm(file, { force: true })
  })
  const ask = async (query: string): Promise<unknown> => {
    const response = await fetch(graphql, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    return response.json()
  }

  it('answers queries and mutations without sending the caller to the subgraphs', async () => {
    expect(await ask('{ vessel(id: "f1") { name homePort { name busy cranes { operator { name age } } } } }')).toEqual({
      data: {
        vessel: {
          name: 'Ferry 1',
          homePort: { name: 'Port LU1', busy: false, cranes: [{ operator: { name: 'Provided p1', age: null } }, { operator: null }] },
        },
      },
    })
    expect(await ask('mutation { rename(id: "b1", name: "N") { name ... on Barge { tonnes } } }')).toEqual({
      data: { rename: { name: 'N', tonnes: 1.5 } },
    })
    expect(await ask('{ broken { name } }')).toMatchObject({
      data: { broken: null },
      errors: [{ path: ['broken'], extensions: { code: 'INTERNAL' } }],
    })
    expect(subgraphRequests).toContain('x-request-id')
    expect(subgraphRequests).not.toContain('x-civigraph-principal')
  })

  it('follows a subscription of a foreign graphql-ws server', async () => {
    const client = createClient({ url: graphql.replace('http', 'ws'), webSocketImpl: WebSocket, retryAttempts: 0 })
    const events = client.iterate({ query: 'subscription { vesselMoved(after: 0) { seq vessel { name homePort { busy } } } }' })
    log.move('f1')
    expect((await events.next()).value).toMatchObject({
      data: { vesselMoved: { seq: 1, vessel: { name: 'Ferry 1', homePort: { busy: false } } } },
    })
    await client.dispose()
  })

  it('forwards the headers in PROPAGATE_HEADERS over HTTP and WebSocket, and shares no subscription between callers that differ in them', async () => {
    const forwarding = await start({ SUBGRAPH_URLS: `ports=${urls.ports}`, PROPAGATE_HEADERS: 'Authorization, X-Civic' })
    await forwarding.part.start(new AbortController().signal)
    const address = forwarding.addresses().find(([label]) => label === 'GraphQL')?.[1] ?? ''
    subgraphRequests.length = 0
    try {
      const answer = await fetch(address, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: 'Basic YTpi',
          'x-civic': 'one',
          'x-service-api-key': 'theirs',
          cookie: 'c=1',
        },
        body: JSON.stringify({ query: '{ vessel(id: "f1") { name } }' }),
      })
      expect(await answer.json()).toEqual({ data: { vessel: { name: 'Ferry 1' } } })
      expect(subgraphRequests).toEqual(expect.arrayContaining(['authorization: Basic YTpi', 'x-civic: one']))
      expect(subgraphRequests).not.toEqual(expect.arrayContaining(['x-service-api-key']))
      expect(subgraphRequests).not.toEqual(expect.arrayContaining(['cookie']))

      subgraphRequests.length = 0
      const followers = ['a', 'b', 'b'].map((caller) =>
        createClient({
          url: address.replace('http', 'ws'),
          webSocketImpl: WebSocket,
          retryAttempts: 0,
          connectionParams: { 'X-Civic': caller, other: 'o' },
        }),
      )
      const streams = followers.map((client) => client.iterate({ query: 'subscription { vesselMoved { vessel { name } } }' }))
      const first = streams.map((stream) => stream.next())
      await expect
        .poll(() => subgraphRequests.filter((entry) => entry.startsWith('init')).toSorted())
        .toEqual(['init {"x-civic":"a"}', 'init {"x-civic":"b"}'])
      const moving = setInterval(() => log.move('f1'), 20)
      for (const event of await Promise.all(first))
        expect(event.value).toMatchObject({ data: { vesselMoved: { vessel: { name: 'Ferry 1' } } } })
      clearInterval(moving)
      for (const value of [7, ['a'], 'a\r\nx-civic: b', '日本']) {
        const refused = createClient({
          url: address.replace('http', 'ws'),
          webSocketImpl: WebSocket,
          retryAttempts: 0,
          connectionParams: { 'X-Civic': value },
        })
        const event = refused.iterate({ query: 'subscription { vesselMoved { seq } }' }).next()
        await expect(event, String(value)).rejects.toMatchObject({ code: 4401 })
      }
      await Promise.all(followers.map((client) => client.dispose()))
    } finally {
      await forwarding.part.stop()
    }
    await expect(start({ PROPAGATE_HEADERS: 'authorization,Host' })).rejects.toThrow(/PROPAGATE_HEADERS/)
  })

  it('checks no credentials itself: credentials of a client are for the subgraphs', async () => {
    const response = await fetch(graphql, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer theirs', 'x-service-api-key': 'theirs' },
      body: JSON.stringify({ query: '{ vessel(id: "f1") { name } }' }),
    })
    expect(await response.json()).toEqual({ data: { vessel: { name: 'Ferry 1' } } })
  })

  it('reports the health of its subgraphs, although the graph has no health fields', async () => {
    const health = async () => (await (await fetch(graphql.replace('/graphql', '/health'))).json()) as unknown
    expect(await health()).toMatchObject({ status: 'ok', checks: { fleet: { status: 'ok' }, statistics: { status: 'ok' } } })
    const [, , people] = running
    await people?.stop()
    running.splice(2, 1)
    expect(await health()).toMatchObject({ status: 'degraded', checks: { fleet: { status: 'ok' }, people: { status: 'down' } } })
    expect(await ask('{ person(id: "p2") { name } vessel(id: "f1") { name } }')).toMatchObject({
      data: { person: null, vessel: { name: 'Ferry 1' } },
      errors: [{ extensions: { code: 'ENGINE_UNAVAILABLE' } }],
    })
  })

  it('does not start without addresses, without a file, or with other roles', async () => {
    await writeFile(`${file}.2`, composeSupergraph(Object.entries(harbourSdl).map(([name, sdl]) => ({ name, sdl, url: '' }))))
    await expect(start({ SUPERGRAPH_FILE: `${file}.2`, SUBGRAPH_URLS: `fleet=${urls.fleet}` })).rejects.toThrow(
      /SUBGRAPH_URLS.*people, ports, statistics/,
    )
    await rm(`${file}.2`)
    await expect(start({ SUPERGRAPH_FILE: '/nowhere.graphql' })).rejects.toThrow(/nowhere\.graphql/)
    const from = (supergraphFile?: string, supergraphUrl?: string) => ({ supergraphFile, supergraphUrl })
    expect(supergraphProblems(from(file), rolesOf('gateway'))).toEqual([])
    expect(supergraphProblems(from(), rolesOf())).toEqual([])
    expect(supergraphProblems(from(file, 'http://127.0.0.1'), rolesOf('gateway'))).toEqual([
      expect.stringMatching(/SUPERGRAPH_FILE and SUPERGRAPH_URL.*unset one/),
    ])
    for (const words of [[], ['gateway', 'rest:content'], ['subgraph:content']])
      expect(supergraphProblems(from(file), rolesOf(...words))).toHaveLength(1)
  })
})

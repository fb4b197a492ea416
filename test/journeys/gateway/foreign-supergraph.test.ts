import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from 'graphql-ws'
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { listenerUrl } from '../../../foundation/http/listener-url.ts'
import { composeSupergraph } from '../../../gateway/supergraph/supergraph.ts'
import { removeDataDir, temporaryDataDir } from '../../support/engines/databases.ts'
import { archiveSupergraph, withoutPurpose } from '../../support/gateway/archive.ts'
import { foreign } from '../../support/gateway/foreign-subgraph.ts'
import { harbour, harbourSdl } from '../../support/gateway/harbour.ts'
import { freePortBase } from '../../support/processes/free-ports.ts'
import { startProcess, stopProcess, untilReady } from '../../support/processes/platform-process.ts'

it('serves a foreign supergraph from its file, reloads it on SIGHUP, and completes operations that run or arrive on SIGTERM', async () => {
  const { schemas, log } = harbour()
  const folder = await temporaryDataDir()
  const subgraphs = await Promise.all(Object.entries(schemas).map(async ([name, schema]) => ({ name, ...(await foreign(schema)) })))
  const file = join(folder, 'supergraph.graphql')
  const supergraph = (change: (sdl: string) => string): string =>
    composeSupergraph(
      subgraphs.map(({ name, server }) => ({
        name,
        sdl: change(Object.entries(harbourSdl).find(([each]) => each === name)?.[1] ?? ''),
        url: `${listenerUrl(server, '127.0.0.1')}/graphql`,
      })),
    )
  await writeFile(
    file,
    supergraph((sdl) => sdl),
  )
  const base = await freePortBase()
  const gateway = startProcess(['gateway'], {
    PATH: process.env.PATH ?? '',
    NODE_ENV: 'production',
    PORT_BASE: String(base),
    DATA_DIR: folder,
    SUPERGRAPH_FILE: file,
    SUPERGRAPH_POLL_MS: '3600000',
    DRAIN_DELAY_MS: '2000',
  })
  try {
    await untilReady(gateway)
    const graphql = `http://127.0.0.1:${base}/graphql`
    const answer = await fetch(graphql, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ vessel(id: "b2") { name ... on Barge { tonnes } homePort { name busy } } __typename }' }),
    })
    expect(await answer.json()).toEqual({
      data: { vessel: { name: 'Barge 2', tonnes: 3, homePort: { name: 'Port BE22', busy: true } }, __typename: 'Query' },
    })
    const client = createClient({ url: graphql.replace('http', 'ws'), webSocketImpl: WebSocket, retryAttempts: 0 })
    const events = client.iterate({ query: 'subscription { vesselMoved(after: 0) { seq vessel { homePort { busy } } } }' })
    log.move('f1')
    expect((await events.next()).value).toMatchObject({ data: { vesselMoved: { seq: 1, vessel: { homePort: { busy: false } } } } })
    await writeFile(
      file,
      supergraph((sdl) => sdl.replace('anything: JSON', 'anything: JSON  more: Int')),
    )
    gateway.child.kill('SIGHUP')
    await expect.poll(gateway.output).toContain('supergraph replaced')
    log.move('f2')
    expect((await events.next()).value).toMatchObject({ data: { vesselMoved: { seq: 2, vessel: { homePort: { busy: false } } } } })
    const over = events.next()
    const exit = stopProcess(gateway)
    await expect.poll(gateway.output).toContain('draining')
    const ready = await fetch(`http://127.0.0.1:${base}/health/ready`)
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'down', error: 'This process is about to stop' }])
    const late = await fetch(graphql, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ __typename }' }),
    })
    expect([late.status, late.headers.get('connection'), await late.json()]).toEqual([200, 'close', { data: { __typename: 'Query' } }])
    expect(await exit).toBe(0)
    expect(await over).toMatchObject({ done: true })
    expect(await readdir(folder)).toEqual(['supergraph.graphql'])
  } finally {
    await stopProcess(gateway)
    await Promise.all(subgraphs.map(({ stop }) => stop()))
    await removeDataDir(folder)
  }
})

it('does not start with a supergraph that protects fields while no authentication is configured, and names the setting', async () => {
  const folder = await temporaryDataDir()
  const file = join(folder, 'protected.graphql')
  const base = await freePortBase()
  const start = (more: Readonly<Record<string, string>> = {}) =>
    startProcess(['gateway'], {
      PATH: process.env.PATH ?? '',
      NODE_ENV: 'production',
      PORT_BASE: String(base),
      DATA_DIR: folder,
      SUPERGRAPH_FILE: file,
      SUBGRAPH_URLS: 'files=http://127.0.0.1:9,people=http://127.0.0.1:9',
      ...more,
    })
  try {
    await writeFile(file, withoutPurpose(archiveSupergraph()))
    const unguarded = start()
    expect(await unguarded.exited).toBe(1)
    expect(unguarded.output()).toMatch(/@authenticated, @policy, @requiresScopes.*OIDC_ISSUER_URL/)
    const undecided = start({ OIDC_ISSUER_URL: 'http://127.0.0.1:9' })
    expect(await undecided.exited).toBe(1)
    expect(undecided.output()).toMatch(/policies.*POLICY_MODULE or POLICY_FIELD/)
  } finally {
    await removeDataDir(folder)
  }
})

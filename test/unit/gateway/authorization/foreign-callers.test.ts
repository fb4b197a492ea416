import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
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
import { parseRoles } from '../../../../platform/process/roles.ts'
import { assembleSupergraphGateway, originOf } from '../../../../platform/supergraph-gateway.ts'
import { archiveSchemas, archiveSdl, withoutPurpose } from '../../../support/gateway/archive.ts'
import { foreign } from '../../../support/gateway/foreign-subgraph.ts'
import { startIssuer } from '../../../support/gateway/issuer.ts'
import { recordedLog } from '../../../support/gateway/town.ts'

const at = (name: string): string => join(tmpdir(), `${randomUUID()}-${name}`)
const file = at('supergraph.graphql')
const judge = at('judge.mjs')

async function assembled(settings: Readonly<Record<string, string>>, supergraph = file): Promise<ComposedProcess> {
  const config = parseConfig({ PORT_BASE: '0', METRICS_PORT: '0', SUPERGRAPH_FILE: supergraph, ...settings }, '/')
  const roles = parseRoles(['gateway'])
  if ('problems' in roles) throw new Error(roles.problems.join())
  return assembleSupergraphGateway(
    originOf(config),
    config,
    portsOf(config, roles),
    { version: '1', commit: 'x', schemaLevel: 0 },
    recordedLog().log,
  )
}

let issuer: Awaited<ReturnType<typeof startIssuer>>
let sdl: string
let gateway: ComposedProcess
let graphql: string
const subgraphs: { readonly stop: () => Promise<void> }[] = []

beforeAll(async () => {
  issuer = await startIssuer()
  const members = await Promise.all(Object.entries(archiveSchemas()).map(async ([name, schema]) => ({ name, ...(await foreign(schema)) })))
  subgraphs.push(...members)
  sdl = composeSupergraph(
    members.map(({ name, server }) => ({
      name,
      sdl: Object.entries(archiveSdl).find(([each]) => each === name)?.[1] ?? '',
      url: `${listenerUrl(server, '127.0.0.1')}/graphql`,
    })),
  )
  await writeFile(file, sdl)
  await writeFile(judge, 'export default (policies, { principal }) => policies.filter((each) => principal.user?.roles.includes(each))')
  gateway = await assembled({ OIDC_ISSUER_URL: issuer.url, POLICY_MODULE: judge })
  await gateway.part.start(new AbortController().signal)
  graphql = gateway.addresses().find(([label]) => label === 'GraphQL')?.[1] ?? ''
})
afterAll(async () => {
  await gateway.part.stop()
  await Promise.all(subgraphs.map((each) => each.stop()))
  await issuer[Symbol.asyncDispose]()
  await Promise.all([rm(file, { force: true }), rm(judge, { force: true })])
})

const post = (query: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(graphql, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify({ query }) })
const bearer = async (claims: Readonly<Record<string, unknown>> = {}) => ({ authorization: `Bearer ${await issuer.token(claims)}` })

describe('a supergraph that protects fields, from a file', () => {
  it('enforces their tokens over HTTP', async () => {
    const query = '{ file(id: "1") { title judged stamp sealed } }'
    expect(await (await post(query)).json()).toMatchObject({
      data: { file: null },
      errors: [{ path: ['file', 'judged'] }, { path: ['file', 'stamp'] }, { path: ['file', 'sealed'] }],
    })
    const claims = [{ scope: 'other file:read' }, { scp: ['file:read'] }, { scp: 'file:read', roles: ['judge'] }]
    const judged = []
    for (const each of claims) {
      const answer: { data?: { file?: { sealed?: string; judged?: string | null } } } = JSON.parse(
        await (await post(query, await bearer(each))).text(),
      )
      expect(answer.data?.file?.sealed).toBe('SEALED')
      judged.push(answer.data?.file?.judged)
    }
    expect(judged).toEqual([null, null, 'JUDGED'])
  })

  it('refuses invalid tokens, and tokens with more than 1000 scopes', async () => {
    expect((await post('{ file(id: "1") { title } }', { authorization: 'Bearer x.y.z' })).status).toBe(401)
    const many = await bearer({ scope: Array.from({ length: 1001 }, (_, n) => n.toString(36)).join(' ') })
    const refused = await post('{ file(id: "1") { title } }', many)
    expect(refused.status).toBe(401)
    expect(await refused.text()).toContain('more than 1000 scopes')
    // ten thousand scopes exceed the limit on request headers
    expect((await post('{ __typename }', await bearer({ scope: 'a '.repeat(10_000) }))).status).toBe(431)
  })

  it('enforces their tokens over WebSocket', async () => {
    const open = async (claims?: Readonly<Record<string, unknown>>) =>
      createClient({
        url: graphql.replace('http', 'ws'),
        webSocketImpl: WebSocket,
        retryAttempts: 0,
        ...(claims === undefined ? {} : { connectionParams: await bearer(claims) }),
      })
    const stranger = await open()
    const member = await open({ roles: ['judge'] })
    const query = 'subscription { filed { title judged } }'
    const first = async (client: typeof stranger, text: string) => (await client.iterate({ query: text }).next()).value
    expect(await first(stranger, query)).toMatchObject({ data: { filed: { title: 'File 1', judged: null } }, errors: [{}] })
    expect(await first(member, query)).toEqual({ data: { filed: { title: 'File 1', judged: 'JUDGED' } } })
    expect(await first(stranger, 'subscription { leaked { title } }')).toMatchObject({
      errors: [{ extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' } }],
    })
    expect(await first(member, '{ own { name } }')).toEqual({ data: { own: { name: 'Me' } } })
    await Promise.all([stranger.dispose(), member.dispose()])
    const tooMany = await open({ scope: Array.from({ length: 1001 }, (_, n) => n.toString(36)).join(' ') })
    await expect(tooMany.iterate({ query }).next()).rejects.toMatchObject({ code: 4401 })
  })

  it.each(['text/event-stream', 'multipart/mixed;subscriptionSpec="1.0"'])(
    'enforces their tokens in responses of type %s',
    async (accept) => {
      const query = 'subscription { filed { title judged } }'
      const stranger = await (await post(query, { accept })).text()
      expect(stranger).toContain('"judged":null')
      expect(stranger).toContain('UNAUTHORIZED_FIELD_OR_TYPE')
      expect(await (await post(query, { accept, ...(await bearer({ roles: ['judge'] })) })).text()).toContain('"judged":"JUDGED"')
      const refused = await post('subscription { leaked { title } }', { accept })
      expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('UNAUTHORIZED_FIELD_OR_TYPE')])
    },
  )

  it('does not start without authentication or a policy decision', async () => {
    const edited = at('edited.graphql')
    await writeFile(edited, withoutPurpose(sdl))
    for (const supergraph of [file, edited]) {
      await expect(assembled({}, supergraph)).rejects.toThrow(/@authenticated.*callers are not authenticated.*OIDC_ISSUER_URL/)
      await expect(assembled({ OIDC_ISSUER_URL: issuer.url }, supergraph)).rejects.toThrow(/policies.*POLICY_MODULE/)
    }
    await rm(edited)
    await expect(assembled({ OIDC_ISSUER_URL: issuer.url, POLICY_MODULE: '/nowhere.mjs' })).rejects.toThrow(/POLICY_MODULE.*nowhere/)
    await expect(assembled({ POLICY_FIELD: 'granted', POLICY_MODULE: judge })).rejects.toThrow(/both POLICY_MODULE and POLICY_FIELD/)
  })

  it('authenticates services by their keys', async () => {
    const sha256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
    const keyed = await assembled({ VERIFICATION_API_KEYS: `robot:${sha256}:file:read`, POLICY_FIELD: 'granted' })
    await keyed.part.start(new AbortController().signal)
    try {
      const url = keyed.addresses().find(([label]) => label === 'GraphQL')?.[1] ?? ''
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-service-api-key': 'test' },
        body: JSON.stringify({ query: '{ own { name } file(id: "1") { judged } }' }),
      })
      expect(await answer.json()).toEqual({ data: { own: { name: 'Me' }, file: { judged: 'JUDGED' } } })
    } finally {
      await keyed.part.stop()
    }
  })
})

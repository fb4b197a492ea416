import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeJwt, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditRecord } from '../../../engines/audit/audit-trail.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { cassandraTreeStore } from '../../../engines/tree-store/cassandra/cassandra-tree-store.ts'
import { postgresTreeStore } from '../../../engines/tree-store/postgres/postgres-tree-store.ts'
import { treeSnapshots } from '../../../engines/tree-store/tree-snapshot.ts'
import type { TreeStore } from '../../../engines/tree-store/tree-store.ts'
import type { Publication } from '../../../engines/typesetting/typesetter.ts'
import { systemClock } from '../../../foundation/clock.ts'
import { parseConfig } from '../../../foundation/config/config.ts'
import { createAuthentication } from '../../../foundation/http/authentication.ts'
import { requestContext } from '../../../foundation/http/request-context.ts'
import { silentLog as log } from '../../../foundation/log.ts'
import type { Principal, UserPrincipal } from '../../../foundation/principal.ts'
import { projectFolder } from '../../../foundation/process/build-info.ts'
import { createExecutor, type Executor } from '../../../gateway/executor/executor.ts'
import { inProcessSource } from '../../../gateway/sources/in-process-source.ts'
import { principalTokens } from '../../../gateway/sources/principal-token.ts'
import { composeSupergraph } from '../../../gateway/supergraph/supergraph.ts'
import { restServer } from '../../../rest-adapters/rest-server.ts'
import { routesOf } from '../../../rest-adapters/routes.ts'
import { createContent } from '../../../subgraphs/content/index.ts'
import { createNodes } from '../../../subgraphs/nodes/index.ts'
import { freshKeyspace } from '../../support/engines/cassandra.ts'
import { openMigrated, type RelationalEngine, realCassandra, relationalEngines, skippedWithout } from '../../support/engines/engines.ts'
import { type Reply, send } from '../../support/rest/rest.ts'
import { treesOn } from './support.ts'

type Person = Pick<UserPrincipal, 'subject' | 'roles' | 'groups'>
const admin: Person = { subject: 'ada', roles: ['super_admin'], groups: [] }
const editor: Person = { subject: 'awa', roles: ['group_admin'], groups: ['secret'] }
const stranger: Person = { subject: 'chidi', roles: ['group_admin'], groups: ['other'] }
const dayMs = 86_400_000
/** The result of a field that must not be null. */
function resultOf<Result>(value: unknown): Result {
  if (value == null) throw new Error('the field is null')
  return value as Result
}

/** A store of trees beside the database of links and audit. */
interface Subject {
  readonly name: string
  readonly engine: RelationalEngine
  readonly storeIn: (database: Database, open: AsyncDisposableStack) => Promise<TreeStore>
}

const subjects: readonly Subject[] = relationalEngines().map((engine) => ({
  name: engine.name,
  engine,
  storeIn: async (database) => postgresTreeStore(database),
}))
const cassandra = realCassandra()
if (cassandra === undefined) skippedWithout('CASSANDRA_CONTACT_POINTS', 'private tenants on Cassandra')

const [first] = subjects
const onCassandra: readonly Subject[] =
  cassandra === undefined || first === undefined
    ? []
    : [
        {
          ...first,
          name: 'Cassandra',
          async storeIn(_, open) {
            const { keyspace } = open.use(await freshKeyspace(cassandra))
            const store = cassandraTreeStore({ ...cassandra, keyspace, schemaFolder: join(projectFolder, 'schema/cql'), log })
            await store.start(AbortSignal.timeout(60_000))
            open.defer(() => store.stop())
            return store
          },
        },
      ]

for (const { name, engine, storeIn } of [...subjects, ...onCassandra])
  describe(`a private tenant on ${name}`, () => {
    const open = new AsyncDisposableStack()
    let executor: Executor
    let database: Database
    let address: string
    /** how far the clock of the subgraph is ahead */
    let aheadMs = 0
    const keys = [randomBytes(32), randomBytes(32)] as const
    const person = (each: Person): UserPrincipal => ({ issuer: 'https://issuer.test', expiresAt: 4e9, ...each })
    const tokenOf = (each: Person): string => Buffer.from(JSON.stringify(each)).toString('base64url')

    beforeAll(async () => {
      const opened = open.use(await openMigrated(engine))
      database = opened.database
      const folder = await mkdtemp(join(tmpdir(), 'civigraph-private-'))
      open.defer(() => rm(folder, { recursive: true, force: true }))
      const store = await storeIn(database, open)
      const trees = treesOn(store)
      for (const tenant of ['secret', 'public'])
        await trees.bring(tenant, [
          { id: 'top', title: `Text of ${tenant}` },
          { id: 'below', title: `Below ${tenant}`, parentId: 'top' },
        ])
      const typesetter = {
        async typeset({ chapters }: Publication) {
          const titles: string[] = []
          for await (const some of chapters) titles.push(...some.map(({ title }) => title))
          return Buffer.from(titles.join('\n'))
        },
      }
      const clock = { now: () => systemClock.now() + aheadMs }
      const content = await createContent(
        { store, snapshots: treeSnapshots(folder), clock, log, typesetter, database, linkKeys: keys },
        {
          version: '1.0.0',
          pdf: { memoryBytes: 2 ** 31, timeMs: 60_000 },
          placeholderIn: async () => undefined,
          trashDays: 30,
          privateTenants: ['secret'],
          publicUrl: 'https://content.test',
        },
      )
      const source = inProcessSource(content)
      const nodes = createNodes((_, operation) => source.fetch({ ...operation, operationName: undefined }))
      executor = createExecutor({
        supergraph: composeSupergraph([content, nodes]),
        sources: { content: source, nodes: inProcessSource(nodes) },
        eventTimeoutMs: 5000,
      })
      const authentication = createAuthentication({
        apiKeys: [],
        tokenVerifier: { verify: async (token) => person(JSON.parse(Buffer.from(token, 'base64url').toString()) as Person) },
      })
      const config = parseConfig({ NODE_ENV: 'test' }, '/tmp')
      const server = restServer({
        component: 'content',
        routes: routesOf('content', config),
        executor,
        authentication,
        config,
        log,
        port: 0,
      })
      await server.start(AbortSignal.timeout(10_000))
      open.defer(() => server.stop())
      address = server.address
    }, 120_000)
    afterAll(() => open.disposeAsync())

    const execute = async (text: string, principal: Principal, variables: object = {}) => {
      using context = requestContext({ principal, requestId: 'test', log, timeoutMs: 60_000, disconnected: new AbortController().signal })
      const result = await executor.execute(executor.prepare(text), { ...variables }, context)
      return JSON.parse(JSON.stringify(result)) as {
        data: Readonly<Record<string, unknown>> | null
        errors?: readonly { readonly message: string; readonly extensions: Readonly<Record<string, unknown>> }[]
      }
    }
    const get = (path: string, tenant: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> =>
      send(`${address}${path}`, 'GET', { 'x-tenant-id': tenant, ...headers })
    const createLink = (input: object, each = editor) =>
      execute(
        'mutation ($input: CreateContentLinkInput!) { createContentLink(input: $input) { url access expiresAt } }',
        { user: person(each) },
        { input },
      )
    const linkTo = async (days: number): Promise<string> => {
      const { data } = await createLink({ tenantId: 'secret', expiresAt: new Date(Date.now() + days * dayMs).toISOString() })
      return resultOf<{ access: string }>(data?.createContentLink).access
    }
    const paths = [
      '/api/v1/nodes/root',
      '/api/v1/nodes/below',
      '/api/v1/nodes/top/full',
      '/nodes/top/full',
      '/api/v1/export',
      '/api/v1/pdf',
      '/api/v1/nodes/top/pdf',
    ]

    it.each(paths)('answers %s like an unknown tenant, also after a reader with a right has filled every cache', async (path) => {
      const unknown = await get(path, 'unknown')
      const link = await linkTo(1)
      for (const allowed of [
        await get(path, 'secret', { authorization: `Bearer ${tokenOf(admin)}` }),
        await get(path, 'secret', { authorization: `Bearer ${tokenOf(editor)}` }),
        await get(`${path}?access=${link}`, 'secret'),
        await get(path, 'secret', { 'x-content-access': link }),
      ]) {
        expect([allowed.status, allowed.headers['cache-control'], allowed.headers.etag]).toEqual([200, 'private, no-store', undefined])
        expect(allowed.text).toContain('secret')
      }
      const refusals = [
        await get(path, 'secret'),
        await get(path, 'secret', { authorization: `Bearer ${tokenOf(stranger)}` }),
        await get(`${path}?access=${link}x`, 'secret'),
        await get(`${path}?access=`, 'secret'),
        await get(path, 'secret', { 'if-none-match': '*' }),
      ]
      expect(unknown.status).toBe(404)
      for (const refused of refusals) {
        expect([refused.status, refused.text]).toEqual([unknown.status, unknown.text])
        expect(withoutOwn(refused.headers)).toEqual(withoutOwn(unknown.headers))
      }
      const open = await get(path, 'public')
      expect([open.status, open.headers['cache-control']]).toEqual([200, 'public, max-age=0, must-revalidate'])
    })
    const withoutOwn = ({ date: _date, 'x-request-id': _id, ...rest }: Reply['headers']) => rest

    it('is unknown to every field of the graph, node and nodes included', async () => {
      const reads = `query ($t: ID, $ids: [ID!]!, $id: ID!) {
        contentRoot(tenantId: $t) { root { id } } contentNode(tenantId: $t, id: "top") { id } contentSubtree(tenantId: $t) { nodes { id } }
        contentPdf(tenantId: $t) { fileName } tenant(id: $t) { root { version } statistics { nodes } }
        node(id: $id) { ... on ContentNode { title parent { title } } } nodes(ids: $ids) { ... on ContentNode { title } ... on Tenant { root { version } statistics { nodes } } }
      }`
      const idOf = (...key: readonly string[]) => Buffer.from(JSON.stringify(key)).toString('base64url')
      const variablesOf = (t: string) => ({
        t,
        id: idOf('ContentNode', t, 'below'),
        ids: [idOf('ContentNode', t, 'top'), idOf('Tenant', t)],
      })
      const secret = await execute(reads, {}, variablesOf('secret'))
      const unknown = await execute(reads, {}, variablesOf('unknown'))
      expect(secret).toEqual(unknown)
      expect(secret.data).toMatchObject({ contentRoot: null, contentNode: null, contentSubtree: null, contentPdf: null, node: null })
      expect((await execute(reads, { user: person(stranger) }, variablesOf('secret'))).data).toEqual(unknown.data)
      const allowed = await execute(reads, { accessLink: await linkTo(1) }, variablesOf('secret'))
      expect(allowed.errors).toBeUndefined()
      expect(allowed.data).toMatchObject({
        contentRoot: { root: { id: 'top' } },
        node: { title: 'Below secret', parent: { title: 'Text of secret' } },
      })
    })

    it('opens a file of its PDF only for readers', async () => {
      const { data } = await execute('{ contentPdf(tenantId: "secret") { file { id } } }', { user: person(admin) })
      const { file } = resultOf<{ file: { id: string } }>(data?.contentPdf)
      const opening = async (principal: Principal) => {
        using context = requestContext({ principal, requestId: 'test', log, timeoutMs: 60_000, disconnected: new AbortController().signal })
        return (await executor.openFile(file.id, context)).toArray()
      }
      expect((await opening({ user: person(admin) })).join('')).toContain('Text of secret')
      await expect(opening({})).rejects.toThrow('Not Found')
      await expect(opening({ user: person(stranger) })).rejects.toThrow('Not Found')
    })

    it('accepts links of its own, until their end, of current and earlier keys only', async () => {
      const status = async (access: string) => (await get(`/api/v1/nodes/root?access=${access}`, 'secret')).status
      const sign = (claims: object, key: Uint8Array = keys[0], header: object = {}) =>
        new SignJWT({ tenant: 'secret', ...claims })
          .setProtectedHeader({ alg: 'HS256', typ: 'content-link+jwt', ...header })
          .setAudience('civigraph:content')
          .sign(key)
      const now = Math.floor(Date.now() / 1000)
      const valid = { iat: now, exp: now + 60 }
      expect(await status(await sign(valid))).toBe(200)
      expect(await status(await sign(valid, keys[1]))).toBe(200)
      expect(await status(await sign(valid, randomBytes(32)))).toBe(404)
      expect(await status(await sign({ ...valid, tenant: 'public' }))).toBe(404)
      expect(await status(await sign({ ...valid, tenant: ['secret'] }))).toBe(404)
      expect(await status(await sign({ iat: now }))).toBe(404)
      expect(await status(await sign({ exp: now + 60 }))).toBe(404)
      expect(await status(await sign(valid, keys[0], { typ: 'JWT' }))).toBe(404)
      expect(await status(await sign({ iat: now - 120, exp: now - 60 }))).toBe(404)
      // an end beyond 30 days does not lengthen the link
      const long = await sign({ iat: now, exp: now + 365 * 86_400 })
      expect(await status(long)).toBe(200)
      aheadMs = 31 * dayMs
      expect(await status(long)).toBe(404)
      aheadMs = 0
      const unsigned = `${Buffer.from(JSON.stringify({ alg: 'none', typ: 'content-link+jwt' })).toString('base64url')}.${(await sign(valid)).split('.')[1]}.`
      expect(await status(unsigned)).toBe(404)
    })

    it('lets its administrators create links for at most 30 days, audited', async () => {
      const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString()
      const { data } = await createLink({ tenantId: 'secret', nodeId: 'below', expiresAt: inDays(30) })
      const { url } = resultOf<{ url: string }>(data?.createContentLink)
      expect(url).toMatch(/^https:\/\/content\.test\/\?tenant=secret&node=below&access=/)
      const code = async (input: object, each?: Person) => (await createLink(input, each)).errors?.[0]?.extensions.code
      expect(await code({ tenantId: 'secret', expiresAt: inDays(31) })).toBe('BAD_USER_INPUT')
      expect(await code({ tenantId: 'secret', expiresAt: inDays(-1) })).toBe('BAD_USER_INPUT')
      expect(await code({ tenantId: 'public', expiresAt: inDays(1) }, admin)).toBe('BAD_USER_INPUT')
      for (const nodeId of ['x'.repeat(129), '', '../below'])
        expect(await code({ tenantId: 'secret', nodeId, expiresAt: inDays(1) })).toBe('BAD_USER_INPUT')
      expect(await code({ tenantId: 'secret', expiresAt: inDays(1) }, stranger)).toBe('FORBIDDEN')
      const records = await database.orm.select().from(auditRecord)
      const links = records.filter(({ action, outcome }) => action === 'content.link.create' && outcome === 'done')
      expect(links.length).toBeGreaterThan(0)
      expect(JSON.stringify(links)).not.toContain(new URL(url).searchParams.get('access'))
    })

    it('is not read with a link that its administrators have revoked', async () => {
      const [first, second] = [await linkTo(7), await linkTo(7)]
      const status = async (access: string) => (await get(`/api/v1/nodes/root?access=${access}`, 'secret')).status
      expect([await status(first), await status(second)]).toEqual([200, 200])
      const revoke = (link: string, each = editor, tenantId = 'secret') =>
        execute(
          'mutation ($input: RevokeContentLinkInput!) { revokeContentLink(input: $input) { key } }',
          { user: person(each) },
          { input: { tenantId, link } },
        )
      expect((await revoke(first, stranger)).errors?.[0]?.extensions.code).toBe('FORBIDDEN')
      for (const link of ['', 'https://content.test/?tenant=secret', 'a.b.c', 'x'.repeat(3000)])
        expect((await revoke(link)).errors?.[0]?.extensions.code, link).toBe('BAD_USER_INPUT')
      // another tenant cannot revoke it, nor prevent its revocation
      expect((await revoke(first, admin, 'public')).errors?.[0]?.extensions).toMatchObject({
        code: 'BAD_USER_INPUT',
        entries: [{ path: ['link'] }],
      })
      const firstKey = decodeJwt(first).jti ?? ''
      // keys that no link has are refused, so that they do not fill the list of revoked ones
      for (const [link, tenantId] of [
        [firstKey, 'public'],
        [randomUUID(), 'secret'],
      ] as const)
        expect((await revoke(link, admin, tenantId)).errors?.[0]?.extensions).toMatchObject({
          code: 'BAD_USER_INPUT',
          entries: [{ path: ['link'] }],
        })
      expect(await status(first)).toBe(200)
      const { data } = await revoke(`https://content.test/?tenant=secret&access=${first}`)
      const { key } = resultOf<{ key: string }>(data?.revokeContentLink)
      expect([await status(first), await status(second)]).toEqual([404, 200])
      expect((await revoke(key)).data?.revokeContentLink).toEqual({ key })
      const records = await database.orm.select().from(auditRecord)
      const revocations = records.filter(({ action, outcome }) => action === 'content.link.revoke' && outcome === 'done')
      expect(revocations).toMatchObject(['secret', 'secret'].map((target) => ({ target, details: { key } })))
    })

    it('is reached between processes with the link of the caller', () => {
      const tokens = principalTokens(randomBytes(32))
      const token = tokens.sign({ principal: { accessLink: 'a.b.c' }, requestId: randomUUID() }, 'content')
      expect(tokens.verify(token, 'content').principal).toEqual({ accessLink: 'a.b.c' })
    })
  })

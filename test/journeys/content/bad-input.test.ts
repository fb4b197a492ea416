import { once } from 'node:events'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Cursors } from '../../../foundation/graphql/cursors.ts'
import { ContentClient, tokenOf } from '../../support/clients/content-client.ts'
import type { System } from '../../support/processes/platform.ts'
import { startSystem } from '../../support/processes/start-system.ts'

const megabyte = 1024 * 1024
const ndjson = { 'content-type': 'application/x-ndjson' }
const deep: unknown = JSON.parse(`${'['.repeat(150)}${']'.repeat(150)}`)
/** Characters that end headers, lines, quotes and queries, leave folders, or are not valid text. */
const hostile = [
  '\u0000',
  '../../etc/passwd',
  "'; drop table content_node; --",
  'a\r\nSet-Cookie: x=1',
  '"',
  '\ud800',
  'é'.repeat(1000),
  '%00',
  '{{7*7}}',
  '$where',
]

describe('hostile or mistaken input of the content service', () => {
  let system: System
  let anyone: ContentClient
  let admin: ContentClient
  let token: string
  beforeAll(async () => {
    system = await startSystem({ components: ['administration', 'content'], env: { MAX_IMPORT_MB: '32', MAX_BODY_MB: '4' } })
    anyone = new ContentClient(system.rest.content)
    token = await tokenOf(system)
    admin = anyone.with({ authorization: `Bearer ${token}` })
    for (const tenant of ['mine', 'theirs'])
      expect(
        await of(tenant).import({
          nodes: [{ id: 'r', title: `Root of ${tenant}`, children: [{ id: `of-${tenant}`, external_id: `x-${tenant}`, title: 'A part' }] }],
        }),
      ).toMatchObject({ status: 200, body: { created: 2 } })
  })
  afterAll(() => system?.stop())
  const of = (tenant: string): ContentClient => admin.with({ 'x-tenant-id': tenant })
  const treeOf = async (tenant: string): Promise<string> => (await of(tenant).get('/api/v1/export')).text
  /** Sends a generated body without a declared length. */
  const stream = async (path: string, headers: Record<string, string>, chunk: Buffer, times: number) => {
    const authorization = `Bearer ${token}`
    const outgoing = request(anyone.base + path, { method: 'POST', headers: { authorization, 'x-tenant-id': 'mine', ...headers } })
    const answered = once(outgoing, 'response')
    // a client refused in the middle of a body may find the connection closed
    const sent = pipeline(Readable.from(Array.from({ length: times }, () => chunk)), outgoing).catch(() => undefined)
    const [response] = await answered
    const body = JSON.parse(Buffer.concat(await response.toArray()).toString('utf8'))
    await sent
    return { status: response.statusCode, body }
  }
  const send = async (
    query: string,
    variables: object,
  ): Promise<{ readonly errors?: { extensions: { code: string } }[]; readonly data?: unknown }> => {
    const response = await fetch(system.graphqlUrl, {
      ...{ method: 'POST', body: JSON.stringify({ query, variables }) },
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    })
    // a GraphQL response has one of the two
    return (await response.json()) as { errors?: { extensions: { code: string } }[]; data?: unknown }
  }

  it('bodies of 100 MB, sent or unpacked, are refused by size, and an endless line by its number', async () => {
    const before = await treeOf('mine')
    const blank = Buffer.from(`${' '.repeat(1023)}\n`.repeat(1024))
    const bomb = gzipSync(Buffer.concat(Array.from({ length: 100 }, () => blank)))
    const large = { detail: expect.stringContaining('large') }
    const json = { 'content-type': 'application/json' }
    const gzip = { 'content-encoding': 'gzip' }
    // concurrently, because the server reads on for a while after each refusal
    const [endless, ...refused] = await Promise.all([
      stream('/api/v1/admin/import', ndjson, Buffer.alloc(megabyte, 'x'), 100),
      stream('/api/v1/admin/import', ndjson, blank, 100),
      stream('/api/v1/admin/import', { ...ndjson, 'content-length': String(100 * megabyte) }, blank, 100),
      stream('/api/v1/admin/import', { ...ndjson, ...gzip }, bomb, 1),
      stream('/api/v1/admin/nodes', json, blank, 100),
      stream('/api/v1/admin/nodes', { ...json, ...gzip }, bomb, 1),
    ])
    expect(refused).toEqual(refused.map(() => ({ status: 413, body: large })))
    expect(endless).toMatchObject({ status: 422, body: { detail: [{ type: 'string_too_long', loc: ['body', 1] }] } })
    expect(await treeOf('mine')).toBe(before)
  })

  it('invalid timestamps are ignored', async () => {
    for (const time of ['yesterday', '-000001-01-01T00:00:00Z', '0000-01-01T00:00:00Z', '+010000-01-01T00:00:00Z', '9'.repeat(400)]) {
      const rows = [{ id: 'timed', title: time.slice(0, 40), parent_id: 'r', created_at: time, updated_at: time }]
      expect([time, (await of('theirs').import({ nodes: rows })).status]).toEqual([time, 200])
    }
    const [, created] = /"created_at":"(\d{4})/.exec((await of('theirs').get('/nodes/timed/full')).text) ?? []
    expect(Number(created)).toBeGreaterThan(2000)
  })

  it('ids of another tenant are not found, and its tree is unchanged', async () => {
    const theirs = await treeOf('theirs')
    const mine = of('mine')
    for (const path of ['/nodes/of-theirs/full', '/api/v1/nodes/of-theirs/full', '/api/v1/nodes/of-theirs', '/api/v1/nodes/of-theirs/pdf'])
      expect([path, (await mine.get(path)).status]).toEqual([path, 404])
    expect(await mine.create({ title: 'x', parent_id: 'of-theirs' })).toMatchObject({ status: 404 })
    for (const above of [{ parent_id: 'of-theirs' }, { parent_external_id: 'x-theirs' }])
      expect(await mine.import({ nodes: [{ id: 'new', title: 'x', ...above }] })).toMatchObject({
        status: 422,
        body: { detail: [{ type: 'tree_orphan' }] },
      })
    expect(await mine.import({ nodes: [{ id: 'new', title: 'x', parent_id: 'r', tenant_id: 'theirs' }] })).toMatchObject({
      status: 200,
      body: { created: 1 },
    })
    expect((await mine.get('/nodes/new/full')).body).toMatchObject({ tenant_id: 'mine' })
    for (const [mutation, input] of [
      ['moveContentNode', { id: 'new', parentId: 'of-theirs' }],
      ['moveContentNode', { id: 'of-theirs', parentId: 'r' }],
      ['updateContentNode', { id: 'of-theirs', title: 'x' }],
      ['deleteContentNode', { id: 'of-theirs' }],
      ['restoreContentNode', { id: 'of-theirs' }],
      ['purgeContentNode', { id: 'of-theirs' }],
    ] as const) {
      const type = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input`
      const { errors } = await send(`mutation ($input: ${type}!) { ${mutation}(input: $input) { __typename } }`, {
        input: { tenantId: 'mine', ...input },
      })
      expect([mutation, errors?.[0]?.extensions.code]).toEqual([mutation, 'NOT_FOUND'])
    }
    expect(await treeOf('theirs')).toBe(theirs)
  })

  it('path traversal in names is refused or not found, in every field', async () => {
    for (const name of hostile) {
      const inPath = encodeURIComponent(name.toWellFormed())
      for (const path of [`/nodes/${inPath}/full`, `/api/v1/nodes/${inPath}`, `/api/v1/nodes/${inPath}/pdf`])
        expect([path, (await of('mine').get(path)).status]).toEqual([path, expect.toBeOneOf([404, 422])])
      const about = await send('query ($name: ID!) { contentNode(tenantId: "mine", id: $name) { id } }', { name })
      expect([name, about.data ?? about.errors?.[0]?.extensions.code]).toEqual([
        name,
        expect.toBeOneOf(['BAD_USER_INPUT', { contentNode: null }]),
      ])
      for (const field of ['contentRoot { version }', 'contentPdf { fileName }', 'contentSubtree { version }']) {
        const [root, selection] = field.split(' {')
        const { errors } = await send(`query ($name: ID!) { ${root}(tenantId: $name) {${selection} }`, { name })
        expect([name, field, errors?.[0]?.extensions.code]).toEqual([name, field, 'BAD_USER_INPUT'])
      }
      const { errors: ofTenant } = await send('query ($name: ID!) { tenant(id: $name) { id } }', { name })
      expect(ofTenant?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', entries: [{ path: ['id'] }] })
      expect([name, (await of('mine').create({ id: name, title: 'x', parent_id: 'r' })).status]).toEqual([name, 422])
      expect([name, (await of('mine').create({ title: 'x', parent_id: name })).status]).toEqual([name, expect.toBeOneOf([404, 422])])
      for (const row of [
        { title: 'x', parent_id: name },
        { title: 'x', parent_external_id: name },
        { id: name, title: 'x', parent_id: 'r' },
      ])
        expect([row, (await of('mine').import({ nodes: [row] })).status]).toEqual([row, 422])
    }
  })

  it('a forged cursor is rejected', async () => {
    const list = new Cursors(['ContentNode.children', 'mine', 'r'])
    const versions = [2 ** 31, -1, 1.5, '1'].map((version) => list.of(version, 'V'))
    const places = ['\u0000', "'", 'V'.repeat(100_000)].map((place) => list.of(1, place))
    for (const after of [...versions, ...places, list.of(1), new Cursors(['ContentNode.children', 'theirs', 'r']).of(1, 'V')]) {
      const query =
        'query ($after: String) { contentNode(tenantId: "mine", id: "r") { children(first: 1, after: $after) { nodes { id } } } }'
      expect([after, (await send(query, { after })).errors?.[0]?.extensions.code]).toEqual([after, 'MALFORMED'])
    }
  })

  it('a title cannot inject into the Content-Disposition header', async () => {
    const titles = [
      '"; filename="evil.exe',
      '../../../etc/passwd',
      'CON',
      '…',
      'a;b=c',
      'é"ü\\',
      `${'long '.repeat(80)}end`,
      '.htaccess',
      '\u202egpj.exe',
    ]
    for (const [at, title] of titles.entries()) {
      const { body } = await of('mine').create({ id: `t${at}`, title, parent_id: 'r' })
      const { status, headers } = await of('mine').get(`/api/v1/nodes/${body.id}/pdf`)
      expect([title, status]).toEqual([title, 200])
      expect([title, headers.get('content-disposition')]).toEqual([
        title,
        expect.stringMatching(/^inline; filename=(?!\.)[\w.-]+\.pdf(; filename\*=UTF-8''[\w.%~-]+\.pdf)?$/),
      ])
    }
  })

  it('invalid characters and texts above the maximum length are refused with the name of the field', async () => {
    const refusedAt = async (node: object) => {
      const { status, body } = await of('mine').create({ title: 'x', parent_id: 'r', ...node })
      return [status, body.detail[0]?.type, body.detail[0]?.loc?.join('.')]
    }
    expect(await refusedAt({ title: 'x'.repeat(megabyte) })).toEqual([422, 'string_too_long', 'body.title'])
    expect(await refusedAt({ title: '' })).toEqual([422, 'string_too_short', 'body.title'])
    for (const blank of [' ', '\u00a0\u200b', '\u202e\u2066'])
      expect(await refusedAt({ title: blank })).toEqual([422, 'string_blank', 'body.title'])
    expect(await refusedAt({ title: 'two\nlines' })).toEqual([422, 'string_control_characters', 'body.title'])
    for (const character of ['\u0000', '\u0007', '\u001b', '\u007f', '\u009f', '\ud800', '\udc00'])
      for (const field of ['title', 'summary', 'body', 'external_id'])
        expect(await refusedAt({ [field]: `a${character}b` })).toEqual([422, 'string_control_characters', `body.${field}`])
    expect(await refusedAt({ body: 'x'.repeat(1_000_001) })).toEqual([422, 'string_too_long', 'body.body'])
    expect(await refusedAt({ locale: 'fr"><script>' })).toEqual([422, 'string_pattern_mismatch', 'body.locale'])
    expect(await refusedAt({ slug: '../x' })).toEqual([422, 'string_pattern_mismatch', 'body.slug'])
    expect(await refusedAt({ position: 1.5 })).toEqual([422, expect.any(String), 'body.position'])
    expect(await refusedAt({ metadata: { a: 'x'.repeat(70_000) } })).toEqual([422, 'value_error', 'body.metadata'])
    expect(await refusedAt({ metadata: { a: deep } })).toEqual([422, 'value_error', 'body.metadata'])
    const media = Array.from({ length: 101 }, () => ({ url: 'https://example.org/x' }))
    expect(await refusedAt({ media })).toEqual([422, 'too_long', 'body.media'])
  })

  it.each([
    ...['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'java\tscript:alert(1)', ' javascript:alert(1)', '\u0001javascript:alert(1)'],
    ...['data:text/html,<script>', 'data:image/svg+xml,<svg>', 'vbscript:x', 'file:///etc/passwd', 'blob:https://example.org/x'],
    ...[
      '//example.org/x',
      '\\\\example.org',
      '/x',
      'x',
      'https:example.org',
      'https:\\\\example.org',
      'https://',
      'http:///x',
      ' https://example.org',
    ],
  ])('a medium at %j is refused by its address in every kind of request', async (url) => {
    const before = await treeOf('mine')
    const media = [{ url: 'https://example.org/a.png' }, { url }]
    const title = 'Text'
    const places = (body: { detail: { loc: (string | number)[] }[] }) => body.detail.map(({ loc }) => loc.join('.'))
    const created = await of('mine').create({ title, parent_id: 'r', media })
    expect([created.status, places(created.body)]).toEqual([422, ['body.media.1.url']])
    const nested = await of('mine').import({ nodes: [{ id: 'r', title: 'R', children: [{ title, media }] }] })
    expect([nested.status, places(nested.body)]).toEqual([422, ['body.nodes.0.children.0.media.1.url']])
    const lines = await of('mine').lines([
      { id: 'r', title: 'R' },
      { title, parent_id: 'r', media },
    ])
    expect([lines.status, places(lines.body)]).toEqual([422, ['body.2.media.1.url']])
    for (const [field, input] of [
      ['createContentNode', { tenantId: 'mine', title, parentId: 'r', media }],
      ['updateContentNode', { tenantId: 'mine', id: 'r', media }],
    ] as const) {
      const name = `${field.charAt(0).toUpperCase()}${field.slice(1)}`
      const { errors } = await send(`mutation ($input: ${name}Input!) { ${field}(input: $input) { node { id } } }`, { input })
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', entries: [{ path: ['media', 1, 'url'] }] })
    }
    expect(await treeOf('mine')).toBe(before)
  })

  it('a part of a body that cannot be stored is refused with its path, and not dropped silently', async () => {
    const before = await treeOf('mine')
    const inside = [{ id: 'inside', title: 'Inside' }]
    const row = (more: object) => ({ id: 'outside', title: 'Outside', parent_id: 'r', ...more })
    const lines = (...rows: object[]) => of('mine').lines(rows, '?mode=replace')
    for (const [answer, refused] of [
      [await of('mine').import({ nodes: [row({}), row({ children: { inside } })] }), 'list_type body.nodes.1.children'],
      [
        await of('mine').import({ nodes: [row({ children: [{ ...row({ children: 'inside' }) }] })] }),
        'list_type body.nodes.0.children.0.children',
      ],
      [await lines(row({}), row({ children: inside })), 'value_error body.2.children'],
      [await lines(row({ children: inside[0] })), 'list_type body.1.children'],
      [await of('mine').import({ nodes: [row({}), row({ metadata: { deep } })] }), 'value_error body.nodes.1.metadata'],
      [await lines(row({}), row({ metadata: { deep } })), 'value_error body.2.metadata'],
    ] as const)
      expect([answer.status, `${answer.body.detail[0]?.type} ${answer.body.detail[0]?.loc?.join('.')}`]).toEqual([422, refused])
    expect(await treeOf('mine')).toBe(before)
    expect(
      (await lines({ id: 'r', title: 'Root of mine', children: [] }, { id: 'of-mine', title: 'A part', parent_id: 'r', children: null }))
        .status,
    ).toBe(200)
  })

  it('only the root may have the id root, which is reserved by its path', async () => {
    const tenant = of('rooted')
    const nodes = [{ id: 'r', title: 'R', children: [{ id: 'root', title: 'Not the root' }] }]
    expect(await tenant.import({ nodes })).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'value_error', loc: ['body', 'nodes'] }] },
    })
    expect((await tenant.create({ id: 'root', title: 'R' })).status).toBe(201)
    expect((await tenant.get('/api/v1/nodes/root')).body.root.title).toBe('R')
    expect((await of('mine').create({ id: 'root', title: 'Not the root', parent_id: 'r' })).body).toMatchObject({
      detail: [{ type: 'value_error', loc: ['body', 'id'] }],
    })
  })

  it('writes require a token of the right role, and for a service its permission', async () => {
    const before = await treeOf('mine')
    const mine = anyone.with({ 'x-tenant-id': 'mine' })
    const group = mine.with({ authorization: `Bearer ${await tokenOf(system, 'group_admin')}` })
    const service = mine.with({ 'x-service-api-key': system.apiKey })
    for (const [client, status] of [
      [mine, 401],
      [mine.with({ authorization: 'Bearer nonsense' }), 401],
      [mine.with({ authorization: 'Basic YTpi' }), 401],
      [group, 403],
      // ADMIN_AUTH is `token`: the key has every scope, but does not administer content
      [service, 403],
      [mine.with({ 'x-service-api-key': 'wrong' }), 401],
    ] as const) {
      expect((await client.create({ title: 'x', parent_id: 'r' })).status).toBe(status)
      expect((await client.import({ nodes: [] }, '?mode=replace')).status).toBe(status)
      expect((await client.import('', '?mode=replace', ndjson)).status).toBe(status)
    }
    expect(await treeOf('mine')).toBe(before)
  })
})

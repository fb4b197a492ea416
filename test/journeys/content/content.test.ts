import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { ContentClient, type ContentNode, groupAdminToken, tokenOf } from '../../support/clients/content-client.ts'
import { layouts, type Platform } from '../../support/processes/platform.ts'
import { sharedPlatform } from '../../support/processes/shared-platform.ts'

let tenants = 0
const newTenant = (): string => `tenant-${++tenants}`

describe.each(layouts)('the magazine’s tree, in layout %s', (layout) => {
  let system: Platform
  let anyone: ContentClient
  let admin: ContentClient
  let token: string
  beforeAll(async () => {
    system = await sharedPlatform(layout)
    anyone = new ContentClient(system.rest.content)
    token = await tokenOf(system)
    admin = anyone.with({ authorization: `Bearer ${token}` })
  })
  const inTenant = (tenant: string) => ({
    admin: admin.with({ 'x-tenant-id': tenant }),
    anyone: anyone.with({ 'x-tenant-id': tenant }),
  })

  it('is created node by node and walked from the root', async () => {
    const { admin, anyone } = inTenant(newTenant())
    expect(await anyone.get('/api/v1/nodes/root')).toMatchObject({ status: 404, body: { detail: 'This tenant has no content' } })
    const root = await admin.create({
      title: 'Le magazine',
      external_id: 'home',
      metadata: { theme: { dark: true } },
      media: [{ url: 'https://example.org/a.png' }],
    })
    expect(root).toMatchObject({
      status: 201,
      body: { title: 'Le magazine', slug: 'le-magazine', depth: 0, children_count: 0, path_truncated: false },
    })
    expect(root.headers.get('location')).toBe(`/api/v1/nodes/${root.body.id}/full`)
    expect(
      await admin.create({
        title: 'Le magazine',
        external_id: 'home',
        metadata: { theme: { dark: true } },
        media: [{ url: 'https://example.org/a.png' }],
      }),
    ).toMatchObject({ status: 200, body: { id: root.body.id } })
    const sections = []
    for (const title of ['Un', 'Deux', 'Trois']) sections.push((await admin.create({ title, parent_id: root.body.id })).body)
    const first = await admin.create({ title: 'Zéro', parent_id: root.body.id, position: -1, body: '# Bonjour' })
    expect(first.body.path).toEqual([root.body.id, first.body.id])

    const answer = await anyone.get('/api/v1/nodes/root')
    expect(answer).toMatchObject({ status: 200, body: { total_children: 4, source: 'store', snapshot_at: null, next: null } })
    expect(answer.headers.get('x-content-source')).toBe('store')
    expect(answer.body.children.map(({ title }: ContentNode) => title)).toEqual(['Zéro', 'Un', 'Deux', 'Trois'])
    expect(answer.body.root).toMatchObject({
      metadata: { theme: { dark: true } },
      media: [{ url: 'https://example.org/a.png', type: null, alt: null, caption: null }],
    })
    const etag = answer.headers.get('etag') ?? ''
    expect((await anyone.get('/api/v1/nodes/root', { 'if-none-match': etag })).status).toBe(304)

    const pages: string[] = []
    for (let after = ''; ; ) {
      const page = await anyone.get(`/api/v1/nodes/root?first=3${after}`)
      pages.push(page.body.children.map(({ title }: ContentNode) => title).join())
      if (page.body.next === null) break
      after = `&after=${page.body.next}`
    }
    expect(pages).toEqual(['Zéro,Un,Deux', 'Trois'])
    expect(await anyone.get('/api/v1/nodes/root?after=nonsense')).toMatchObject({ status: 400 })
    expect(await anyone.get('/api/v1/nodes/root?first=0')).toMatchObject({ status: 422, body: { detail: [{ loc: ['query', 'first'] }] } })
  })

  it('returns a whole subtree, nested and as NDJSON, under both prefixes', async () => {
    const { admin, anyone } = inTenant(newTenant())
    await admin.import({
      nodes: [
        {
          id: 'r',
          title: 'r',
          children: [
            {
              id: 'a',
              title: 'a',
              children: [
                { id: 'x', title: 'x' },
                { id: 'y', title: 'y' },
              ],
            },
            { id: 'b', title: 'b' },
          ],
        },
      ],
    })
    const names = (node: ContentNode): string => (node.children?.length ? `${node.id}(${node.children.map(names).join(' ')})` : node.id)
    for (const prefix of ['', '/api/v1']) {
      expect(names((await anyone.get(`${prefix}/nodes/r/full`)).body)).toBe('r(a(x y) b)')
      expect(names((await anyone.get(`${prefix}/nodes/a/full`)).body)).toBe('a(x y)')
      expect(names((await anyone.get(`${prefix}/nodes/b/full`)).body)).toBe('b')
      expect(await anyone.get(`${prefix}/nodes/none/full`)).toMatchObject({ status: 404, body: { detail: 'Node not found' } })
    }
    const lines = await anyone.get('/nodes/a/full', { accept: 'application/x-ndjson' })
    expect(lines.headers.get('content-type')).toBe('application/x-ndjson')
    expect(
      lines.text
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as ContentNode).id),
    ).toEqual(['a', 'x', 'y'])
    const again = await anyone.get('/nodes/a/full', { accept: 'application/x-ndjson', 'if-none-match': lines.headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
  })

  it('is exported and imported into another tenant, where it is equal', async () => {
    const [from, to] = [inTenant(newTenant()), inTenant(newTenant())]
    const rows = Array.from({ length: 2500 }, (_, n) => ({
      ...{ id: `n${n}`, title: `Node ${n} — é مرحبا`, body: `body of ${n}\n`.repeat(n % 7), position: (n * 7919) % 13 },
      ...(n === 0 ? {} : { parent_id: `n${Math.floor((n - 1) / 4)}` }),
    }))
    expect(await from.admin.lines(rows)).toMatchObject({
      status: 200,
      body: { received: 2500, created: 2500, updated: 0, unchanged: 0, deleted: 0, duplicates_removed: 0 },
    })
    expect(await from.admin.lines(rows)).toMatchObject({ status: 200, body: { created: 0, updated: 0, unchanged: 2500 } })
    const exported = await from.anyone.get('/api/v1/export')
    expect(exported.body).toHaveLength(2500)
    const body = gzipSync(exported.text)
    const response = await fetch(`${to.admin.base}/api/v1/admin/import?mode=replace`, {
      ...{ method: 'POST', body },
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        'x-tenant-id': `tenant-${tenants}`,
      },
    })
    expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ created: 2500 })])
    const copied = await to.anyone.get('/api/v1/export')
    const withoutTenant = (nodes: ContentNode[]) => nodes.map(({ tenant_id: _, ...node }) => node)
    expect(withoutTenant(copied.body)).toEqual(withoutTenant(exported.body))
    expect(await from.admin.import({ nodes: [] }, '?mode=replace&dry_run=true')).toMatchObject({ body: { deleted: 2500 } })
    expect((await from.anyone.get('/api/v1/nodes/root')).status).toBe(200)
    const nothing = { nodes: [] }
    expect(await from.admin.import(nothing, '?mode=replace')).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['query', 'confirm'], type: 'missing' }] },
    })
    expect((await from.admin.import(nothing, '?mode=replace&confirm=false')).status).toBe(422)
    expect((await from.anyone.get('/api/v1/export')).body).toHaveLength(2500)
    expect(await from.admin.import(nothing, '?mode=replace&confirm=true')).toMatchObject({ body: { deleted: 2500 } })
    expect((await from.anyone.get('/api/v1/nodes/root')).status).toBe(404)
    expect(await from.anyone.get('/api/v1/export')).toMatchObject({ status: 404, body: { detail: 'This tenant has no content' } })
    expect((await from.admin.create({ title: 'Again' })).status).toBe(201)
  })

  it('refuses an invalid import with all its errors, and writes nothing', async () => {
    const { admin, anyone } = inTenant(newTenant())
    const lines = Array.from({ length: 3000 }, (_, n) =>
      JSON.stringify({ id: `n${n}`, title: 'x', ...(n === 0 ? {} : { parent_id: 'n0' }) }),
    )
    const broken = lines.map((line, at) => (at === 2499 ? line.slice(0, -5) : line)).join('\n')
    expect(await admin.import(broken, '', { 'content-type': 'application/x-ndjson' })).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'json_invalid', loc: ['body', 2500], msg: 'JSON decode error in line 2500' }] },
    })
    const long = lines
      .map((line, at) => (at === 2499 ? JSON.stringify({ title: 'y'.repeat(1_000_000), parent_id: 'n0' }) : line))
      .join('\n')
    expect(await admin.import(long, '', { 'content-type': 'application/x-ndjson' })).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'string_too_long', loc: ['body', 2500, 'title'] }] },
    })
    const refused = async (body: unknown) => {
      const answer = await admin.import(body)
      return [answer.status, ...answer.body.detail.map(({ type, loc }: { type: string; loc: unknown[] }) => `${type} ${loc.join('.')}`)]
    }
    expect(
      await refused({
        nodes: [
          { id: 'a', title: 'a', parent_id: 'b' },
          { id: 'b', title: 'b', parent_id: 'a' },
        ],
      }),
    ).toEqual([422, 'tree_cycle body.nodes', 'tree_cycle body.nodes'])
    expect(
      await refused({
        nodes: [
          { id: 'a', title: 'a' },
          { id: 'b', title: 'b' },
        ],
      }),
    ).toEqual([422, 'tree_second_root body.nodes', 'tree_second_root body.nodes'])
    expect(
      await refused({
        nodes: [
          { id: 'a', title: 'a' },
          { id: 'b', title: 'b', parent_id: 'of another tenant' },
        ],
      }),
    ).toEqual([422, 'tree_orphan body.nodes'])
    expect(await refused({ nodes: [{ id: 'a', title: 'a', children: [{ title: 7 }] }] })).toEqual([
      422,
      'string_type body.nodes.0.children.0.title',
    ])
    expect(await refused({ nodes: [{ id: '../a', title: 'NUL \u0000' }] })).toEqual([
      422,
      'string_pattern_mismatch body.nodes.0.id',
      'string_control_characters body.nodes.0.title',
    ])
    expect(await refused({ other: [] })).toEqual([422, 'missing body.nodes'])
    for (const body of ['{"nodes":[{}{}]}', '{"nodes":[{"title":"a"}', '{"nodes":[1]}', '', '[]]', '{"nodes":[{"title":"a"},]}'])
      expect((await admin.import(body)).status).toBe(422)
    expect((await admin.import('x', '', { 'content-type': 'text/csv' })).status).toBe(415)
    expect((await admin.import('x', '', { 'content-encoding': 'br' })).status).toBe(415)
    expect((await admin.import('x', '', { 'content-encoding': 'gzip' })).status).toBe(400)
    expect((await anyone.get('/api/v1/nodes/root')).status).toBe(404)
  })

  it('refuses bodies that are too large in any encoding, and one with an error in line 50,000', async () => {
    const tenant = newTenant()
    const { admin, anyone } = inTenant(tenant)
    const ndjson = { 'content-type': 'application/x-ndjson' }
    expect(await admin.create({ title: 'x', body: 'y'.repeat(30_000_000) })).toMatchObject({ status: 413 })
    // 100 MB in one line, and in many, in a few hundred kB: refused by their ratio during decompression
    const bombs = [
      ['x', 413],
      [`${JSON.stringify({ id: 'n0', title: 'Again', body: 'y'.repeat(900_000) })}\n`, 413],
    ] as const
    for (const [line, status] of bombs) {
      const answer = await fetch(`${system.rest.content}/api/v1/admin/import`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'x-tenant-id': tenant, 'content-encoding': 'gzip', ...ndjson },
        body: gzipSync(line.repeat(Math.ceil(100_000_000 / line.length))),
        signal: AbortSignal.timeout(60_000),
      })
      expect(answer.status).toBe(status)
    }
    const lines = Array.from({ length: 50_001 }, (_, n) => `{"id":"n${n}","title":"x"${n === 0 ? '' : ',"parent_id":"n0"'}}`)
    lines[49_999] = '{"id":"n49999","title":"x"'
    expect(await admin.import(lines.join('\n'), '', ndjson)).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'json_invalid', loc: ['body', 50_000], msg: 'JSON decode error in line 50000' }] },
    })
    expect((await anyone.get('/api/v1/nodes/root')).status).toBe(404)
  }, 120_000)

  it('is exported as PDF, whole or in part: the same bytes until it changes', async () => {
    const { admin, anyone } = inTenant(newTenant())
    expect(await anyone.get('/api/v1/pdf')).toMatchObject({ status: 404, body: { detail: 'This tenant has no content' } })
    const id = `a${'-'.repeat(127)}`
    const nodes = [{ id: 'r', title: 'Le magazine', children: [{ id, title: 'الماء', locale: 'ar', body: '**ماء**' }] }]
    await admin.import({ nodes })
    const pdf = async (path: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`${anyone.base}${path}`, { headers: { 'x-tenant-id': `tenant-${tenants}`, ...headers } })
      return { response, bytes: Buffer.from(await response.arrayBuffer()) }
    }
    const { response, bytes } = await pdf('/api/v1/pdf')
    expect([response.status, bytes.toString('latin1', 0, 8)]).toEqual([200, '%PDF-1.7'])
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(bytes.length),
      'content-disposition': 'inline; filename=le-magazine.pdf',
      'x-content-source': 'store',
      vary: expect.stringContaining('X-Tenant-Id'),
      etag: `"${createHash('sha256').update(bytes).digest('hex')}"`,
    })
    const conditional = { 'if-none-match': response.headers.get('etag') ?? '' }
    expect((await pdf('/api/v1/pdf', conditional)).response.status).toBe(304)
    expect((await pdf('/api/v1/nodes/r/pdf')).bytes.equals(bytes)).toBe(true)
    const part = await pdf(`/api/v1/nodes/${id}/pdf`)
    expect(part.response.headers.get('content-disposition')).toBe(
      `inline; filename=content.pdf; filename*=UTF-8''${encodeURIComponent('الماء')}.pdf`,
    )
    expect(part.bytes.length).toBeGreaterThan(1000)
    await admin.create({ title: 'Encore', parent_id: 'r' })
    expect((await pdf('/api/v1/pdf', conditional)).response.status).toBe(200)
    for (const tenant of [`tenant-${tenants}`, 'of-another-tenant'])
      expect(
        (await pdf(`/api/v1/nodes/${tenant === 'of-another-tenant' ? 'r' : 'none'}/pdf`, { 'x-tenant-id': tenant })).response.status,
      ).toBe(404)
    const answer = await fetch(system.graphqlUrl, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({
        query: `{ contentPdf(tenantId: "tenant-${tenants}", id: "r") { version file { id sha256 mediaType url } } }`,
      }),
    })
    const { data } = (await answer.json()) as {
      data: { contentPdf: { version: number; file: Record<'id' | 'sha256' | 'mediaType' | 'url', string> } }
    }
    const { version, file } = data.contentPdf
    expect({ version, id: file.id, mediaType: file.mediaType }).toEqual({
      version: 2,
      id: `content.tenant-${tenants}.2.r`,
      mediaType: 'application/pdf',
    })
    expect(file.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/nodes\//)
    const fetched = await pdf(new URL(file.url).pathname, { 'x-tenant-id': `tenant-${tenants}` })
    expect(createHash('sha256').update(fetched.bytes).digest('hex')).toBe(file.sha256)
  })

  it('accepts nested JSON 10,000 deep and returns it', async () => {
    const { admin, anyone } = inTenant(newTenant())
    const depth = 10_000
    const body = `{"nodes":[${Array.from({ length: depth }, (_, n) => `{"id":"n${n}","title":"t","children":[`).join('')}${']}'.repeat(depth)}]}`
    expect(await admin.import(body)).toMatchObject({ status: 200, body: { created: depth } })
    const full = await anyone.get('/nodes/n0/full', { accept: 'application/x-ndjson' })
    expect(full.text.trim().split('\n')).toHaveLength(depth)
    const nested = await anyone.get('/nodes/n0/full')
    expect(nested.text.endsWith(`"children":[${']}'.repeat(depth)}`)).toBe(true)
    expect((await admin.create({ title: 'leaf', parent_id: `n${depth - 1}` })).body).toMatchObject({ depth, path_truncated: true })
  }, 120_000)

  it('is changed by permitted accounts, in the tenants of their groups', async () => {
    const tenant = newTenant()
    const theirs = newTenant()
    const group = anyone.with({ authorization: `Bearer ${await groupAdminToken(system, theirs)}` })
    expect(await anyone.create({ title: 'x' })).toMatchObject({ status: 401 })
    expect((await anyone.create({ title: 'x' })).headers.get('www-authenticate')).toMatch(/^Bearer/)
    expect(await anyone.import({ nodes: [] })).toMatchObject({ status: 401 })
    expect(await anyone.with({ authorization: 'Bearer nonsense' }).create({ title: 'x' })).toMatchObject({ status: 401 })
    expect(await group.with({ 'x-tenant-id': tenant }).create({ title: 'x' })).toMatchObject({ status: 403 })
    expect(await group.with({ 'x-tenant-id': tenant }).import({ nodes: [] })).toMatchObject({ status: 403 })
    expect((await group.with({ 'x-tenant-id': theirs }).create({ title: 'x' })).status).toBe(201)
    const service = anyone.with({ 'x-service-api-key': system.apiKey, 'x-tenant-id': tenant })
    expect((await service.create({ title: 'By a service' })).status).toBe(201)
    const stranger = anyone.with({ 'x-service-api-key': 'wrong', 'x-tenant-id': tenant })
    expect(await stranger.create({ title: 'x' })).toMatchObject({ status: 401 })
    expect(await stranger.import({ nodes: [] }, '?mode=replace')).toMatchObject({ status: 401 })
    for (const name of ['../etc', 'UPPER', 'a\u00e9', 'x'.repeat(64), 'a b', 'a/b'])
      expect(await admin.with({ 'x-tenant-id': name }).get('/api/v1/nodes/root')).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['header', 'x-tenant-id'] }] },
      })
  })

  it('returns the documented status for each error', async () => {
    const { admin } = inTenant(newTenant())
    const { body: root } = await admin.create({ title: 'Root', external_id: 'r' })
    expect(await admin.create({ title: 'Second root' })).toMatchObject({ status: 409, body: { detail: 'The tree already has a root' } })
    expect(await admin.create({ title: 'x', parent_id: 'none' })).toMatchObject({ status: 404, body: { detail: 'Parent not found' } })
    expect(await admin.create({ title: 'Other', external_id: 'r' })).toMatchObject({ status: 409 })
    expect(await admin.create({ parent_id: root.id })).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'missing', loc: ['body', 'title'] }] },
    })
    expect(await admin.create({ title: 'x', parent_id: root.id, position: 1e12 })).toMatchObject({ status: 422 })
    expect(await admin.create({ title: 'x', parent_id: root.id, metadata: [] })).toMatchObject({ status: 422 })
    const racing = inTenant(newTenant()).admin
    const statuses = (await Promise.all([1, 2, 3].map((n) => racing.create({ title: `r${n}` })))).map(({ status }) => status)
    expect(statuses.sort()).toEqual([201, 409, 409])
  })

  it('is read and changed over GraphQL', async () => {
    const tenant = newTenant()
    const send = async (query: string, variables: object = {}, headers: Record<string, string> = { authorization: `Bearer ${token}` }) => {
      const response = await fetch(system.graphqlUrl, {
        ...{ method: 'POST', body: JSON.stringify({ query, variables }) },
        headers: { 'content-type': 'application/json', ...headers },
      })
      // biome-ignore lint/suspicious/noExplicitAny: each test states the shape of the response that it expects
      return (await response.json()) as any
    }
    const create = 'mutation ($input: CreateContentNodeInput!) { createContentNode(input: $input) { created node { id path depth } } }'
    const ids: Record<string, string> = {}
    for (const [name, above] of [
      ['r', ''],
      ['a', 'r'],
      ['b', 'r'],
      ['x', 'a'],
    ] as const) {
      const { data } = await send(create, {
        input: { tenantId: tenant, title: name, externalId: name, ...(above && { parentId: ids[above] }) },
      })
      expect(data.createContentNode.created).toBe(true)
      ids[name] = data.createContentNode.node.id
    }
    const tree = async () => {
      const { data } = await send(
        'query ($t: ID) { contentSubtree(tenantId: $t) { nodes { title depth childrenCount } version source } }',
        { t: tenant },
        {},
      )
      return data.contentSubtree.nodes.map((node: { title: string; depth: number }) => `${node.title}${node.depth}`).join(' ')
    }
    expect(await tree()).toBe('r0 a1 x2 b1')
    const moved = await send('mutation ($input: MoveContentNodeInput!) { moveContentNode(input: $input) { node { depth path } } }', {
      input: { tenantId: tenant, id: ids.a, parentId: ids.b },
    })
    expect(moved.data.moveContentNode.node).toEqual({ depth: 2, path: [ids.r, ids.b, ids.a] })
    expect(await tree()).toBe('r0 b1 a2 x3')
    const looped = await send('mutation ($input: MoveContentNodeInput!) { moveContentNode(input: $input) { node { depth } } }', {
      input: { tenantId: tenant, id: ids.b, parentId: ids.x },
    })
    expect(looped.errors[0].extensions.code).toBe('BAD_USER_INPUT')
    const updated = await send(
      'mutation ($input: UpdateContentNodeInput!) { updateContentNode(input: $input) { node { title slug body externalId } } }',
      { input: { tenantId: tenant, id: ids.x, body: 'text', slug: null, title: 'Nouveau' } },
    )
    expect(updated.data.updateContentNode.node).toEqual({ title: 'Nouveau', slug: 'nouveau', body: 'text', externalId: 'x' })
    // of ten writers who have read the same text one succeeds, and none overwrites an unread change
    const read = await send('query ($t: ID, $id: ID!) { contentNode(tenantId: $t, id: $id) { updatedAt } }', { t: tenant, id: ids.x })
    const { updatedAt: ifUpdatedAt } = read.data.contentNode
    const writing = 'mutation ($input: UpdateContentNodeInput!) { updateContentNode(input: $input) { node { body } } }'
    const writers = Array.from({ length: 10 }, (_, n) =>
      send(writing, { input: { tenantId: tenant, id: ids.x, body: `of writer ${n}`, ifUpdatedAt } }),
    )
    const outcomes = (await Promise.all(writers)).map(({ errors }) => errors?.[0].extensions.code ?? 'written').sort()
    expect(outcomes).toEqual([...Array.from({ length: 9 }, () => 'CONFLICT'), 'written'])
    const node = await send(
      'query ($t: ID, $id: ID!) { contentNode(tenantId: $t, id: $id) { path children { nodes { title } } } }',
      { t: tenant, id: ids.b },
      {},
    )
    expect(node.data.contentNode).toEqual({ path: [ids.r, ids.b], children: { nodes: [{ title: 'a' }] } })
    const deleting = 'mutation ($input: DeleteContentNodeInput!) { deleteContentNode(input: $input) { deleted removed { id } } }'
    const deleted = await send(deleting, { input: { tenantId: tenant, id: ids.b } })
    const { removed } = deleted.data.deleteContentNode
    expect(deleted.data.deleteContentNode.deleted).toBe(3)
    expect(await tree()).toBe('r0')
    // a deleted node is restored from the trash, and deleted permanently once it is purged
    const trash = async () => {
      const fields = 'nodes { id contentId nodesCount removedBy { id name } parent { id } removedAt expiresAt }'
      return (await send(`query ($t: ID) { contentTrash(tenantId: $t) { ${fields} } }`, { t: tenant })).data.contentTrash.nodes
    }
    const [entry] = await trash()
    expect(entry).toMatchObject({ id: removed.id, contentId: ids.b, nodesCount: 3, parent: { id: ids.r } })
    expect([entry.removedBy.name, Date.parse(entry.expiresAt) - Date.parse(entry.removedAt)]).toEqual([expect.any(String), 30 * 86_400_000])
    const restoring = 'mutation ($input: RestoreContentNodeInput!) { restoreContentNode(input: $input) { restored node { id path } } }'
    const variables = { input: { tenantId: tenant, id: removed.id } }
    expect((await send(restoring, variables)).data.restoreContentNode).toEqual({
      restored: 3,
      node: { id: ids.b, path: [ids.r, ids.b] },
    })
    expect([await tree(), await trash()]).toEqual(['r0 b1 a2 Nouveau3', []])
    const again = (await send(deleting, { input: { tenantId: tenant, id: ids.b } })).data.deleteContentNode.removed
    const purging = 'mutation ($input: PurgeContentNodeInput!) { purgeContentNode(input: $input) { purged purgedId } }'
    const purged = await send(purging, { input: { tenantId: tenant, id: again.id } })
    expect(purged.data.purgeContentNode).toEqual({ purged: 3, purgedId: again.id })
    expect((await send(restoring, { input: { tenantId: tenant, id: again.id } })).errors[0].extensions.code).toBe('NOT_FOUND')
    expect((await send('{ contentTrash { nodes { id } } }', {}, {})).errors[0].extensions.code).toBe('UNAUTHENTICATED')
    expect((await send('{ contentNode(id: "none") { id } }', {}, {})).data).toEqual({ contentNode: null })
    expect((await send(create, { input: { tenantId: tenant, title: 'x' } }, {})).errors[0].extensions.code).toBe('UNAUTHENTICATED')
  })

  it('reports that its store is available', async () => {
    await expect
      .poll(() => anyone.get('/health'))
      .toMatchObject({ status: 200, body: { status: 'ok', checks: { tree_store: { status: 'ok', engine: 'postgresql' } } } })
  })
})

import { GraphQLError } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documentationCredentials } from '../../../platform/listeners/rest-listeners.ts'
import { apiKey, type Rest, rest } from '../../support/rest/rest.ts'

const node = {
  id: 'n 1',
  external_id: null,
  tenant_id: 'default',
  parent_id: null,
  title: 'One',
  slug: 'one',
  summary: null,
  body: null,
  body_format: 'MARKDOWN',
  locale: 'en',
  position: 0,
  depth: 0,
  children_count: 3,
  media: [],
  metadata: {},
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  path: ['n 1'],
  path_truncated: false,
}
const source = { version: 1, source: 'STORE', snapshot_at: null, is_private: false }
const children = (after: unknown) => ({ nodes: [], pageInfo: { hasNextPage: after !== 'c2', endCursor: after === 'c2' ? null : 'c2' } })

let content: Rest
const contentWith = (env: Readonly<Record<string, string>> = {}) =>
  rest({
    component: 'content',
    env,
    behind: {
      RestContentRoot: ({ after }) => ({ found: { ...source, root: { ...node, children: children(after) } } }),
      RestContentNode: ({ after }) => ({ found: { ...source, nodes: [{ ...node, ancestors: [], children: children(after) }] } }),
      // a request without a tenant uses the tenant of its token
      RestContentSubtree: ({ tenant = 'default' }) => ({
        found: { ...source, nodes: [{ ...node, tenant_id: tenant }], pageInfo: { hasNextPage: false, endCursor: null } },
      }),
    },
  })
beforeAll(async () => {
  content = await contentWith()
})
afterAll(() => content[Symbol.asyncDispose]())

describe('a page of children', () => {
  it('links to the first and the next page, keeping the other parameters', async () => {
    const { headers, json } = await content.call('/api/v1/nodes/root?first=2&x=y')
    expect(headers.link).toBe('</api/v1/nodes/root?first=2&x=y>; rel="first", </api/v1/nodes/root?first=2&x=y&after=c2>; rel="next"')
    expect(json()).toMatchObject({ next: 'c2' })
    expect((await content.call('/api/v1/nodes/n%201')).headers.link).toBe(
      '</api/v1/nodes/n%201>; rel="first", </api/v1/nodes/n%201?after=c2>; rel="next"',
    )
    expect((await content.call('/api/v1/nodes/root?after=c2')).headers.link).toBe('</api/v1/nodes/root>; rel="first"')
  })

  it('is 304 for a matching If-None-Match', async () => {
    const { etag = '' } = (await content.call('/api/v1/nodes/n%201')).headers
    expect((await content.call('/api/v1/nodes/n%201', { headers: { 'If-None-Match': etag } })).status).toBe(304)
  })
})

describe('a tree of one tenant', () => {
  it('has an ETag that differs from that of another tenant, whatever their versions', async () => {
    for (const path of ['/api/v1/export', '/nodes/n%201/full', '/api/v1/nodes/n%201/full']) {
      const of = (tenant: string, more = {}) => content.call(path, { headers: { 'X-Tenant-Id': tenant, ...more } })
      const [north, south] = [await of('north'), await of('south')]
      expect(north.text).not.toBe(south.text)
      expect([path, north.headers.etag === south.headers.etag]).toEqual([path, false])
      // members in the order of the graph
      expect(north.text).toContain(JSON.stringify({ ...node, tenant_id: 'north', body_format: 'markdown' }).slice(1, -1))
      expect((await of('south', { 'If-None-Match': north.headers.etag ?? '' })).status).toBe(200)
      expect((await of('south', { 'If-None-Match': south.headers.etag ?? '' })).status).toBe(304)
    }
  })
})

describe('a response to a page of another origin', () => {
  it('varies by Origin beside its other dependencies, and exposes its headers to the page', async () => {
    await using here = await contentWith({ CORS_ORIGINS: 'https://desk.example, https://other.example' })
    for (const path of ['/api/v1/nodes/root', '/api/v1/nodes/n%201', '/api/v1/export', '/nodes/n%201/full']) {
      const { headers } = await here.call(path, { headers: { Origin: 'https://desk.example' } })
      expect([path, headers.vary]).toEqual([path, expect.stringMatching(/^Origin\b.*\bX-Tenant-Id\b/)])
      expect(headers['access-control-allow-origin']).toBe('https://desk.example')
      const exposed = headers['access-control-expose-headers']?.split(', ') ?? []
      expect(exposed).toEqual(expect.arrayContaining(['etag', 'link', 'x-content-source', 'x-request-id', 'retry-after']))
    }
  })
})

describe('an unknown parameter', () => {
  it('is refused by name on undocumented operations, together with other problems', async () => {
    const answer = await content.call('/api/v1/nodes/1?first=x&frist=5&Verbose')
    expect(answer.status).toBe(422)
    expect(answer.json()).toEqual({
      detail: [
        {
          type: 'int_parsing',
          loc: ['query', 'first'],
          msg: 'Input should be a valid integer, unable to parse string as an integer',
          input: 'x',
        },
        { type: 'extra_forbidden', loc: ['query', 'frist'], msg: 'Extra inputs are not permitted', input: '5' },
        { type: 'extra_forbidden', loc: ['query', 'Verbose'], msg: 'Extra inputs are not permitted', input: '' },
      ],
    })
    expect(content.executed.map(({ variables }) => variables.id)).not.toContain('1')
    for (const path of ['/api/v1/export?x=1', '/api/v1/pdf?x=1', '/api/v1/nodes/1/pdf?x=1']) {
      const refused = await content.call(path)
      expect([path, refused.status, refused.text.includes('"loc":["query","x"]')]).toEqual([path, 422, true])
    }
  })

  it('is ignored on documented operations and public routes', async () => {
    for (const path of ['/api/v1/nodes/root?x=1', '/health/live?x=1', '/health/ready?x=1', '/openapi.json?x=1', '/docs?x=1'])
      expect([path, (await content.call(path)).status]).toEqual([path, 200])
  })
})

describe('a rate-limited caller', () => {
  it('gets Retry-After and the exceeded limit', async () => {
    const policy = { name: 'failed-logins', quota: 5, seconds: 300 }
    const limited = new GraphQLError('Too many', { extensions: { code: 'RATE_LIMITED', retryAfterMs: 61_000, policy } })
    await using here = await rest({ component: 'administration', behind: { RestLogin: () => [limited] } })
    const { status, headers } = await here.post('/auth/login', { email: 'a@b.test', password: 'x' })
    expect([status, headers['retry-after'], headers['ratelimit-policy'], headers.ratelimit]).toEqual([
      429,
      '61',
      '"failed-logins";q=5;w=300',
      '"failed-logins";r=0;t=61',
    ])
  })

  it('gets Retry-After from /health when the component is down', async () => {
    await using here = await rest({ behind: { RestHealth: () => [new GraphQLError('unavailable')] } })
    const { status, headers } = await here.call('/health')
    expect([status, headers['retry-after']]).toEqual([503, '1'])
  })
})

describe('the credentials that /docs fills in', () => {
  const keys = {
    developmentApiKey: apiKey,
    developmentAdministrators: {
      superAdmin: { email: 's@b.test', password: 'one' },
      groupAdmin: { email: 'g@b.test', password: 'two', groups: [] },
    },
  }

  it('are the key and the account of development, if the listener is on loopback only', () => {
    const account = keys.developmentAdministrators.superAdmin
    expect(documentationCredentials({ production: false, bindAddress: '127.0.0.1' }, keys)).toEqual({ key: apiKey, account })
    expect(documentationCredentials({ production: false, bindAddress: '0.0.0.0' }, keys)).toEqual({})
    expect(documentationCredentials({ production: true, bindAddress: '127.0.0.1' }, keys)).toEqual({})
  })
})

import { get } from 'node:http'
import { GraphQLError } from 'graphql'
import { describe, expect, it, vi } from 'vitest'
import { type PlatformResponses, rest } from '../../support/rest/rest.ts'

const none = { rows: [], nextCursor: null }
const rowOf = (n: number, members: object = {}) => ({
  id: `e${n}`,
  created_at: '2026-01-31T12:00:00.000Z',
  text: `Texte ${n}`,
  lang: 'fr',
  domain: { id: 'health' },
  sub_domain: null,
  sentiment: 'NEGATIVE',
  sentiment_score: -0.5,
  lat: 14.7,
  lon: -17.4,
  ...members,
})

describe('an export of expressions', () => {
  const exporting = (behind: PlatformResponses['RestExport']) => rest({ component: 'classification', behind: { RestExport: behind } })

  it('is CSV by RFC 4180 page by page, with a byte order mark on request, and runs no formula', async () => {
    const texts = ['Une "phrase", deux\r\nlignes', '=HYPERLINK("http://a.example")', '-5 degrés', '@x', 'plain']
    await using listener = await exporting(({ after }) => ({
      found:
        after === 'more'
          ? {
              ...none,
              rows: texts
                .slice(3)
                .map((text, n) => rowOf(n + 3, { text, lat: null, lon: null, sentiment: null, sentiment_score: null, domain: null })),
            }
          : { rows: texts.slice(0, 3).map((text, n) => rowOf(n, { text })), nextCursor: 'more' },
    }))
    const { status, headers, text, bytes } = await listener.call('/api/v1/expressions?format=csv&bom=true')
    expect([status, headers['content-type'], headers['cache-control'], headers.etag]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'no-store',
      undefined,
    ])
    expect(headers['content-disposition']).toBe('attachment; filename="expressions.csv"')
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const located = 'fr,health,,negative,-0.5,14.7,-17.4'
    expect(text.replace('\uFEFF', '')).toBe(
      [
        'id,created_at,text,lang,domain,sub_domain,sentiment,sentiment_score,lat,lon',
        `e0,2026-01-31T12:00:00.000Z,"Une ""phrase"", deux\r\nlignes",${located}`,
        `e1,2026-01-31T12:00:00.000Z,"'=HYPERLINK(""http://a.example"")",${located}`,
        `e2,2026-01-31T12:00:00.000Z,"'-5 degrés",${located}`,
        "e3,2026-01-31T12:00:00.000Z,'@x,fr,,,,,,",
        'e4,2026-01-31T12:00:00.000Z,plain,fr,,,,,,',
        '',
      ].join('\r\n'),
    )
    const empty = await exporting(() => ({ found: none }))
    await using _ = empty
    expect((await empty.call('/api/v1/expressions')).text).toBe(
      'id,created_at,text,lang,domain,sub_domain,sentiment,sentiment_score,lat,lon\r\n',
    )
  })

  it('is one JSON object per line when the client prefers it, with every filter', async () => {
    await using listener = await exporting(() => ({ found: { ...none, rows: [rowOf(1)] } }))
    const query = 'domain=health&sentiment=negative&lang=fr&bbox=1,2,3,4&from=2026-01-01&to=2026-02-01&q=eau'
    const { headers, json } = await listener.call(`/api/v1/expressions?${query}`, { headers: { accept: 'application/x-ndjson' } })
    expect(headers['content-type']).toBe('application/x-ndjson')
    expect(json()).toEqual({ ...rowOf(1), domain: 'health', sentiment: 'negative' })
    expect(listener.executed[0]?.variables).toEqual({
      filter: {
        domainIds: ['health'],
        sentiment: 'NEGATIVE',
        lang: 'fr',
        box: { west: 1, south: 2, east: 3, north: 4 },
        from: '2026-01-01',
        to: '2026-02-01',
        q: 'eau',
      },
      after: undefined,
      first: 100,
    })
  })

  it('is refused while another one of the address is running, and possible again after it, completed or not', async () => {
    let isOpen = false
    const opened = Promise.withResolvers<void>()
    await using listener = await exporting(async ({ after }) => {
      if (after !== undefined && !isOpen) await opened.promise
      return { found: { rows: [rowOf(1)], nextCursor: after === undefined ? 'more' : null } }
    })
    const path = '/api/v1/expressions?format=ndjson'
    const first = listener.call(path)
    await vi.waitFor(() => expect(listener.executed.length).toBeGreaterThanOrEqual(2))
    const refused = await listener.call(path)
    expect([refused.status, refused.headers['retry-after'], refused.json()]).toEqual([
      429,
      '10',
      { detail: 'Another export of this address is running: wait until it has ended' },
    ])
    opened.resolve()
    isOpen = true
    expect((await first).text.trim().split('\n')).toHaveLength(2)
    await vi.waitFor(async () => expect((await listener.call(path)).status).toBe(200))
    // a client that leaves
    isOpen = false
    await new Promise<void>((resolve) => {
      const request = get(`${listener.server.address}${path}`, (response) => {
        response.once('data', () => request.destroy())
        response.on('error', () => undefined).once('close', () => resolve())
      })
    })
    isOpen = true
    await vi.waitFor(async () => expect((await listener.call(path)).status).toBe(200))
  })

  it.each([
    ['format=xml', ['query', 'format']],
    ['bbox=1,2', ['query', 'bbox']],
    ['from=2026-02-01&to=2026-01-01', ['query', 'from']],
    ['limit=5', ['query', 'limit']],
  ])('refuses %s', async (query, loc) => {
    await using listener = await exporting(() => ({ found: none }))
    const { status, json } = await listener.call(`/api/v1/expressions?${query}`)
    expect([status, json()]).toMatchObject([422, { detail: [{ loc }] }])
    expect((await listener.call('/api/v1/expressions')).status).toBe(200)
  })
})

describe('a request with words', () => {
  const figures = {
    version: 'search-1',
    expressions: { total: 1, today: 0, last_7d: 0, by_lang: [] },
    votes: { total: 0, agree: 0, disagree: 0, pass: 0, unverified: { total: 0, agree: 0, disagree: 0, pass: 0 } },
    sentiment: { positive: 0, neutral: 0, negative: 0, score: null, history: [] },
    participants: null,
    domains: { total: 1, active: 1 },
    generated_at: '2026-01-31T12:00:00.000Z',
  }
  const behind: PlatformResponses = {
    RestMap: () => ({ answer: { version: 'search-1', text: '{"type":"FeatureCollection"}' } }),
    RestStats: () => ({ answer: figures }),
    RestDomains: () => ({ answer: { version: 'search-1', generated_at: '2026-01-31T12:00:00.000Z', domains: [] } }),
  }

  it.each([
    ['/api/v1/map', 'RestMap', 'application/geo+json'],
    ['/api/v1/stats', 'RestStats', 'application/json'],
    ['/api/v1/domains', 'RestDomains', 'application/json'],
  ])('is never cached: %s', async (path, operation, mediaType) => {
    await using listener = await rest({ component: 'exploration', behind })
    const { status, headers } = await listener.call(`${path}?q=eau`, { headers: { 'if-none-match': '*' } })
    expect([status, headers['cache-control'], headers.etag, headers['content-type']]).toEqual([200, 'no-store', undefined, mediaType])
    expect(listener.executed.map(({ name }) => name)).toEqual([operation])
    expect((await listener.call(path)).headers.etag).toMatch(/^"/)
  })

  it('is refused at `q` for invalid words, and with 503 while the search index is unavailable', async () => {
    const message = 'should have at most 500 characters'
    const entries = [{ code: 'too_long', path: ['q'], message, constraint: { max: 500 } }]
    const invalid = new GraphQLError(`q: ${message}`, { extensions: { code: 'BAD_USER_INPUT', entries } })
    const unavailable = new GraphQLError('The search index is not available; try again', {
      extensions: { code: 'ENGINE_UNAVAILABLE', engine: 'search index', retryAfterMs: 1000 },
    })
    await using listener = await rest({
      component: 'exploration',
      behind: {
        ...behind,
        RestStats: () => [invalid],
        RestMap: ({ filter }) => (JSON.stringify(filter).includes('eau') ? [unavailable] : { answer: { version: '1', text: '{}' } }),
      },
    })
    const refused = await listener.call(`/api/v1/stats?q=${'x'.repeat(10_000)}`)
    expect([refused.status, refused.json()]).toMatchObject([422, { detail: [{ loc: ['query', 'q'] }] }])
    const failed = await listener.call('/api/v1/map?q=eau')
    expect([failed.status, failed.headers['retry-after']]).toEqual([503, '1'])
    expect((await listener.call('/api/v1/map')).status).toBe(200)
  })
})

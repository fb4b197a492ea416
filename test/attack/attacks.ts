import { gzipSync } from 'node:zlib'

/** One hostile message, and the entrance it is sent to. */
export interface HttpAttack {
  readonly name: string
  /** `graphql` or the component whose REST address receives it */
  readonly entrance: 'graphql' | 'verification' | 'exploration' | 'classification' | 'administration' | 'content'
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
  /** requests sent one after another while the earlier ones stay open */
  readonly times?: number
}

/** A hostile frame on a WebSocket. */
export interface SocketAttack {
  readonly name: string
  readonly entrance: 'graphql-ws' | 'socket.io' | 'stream'
  readonly frames: readonly string[]
}

const json = { 'content-type': 'application/json' }
const gzipped = { ...json, 'content-encoding': 'gzip' }
const stream = { accept: 'text/event-stream' }
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const subscription = 'subscription{statisticsChanged{seq}}'
const mega = 1024 * 1024

const graphql = (name: string, body: string, headers: Readonly<Record<string, string>> = {}): readonly HttpAttack[] => [
  { name, entrance: 'graphql', path: '/graphql', headers: { ...gzipped, ...headers }, body: gzipSync(body) },
  {
    name: `${name}, with a made-up token`,
    entrance: 'graphql',
    path: '/graphql',
    headers: { ...gzipped, ...headers, authorization: 'Bearer a.b.c' },
    body: gzipSync(body),
  },
]

const rest = (entrance: HttpAttack['entrance'], path: string): readonly HttpAttack[] =>
  Object.entries({
    'twelve million arrays within each other': nested(12_000_000),
    'a million empty objects': `{"jobs":[${'{},'.repeat(1_000_000)}{}]}`,
    'a member name of 20 MB': `{"${'a'.repeat(20 * mega)}":1}`,
    'a string of 20 MB': `{"text":"${'a'.repeat(20 * mega)}"}`,
    'a million members': `{${Array.from({ length: 1_000_000 }, (_, n) => `"m${n}":0`).join()}}`,
    'an integer of a million digits': `{"text":${'9'.repeat(mega)}}`,
    'a million backslashes': `{"text":"${'\\\\'.repeat(mega)}"}`,
    'zeros that inflate a thousand times': `{"text":"${'\\u0000'.repeat(4 * mega)}"}`,
  }).map(([name, body]) => ({ name: `${path}: ${name}`, entrance, path, headers: gzipped, body: gzipSync(body) }))

const expression = (name: string, text: string): HttpAttack => ({
  name: `expression: ${name}`,
  entrance: 'classification',
  path: '/api/v1/expressions',
  headers: json,
  body: Buffer.from(JSON.stringify({ text })),
})

const repeated = (unit: string): string => unit.repeat(Math.floor(10_000 / unit.length))

export const httpAttacks: readonly HttpAttack[] = [
  {
    name: 'seven event streams with twelve million arrays each',
    entrance: 'graphql',
    path: '/graphql',
    headers: { ...gzipped, ...stream },
    body: gzipSync(`{"query":"${subscription}","x":${nested(12_000_000)}}`),
    times: 7,
  },
  {
    name: 'seven event streams with a million numbers each',
    entrance: 'graphql',
    path: '/graphql',
    headers: { ...gzipped, ...stream },
    body: gzipSync(`{"query":"${subscription}","x":[${'0,'.repeat(1_000_000)}0]}`),
    times: 7,
  },
  ...graphql('nested variables', `{"query":"query($v:ID!){domain(id:$v){id}}","variables":{"v":${nested(6_000_000)}}}`),
  ...graphql(
    'a million variables',
    `{"query":"{domains{id}}","variables":{${Array.from({ length: 1_000_000 }, (_, n) => `"v${n}":0`).join()}}}`,
  ),
  ...graphql('a field name of 20 MB', JSON.stringify({ query: `{${'a'.repeat(20 * mega)}}` })),
  ...graphql('a block string of 20 MB', JSON.stringify({ query: `{domain(id:"""${'\n '.repeat(10 * mega)}"""){id}}` })),
  ...graphql('a comment of 20 MB', JSON.stringify({ query: `#${'a'.repeat(20 * mega)}\n{domains{id}}` })),
  ...graphql('blanks of 20 MB', JSON.stringify({ query: `${' '.repeat(20 * mega)}{domains{id}}` })),
  ...graphql('a field name of 200 kB', JSON.stringify({ query: `{${'a'.repeat(200_000)}}` })),
  ...graphql('a thousand unknown fields', JSON.stringify({ query: `{${Array.from({ length: 900 }, (_, n) => `domainz${n}`).join(' ')}}` })),
  ...graphql(
    'a hundred thousand wrong items',
    JSON.stringify({ query: 'query($v:[ID!]!){nodes(ids:$v){id}}', variables: { v: Array.from({ length: 30_000 }, () => ({})) } }),
  ),
  ...graphql(
    'extensions of 20 MB',
    JSON.stringify({ query: '{domains{id}}', extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(20 * mega) } } }),
  ),
  ...rest('verification', '/jobs/submit'),
  ...rest('verification', '/jobs/submit-batch'),
  ...rest('verification', '/jobs/ack'),
  ...rest('classification', '/api/v1/expressions'),
  ...rest('administration', '/auth/login'),
  ...rest('content', '/api/v1/admin/nodes'),
  ...rest('content', '/api/v1/admin/import'),
  expression('signs that normalise to four letters', repeated('㏂')),
  expression('a sign that normalises to 18 letters', repeated('ﷺ')),
  expression('the word at', repeated(' arobase ')),
  expression('dots', repeated('a.')),
  expression('digits', repeated('1')),
  expression('digit pairs', repeated('06 ')),
  expression('keycap digits', repeated('6\ufe0f\u20e3')),
  expression('at signs', repeated('@')),
  expression('combining marks', `a${'\u0301'.repeat(9_999)}`),
  expression('zero-width signs', repeated('\u200b')),
  expression('blanks', `a${' '.repeat(9_998)}b`),
  expression('line breaks', repeated('1\n')),
  { name: 'a query string of 15 kB', entrance: 'exploration', method: 'GET', path: `/api/v1/map?${'domain=health&'.repeat(1_000)}` },
  {
    name: 'an If-None-Match of 15 kB',
    entrance: 'exploration',
    method: 'GET',
    path: '/api/v1/stats',
    headers: { 'if-none-match': '"a",'.repeat(3_700) },
  },
  {
    name: 'an Accept of 15 kB',
    entrance: 'graphql',
    method: 'GET',
    path: '/graphql?query=%7B__typename%7D',
    headers: { accept: 'a/b;q=0.1,'.repeat(1_500) },
  },
  {
    name: 'an Accept-Language of 15 kB',
    entrance: 'exploration',
    method: 'GET',
    path: '/',
    headers: { 'accept-language': 'fr-x;q=0.1,'.repeat(1_300) },
  },
  {
    name: 'a token of 15 kB',
    entrance: 'administration',
    method: 'GET',
    path: '/auth/me',
    headers: { authorization: `Bearer ${'a'.repeat(7_000)}.${'b'.repeat(7_000)}.c` },
  },
]

const init = JSON.stringify({ type: 'connection_init' })
export const socketAttacks: readonly SocketAttack[] = [
  {
    name: 'graphql-ws: nested connection parameters',
    entrance: 'graphql-ws',
    frames: [`{"type":"connection_init","payload":${nested(500_000)}}`],
  },
  {
    name: 'graphql-ws: nested variables',
    entrance: 'graphql-ws',
    frames: [init, `{"id":"1","type":"subscribe","payload":{"query":"${subscription}","variables":${nested(100_000)}}}`],
  },
  {
    name: 'graphql-ws: a field name of 1 MB',
    entrance: 'graphql-ws',
    frames: [init, JSON.stringify({ id: '1', type: 'subscribe', payload: { query: `{${'a'.repeat(mega)}}` } })],
  },
  {
    name: 'graphql-ws: ten thousand small frames',
    entrance: 'graphql-ws',
    frames: [init, ...Array.from({ length: 10_000 }, () => '{"type":"ping"}')],
  },
  { name: 'socket.io: nested filter', entrance: 'socket.io', frames: ['40', `420["subscribe",${nested(20_000)}]`] },
  {
    name: 'socket.io: a box of a hundred thousand numbers',
    entrance: 'socket.io',
    frames: ['40', `420["subscribe",{"bbox":[${'0,'.repeat(40_000)}0]}]`],
  },
  { name: 'socket.io: a thousand binary attachments', entrance: 'socket.io', frames: ['40', `451000-["subscribe",{}]`] },
  { name: '/ws: nested frame', entrance: 'stream', frames: [nested(100_000)] },
]

import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'

/** One hostile message and the entry point that receives it. */
export interface HttpAttack {
  readonly name: string
  /** `graphql`, `metrics`, `subgraph` (of `--split`), or the component whose REST address receives it */
  readonly entrance: 'graphql' | 'metrics' | 'subgraph' | 'verification' | 'exploration' | 'classification' | 'administration' | 'content'
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
  /** requests sent one after another while the earlier ones stay open */
  readonly times?: number
  /** valid work that occupies a processor for seconds, as a flood does */
  readonly isWork?: boolean
}

/** Many requests, each of them small and different, whose sum fills a cache or occupies the process. */
export interface FloodAttack {
  readonly name: string
  readonly entrance: HttpAttack['entrance']
  readonly count: number
  request(index: number): Pick<HttpAttack, 'method' | 'path' | 'headers' | 'body'>
}

/** Requests written on a few connections at once, before any response is read. */
export interface PipelineAttack {
  readonly name: string
  readonly entrance: HttpAttack['entrance']
  readonly connections: number
  readonly count: number
  request(index: number): { readonly path: string; readonly headers: Readonly<Record<string, string>>; readonly body: Buffer }
}

/** A hostile frame on a WebSocket. */
export interface SocketAttack {
  readonly name: string
  readonly entrance: 'graphql-ws' | 'subgraph' | 'socket.io' | 'stream'
  readonly frames: readonly string[]
  /** sockets that each send the first frame and a share of the others (default: 1) */
  readonly sockets?: number
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

/** marks of two classes in the wrong order, which Unicode normalisation sorts */
const marks = (count: number): string => `a${'\u0301'.repeat(count / 2)}${'\u0316'.repeat(count / 2)}`
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
    `{"query":"{domains{version}}","variables":{${Array.from({ length: 1_000_000 }, (_, n) => `"v${n}":0`).join()}}}`,
  ),
  ...graphql('a field name of 20 MB', JSON.stringify({ query: `{${'a'.repeat(20 * mega)}}` })),
  ...graphql('a block string of 20 MB', JSON.stringify({ query: `{domain(id:"""${'\n '.repeat(10 * mega)}"""){id}}` })),
  ...graphql('a comment of 20 MB', JSON.stringify({ query: `#${'a'.repeat(20 * mega)}\n{domains{version}}` })),
  ...graphql('blanks of 20 MB', JSON.stringify({ query: `${' '.repeat(20 * mega)}{domains{version}}` })),
  ...graphql('a field name of 200 kB', JSON.stringify({ query: `{${'a'.repeat(200_000)}}` })),
  ...graphql('a thousand unknown fields', JSON.stringify({ query: `{${Array.from({ length: 900 }, (_, n) => `domainz${n}`).join(' ')}}` })),
  ...graphql(
    'the types of the schema under 49 aliases',
    JSON.stringify({
      query: `{__schema{${Array.from({ length: 49 }, (_, n) => `t${n}:types{name fields{name description args{name}}}`).join(' ')}}}`,
    }),
  ),
  ...graphql(
    'possible types under 45 aliases',
    JSON.stringify({
      query: `{__type(name:"Node"){${Array.from({ length: 45 }, (_, n) => `t${n}:possibleTypes{name fields{name args{name type{name}}}}`).join(' ')}}}`,
    }),
  ),
  ...graphql('280 fields of one name', JSON.stringify({ query: `{domain(id:"health"){${'parent{parent{slug}}'.repeat(280)}}}` })),
  ...graphql(
    '270 fields of one name in a fragment that is not spread',
    JSON.stringify({ query: `{__typename} fragment F on Query{${'domains{domains{id}}'.repeat(270)}}` }),
  ),
  ...graphql(
    'texts under 49 aliases',
    JSON.stringify({ query: `{expressions(first:100){nodes{${Array.from({ length: 49 }, (_, n) => `t${n}:text`).join(' ')}}}}` }),
  ),
  ...graphql(
    'an invalid argument in nested lists',
    JSON.stringify({
      query: `{expressions(first:100){nodes{classification{candidates{domain{${Array.from({ length: 45 }, (_, n) => `a${n}:expressions(first:0,after:"x"){pageInfo{hasNextPage}}`).join(' ')}}}}}}}`,
    }),
  ),
  ...graphql(
    'a hundred thousand wrong items',
    JSON.stringify({ query: 'query($v:[ID!]!){nodes(ids:$v){id}}', variables: { v: Array.from({ length: 30_000 }, () => ({})) } }),
  ),
  ...graphql(
    'extensions of 20 MB',
    JSON.stringify({ query: '{domains{version}}', extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(20 * mega) } } }),
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
  expression('marks of two classes', marks(60_000)),
  ...graphql(
    'an expression of 120,000 marks of two classes',
    JSON.stringify({
      query: 'mutation($text:String!){ingestExpression(input:{text:$text}){created}}',
      variables: { text: marks(120_000) },
    }),
  ),
  ...['username', 'username=a&resource'].map(
    (member): HttpAttack => ({
      name: `token endpoint: ${member} of marks`,
      entrance: 'administration',
      path: '/oidc/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(`grant_type=password&client_id=administration&password=a&${member}=https://${marks(25_000)}`),
    }),
  ),
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
    name: 'variables of 12 kB within each other in an address',
    entrance: 'graphql',
    method: 'GET',
    path: `/graphql?query=%7Bdomains%7Bversion%7D%7D&variables=${encodeURIComponent(`{"v":${nested(2000)}}`)}`,
  },
  {
    name: 'an address of a thousand parameters',
    entrance: 'graphql',
    method: 'GET',
    path: `/graphql?${'query=%7B__typename%7D&'.repeat(600)}`,
  },
  {
    name: 'a thousand ids to subscribe behind',
    entrance: 'graphql',
    path: '/graphql',
    headers: { ...json, ...stream, 'last-event-id': 'A'.repeat(12_000) },
    body: Buffer.from(JSON.stringify({ query: subscription })),
    times: 3,
  },
  {
    name: 'metrics: a body of 1 MB',
    entrance: 'metrics',
    path: '/metrics',
    body: Buffer.alloc(mega, '['),
  },
  {
    name: 'a token of 15 kB',
    entrance: 'administration',
    method: 'GET',
    path: '/auth/me',
    headers: { authorization: `Bearer ${'a'.repeat(7_000)}.${'b'.repeat(7_000)}.c` },
  },
]

const list = (length: number, item: (index: number) => string): string => Array.from({ length }, (_, index) => item(index)).join(' ')
const post = (query: string, more: Readonly<Record<string, unknown>> = {}, headers: Readonly<Record<string, string>> = {}) => ({
  path: '/graphql',
  headers: { ...json, ...headers },
  body: Buffer.from(JSON.stringify({ query, ...more })),
})
const listed = 'expressions(first:1){edges{node{id text createdAt status nodeId votes{total}}}}'
/** A valid document of about 3 kB with a plan of many fetches. */
const largeOperation = (index: number): string =>
  `query Q${index}{${list(10, (n) => `a${n}_${index}:${listed}`)} ${list(10, (n) => `b${n}:domain(id:"health"){slug ${listed} parent{slug ${listed}}}`)}}`
const deferred = (index: number): string =>
  `{domains{domains{id ${list(20, (n) => `...@defer(label:"l${n}"){s${n}_${index}:statistics{expressions} e${n}:${listed}}`)}}}}`
const persisted = (index: number): string => `query P${index}{domains{version}} #${'x'.repeat(16_000)}`

export const floodAttacks: readonly FloodAttack[] = [
  { name: 'three hundred different large operations', entrance: 'graphql', count: 300, request: (index) => post(largeOperation(index)) },
  {
    name: 'fifty operations of twenty deferred fragments',
    entrance: 'graphql',
    count: 50,
    request: (index) => post(deferred(index), {}, { accept: 'multipart/mixed;deferSpec=20220824' }),
  },
  {
    name: 'five hundred persisted queries',
    entrance: 'graphql',
    count: 500,
    request: (index) => {
      const sha256Hash = createHash('sha256').update(persisted(index)).digest('hex')
      return post(persisted(index), { extensions: { persistedQuery: { version: 1, sha256Hash } } })
    },
  },
  {
    name: 'three hundred Accept headers',
    entrance: 'graphql',
    count: 300,
    request: (index) => post('{domains{version}}', {}, { accept: `application/json;q=0.${100 + index}` }),
  },
  {
    name: 'forty times 10 searches of 100',
    entrance: 'graphql',
    count: 40,
    request: (index) =>
      post(`{${list(10, (n) => `a${n}:searchExpressions(input:{text:"rue ${index} ${n}"} first:100){edges{node{id text}}}`)}}`),
  },
  {
    name: 'twenty times the map at 23 zooms',
    entrance: 'graphql',
    count: 20,
    request: () => post(`{${list(23, (n) => `a${n}:map(zoom:${n}){total geoJson}`)}}`),
  },
  {
    name: 'a hundred documents of 900 unknown fields',
    entrance: 'graphql',
    count: 100,
    request: (index) => post(`{domains{${list(900, (n) => `versiom${index}_${n}`)}}}`),
  },
  {
    name: 'a hundred introspections',
    entrance: 'graphql',
    count: 100,
    request: (index) => post(`{__schema{types{name f${index}:fields{name description type{name kind ofType{name ofType{name}}}}}}}`),
  },
  {
    name: 'a hundred times 25 refused refreshes',
    entrance: 'graphql',
    count: 100,
    request: (index) =>
      post(`mutation{${list(25, (n) => `a${n}:refreshSession(input:{refreshToken:"made up ${index} ${n}"}){accessToken}`)}}`),
  },
  { name: 'five hundred health checks', entrance: 'graphql', count: 500, request: () => ({ method: 'GET', path: '/health' }) },
  { name: 'three hundred readers of metrics', entrance: 'metrics', count: 300, request: () => ({ method: 'GET', path: '/metrics' }) },
]

export const pipelineAttacks: readonly PipelineAttack[] = [
  {
    name: 'two connections with a thousand pipelined operations each',
    entrance: 'graphql',
    connections: 2,
    count: 1000,
    request: (index) => post(`{a${index}:${listed}}`),
  },
]

/** To the port of a subgraph, which only the gateway should reach: no request carries its token. */
export const subgraphAttacks: readonly HttpAttack[] = [
  {
    name: 'subgraph: nested variables without a token',
    entrance: 'subgraph',
    path: '/graphql',
    headers: json,
    body: Buffer.from(`{"query":"{__typename}","variables":{"v":${nested(6_000_000)}}}`),
  },
  {
    name: 'subgraph: a made-up token',
    entrance: 'subgraph',
    path: '/graphql',
    headers: { ...json, 'x-civigraph-principal': `${'a'.repeat(7000)}.b.c` },
    body: Buffer.from(`{"query":"${'a'.repeat(20 * mega)}"}`),
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
  {
    name: 'graphql-ws: an init of 60 kB',
    entrance: 'graphql-ws',
    frames: [JSON.stringify({ type: 'connection_init', payload: { a: 'a'.repeat(60_000) } })],
  },
  {
    name: 'graphql-ws: a hundred operations at once',
    entrance: 'graphql-ws',
    frames: [
      init,
      ...Array.from({ length: 100 }, (_, n) =>
        JSON.stringify({ id: String(n), type: 'subscribe', payload: { query: `{a${n}:${listed}}` } }),
      ),
    ],
  },
  {
    name: 'graphql-ws: two thousand unknown fields',
    entrance: 'graphql-ws',
    frames: [
      init,
      ...Array.from({ length: 2000 }, (_, n) => JSON.stringify({ id: String(n), type: 'subscribe', payload: { query: `{domainz${n}}` } })),
    ],
  },
  {
    name: 'graphql-ws: three hundred subscriptions to a long text under 49 aliases',
    entrance: 'graphql-ws',
    frames: [
      init,
      ...Array.from({ length: 300 }, (_, index) =>
        JSON.stringify({
          id: String(index),
          type: 'subscribe',
          payload: { query: `subscription{expressionAdded{seq expression{${list(49, (n) => `t${index}_${n}:text`)}}}}` },
        }),
      ),
      JSON.stringify({
        id: 'written',
        type: 'subscribe',
        payload: { query: `mutation{ingestExpression(input:{text:"${'water '.repeat(1_600)}"}){created}}` },
      }),
    ],
  },
  {
    name: 'graphql-ws: three hundred subscriptions that resume from an early position',
    entrance: 'graphql-ws',
    sockets: 4,
    frames: [
      init,
      ...Array.from({ length: 300 }, (_, index) =>
        JSON.stringify({
          id: String(index),
          type: 'subscribe',
          payload: { query: `subscription{expressionAdded(afterPosition:${index}){seq expression{id text}}}` },
        }),
      ),
    ],
  },
  { name: 'socket.io: nested filter', entrance: 'socket.io', frames: ['40', `420["subscribe",${nested(20_000)}]`] },
  {
    name: 'socket.io: a box of a hundred thousand numbers',
    entrance: 'socket.io',
    frames: ['40', `420["subscribe",{"bbox":[${'0,'.repeat(40_000)}0]}]`],
  },
  { name: 'socket.io: a thousand binary attachments', entrance: 'socket.io', frames: ['40', `451000-["subscribe",{}]`] },
  {
    name: 'socket.io: all expressions again, twenty times at once',
    entrance: 'socket.io',
    frames: ['40', ...Array.from({ length: 20 }, (_, n) => `42${n}["subscribe",{"after":0}]`)],
  },
  { name: '/ws: nested frame', entrance: 'stream', frames: [nested(100_000)] },
]

export const subgraphSocketAttacks: readonly SocketAttack[] = [
  {
    name: 'subgraph over WebSocket: an init of 7 MB',
    entrance: 'subgraph',
    frames: [JSON.stringify({ type: 'connection_init', payload: { a: 'a'.repeat(7 * mega) } })],
  },
  {
    name: 'subgraph over WebSocket: 200,000 values without a token',
    entrance: 'subgraph',
    frames: [init, `{"id":"1","type":"subscribe","payload":{"query":"{a}","variables":{"v":[${'0,'.repeat(200_000)}0]}}}`],
  },
]

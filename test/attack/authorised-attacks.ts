import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { bomb } from '../support/samples/odd-images.ts'
import type { HttpAttack } from './attacks.ts'

/** Credentials of callers who may import and submit, and are hostile or compromised. */
export interface Credentials {
  /** key of a service with the scope `submit` */
  readonly apiKey: string
  /** access token of a super administrator */
  readonly token: string
}

const mega = 1024 * 1024
const ndjson = 'application/x-ndjson'

const nestedNodes = (depth: number): string => `{"nodes":[${'{"title":"a","children":['.repeat(depth)}${']}'.repeat(depth)}]}`
const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n')

/** Markdown that costs a parser or a typesetter more than its length, or would run as code of the typesetter. */
const hostileBodies: Readonly<Record<string, string>> = {
  'open brackets': '['.repeat(100_000),
  'nested quotes': `${'> '.repeat(5_000)}a`,
  'nested lists': lines(400, (n) => `${' '.repeat(2 * n)}- a`),
  emphasis: '*a _b **c __d '.repeat(10_000),
  'a table of a thousand columns': lines(50, (n) => `|${(n === 1 ? '-|' : 'a|').repeat(1_000)}`),
  'links within each other': `${'[a'.repeat(20_000)}${'](b)'.repeat(20_000)}`,
  'entities and tags': '&amp;<b><i><!--'.repeat(10_000),
  'code of the typesetter': '#read("/etc/passwd") #image("/etc/passwd") #eval("1+1") $x^2$ #let f(n) = f(n + 1)\n#f(1)\n'.repeat(500),
  'one word': 'a'.repeat(400_000),
  'marks and directions': 'a\u0301\u202e\u2066\u0327\u200f'.repeat(30_000),
  'scripts without a font': '𓀀ᚠꙮ\u{1f9ff}\u{e000}'.repeat(20_000),
}

/** About a million characters that take two bytes each in memory, and a fiftieth of it compressed. */
const longText = (): string => `ж${randomBytes(7_500).toString('base64').repeat(99)}`

function longScenario(): object {
  const codes = Array.from({ length: 1000 }, (_, n) => `C-${n}`.padEnd(120, 'x'))
  return { scope: 'all', directVoters: codes, add: codes.map((code) => ({ delegator: `a${code}`, delegate: `b${code}` })) }
}

const aliases = (count: number, field: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `a${index}:${field(index)}`).join(' ')

const query = (
  name: string,
  text: string,
  headers: Readonly<Record<string, string>> = {},
  variables: Readonly<Record<string, unknown>> = {},
): HttpAttack => ({
  name,
  entrance: 'graphql',
  path: '/graphql',
  headers: { 'content-type': 'application/json', ...headers },
  body: Buffer.from(JSON.stringify({ query: text, variables })),
})

/** Uploads of images, imports and documents by an authorised caller. Each is refused, or accepted and answered while other clients are served. */
export function authorisedAttacks({ apiKey, token }: Credentials): readonly HttpAttack[] {
  const submission = (name: string, image: Buffer): HttpAttack => ({
    name: `submission: ${name}`,
    entrance: 'verification',
    path: '/jobs/submit',
    headers: { 'content-type': 'application/json', 'x-service-api-key': apiKey },
    body: Buffer.from(
      JSON.stringify({
        citizen_code: 'CIT-ATTACK',
        document_type: 'PASSPORT',
        country_code: 'SN',
        selfie_b64: image.toString('base64'),
        cni_recto_b64: image.toString('base64'),
        declared_identity: { first_name: 'A', last_name: 'B' },
      }),
    ),
  })
  const administrator = { authorization: `Bearer ${token}` }
  const contentImport = (name: string, body: string, type = 'application/json', tenant = 'attack'): HttpAttack => ({
    name: `import: ${name}`,
    entrance: 'content',
    path: '/api/v1/admin/import',
    headers: { ...administrator, 'x-tenant-id': tenant, 'content-type': type, 'content-encoding': 'gzip' },
    body: gzipSync(body),
  })
  const delegations = (name: string, format: 'CSV' | 'NDJSON', file: string): HttpAttack => ({
    name: `delegations: ${name}`,
    entrance: 'graphql',
    path: '/graphql',
    headers: { ...administrator, 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: gzipSync(
      JSON.stringify({
        query: 'mutation($input:ImportDelegationsInput!){importDelegations(input:$input){__typename}}',
        variables: { input: { format, file } },
      }),
    ),
  })
  const printed = Object.entries(hostileBodies).flatMap(([name, body], index): readonly HttpAttack[] => [
    contentImport(
      `a text of ${name}`,
      JSON.stringify({ nodes: [{ id: `hostile-${index}`, title: name, body }] }),
      undefined,
      `attack-${index}`,
    ),
    {
      name: `PDF: a text of ${name}`,
      isWork: true,
      entrance: 'content',
      method: 'GET',
      path: `/api/v1/nodes/hostile-${index}/pdf`,
      headers: { 'x-tenant-id': `attack-${index}` },
    },
  ])
  return [
    submission('an image that declares 3.6 gigapixels', bomb(60_000, 60_000)),
    submission('40 megapixels in a few kilobytes', bomb(6_600, 6_000)),
    submission('a PNG that ends early', bomb(4_000, 4_000).subarray(0, 2_000)),
    submission('an SVG with entities', Buffer.from(`<!DOCTYPE svg [<!ENTITY a "${'a'.repeat(1_000)}">]><svg>${'&a;'.repeat(1_000)}</svg>`)),
    submission('a PDF', Buffer.from(`%PDF-1.7\n1 0 obj<</Length 9>>stream\n${'x'.repeat(mega)}`)),
    submission('4 MB that are no image', Buffer.alloc(4 * mega, 'A')),
    contentImport('a hundred thousand levels', nestedNodes(100_000)),
    contentImport('a million empty nodes', `{"nodes":[${'{},'.repeat(1_000_000)}{}]}`),
    contentImport(
      'a parent of each other',
      JSON.stringify({ nodes: [1, 2].map((n) => ({ id: `loop-${n}`, title: 'a', parent_id: `loop-${3 - n}` })) }),
    ),
    {
      ...contentImport(
        'a chain of thirty thousand parents',
        lines(30_000, (n) => JSON.stringify({ id: `c${n}`, title: 'a', ...(n > 0 && { parent_id: `c${n - 1}` }) })),
        ndjson,
      ),
      isWork: true,
    },
    contentImport('a line of 20 MB', `{"id":"a","title":"${'a'.repeat(20 * mega)}"}`, ndjson),
    contentImport('ten million line ends', '\n'.repeat(10_000_000), ndjson),
    contentImport(
      'lines of nested arrays',
      lines(20, () => `{"id":"a","media":${'['.repeat(100_000)}`),
      ndjson,
    ),
    delegations('a quote that never ends', 'CSV', `delegator,delegate\n"${'a,'.repeat(2 * mega)}`),
    delegations('a hundred thousand columns', 'CSV', `${'a,'.repeat(100_000)}\n${'b,'.repeat(100_000)}`),
    delegations('a million line ends', 'CSV', `delegator,delegate${'\n'.repeat(mega)}`),
    delegations('a million short lines', 'NDJSON', '{}\n'.repeat(mega)),
    delegations(
      'nested lines',
      'NDJSON',
      lines(20, () => '['.repeat(100_000)),
    ),
    ...printed,
    {
      ...contentImport(
        'sixty nodes of a million characters',
        `{"id":"long","title":"a"}\n${lines(60, (n) => JSON.stringify({ id: `long-${n}`, title: 'a', parent_id: 'long', body: longText() }))}`,
        ndjson,
        'attack-long',
      ),
      isWork: true,
    },
    query(
      'content: the ways of 25 pages of a deep tree, by an anonymous client',
      `{${aliases(25, (n) => `contentSubtree(tenantId:"attack",id:"c${1000 * n}",first:1000){nodes{path}}`)}}`,
    ),
    query(
      'content: ten lists of long texts, by an anonymous client',
      `{${aliases(10, () => 'contentSubtree(tenantId:"attack-long",first:1000){nodes{id}}')}}`,
    ),
    query(
      'content: the ancestors of long texts, by an anonymous client',
      `{contentNode(tenantId:"attack-long",id:"long"){children(first:1000){nodes{id parent{id} ancestors{id}}}}}`,
    ),
    query(
      'scenarios: twenty of 400 kB',
      `mutation($scenario:ScenarioInput!){${aliases(20, (n) => `saveDelegationScenario(input:{name:"${n}",scenario:$scenario}){scenario{id}}`)}}`,
      administrator,
      { scenario: longScenario() },
    ),
    query('scenarios: 25 lists', `{${aliases(25, () => 'delegationScenarios(first:100){nodes{id}}')}}`, administrator),
  ]
}

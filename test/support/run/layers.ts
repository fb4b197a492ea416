import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const project = new URL('../../../', import.meta.url).pathname

/** A layer: the files that belong to it, and the layers that these files may import besides their own. */
interface Layer {
  readonly name: string
  readonly files: RegExp
  readonly imports: readonly string[]
}

export const components = ['verification', 'exploration', 'classification', 'administration', 'content'].map((name) => `subgraphs/${name}`)
const pages = globSync('web/*/index.html', { cwd: project }).map(dirname).toSorted()
const serving = ['web/serving', ...pages.map((page) => `${page}/page.ts`)]

/** Layers inside the gateway, highest first, as gateway/README.md draws them; the folders of one layer do not import each other. */
export const gatewayLayers: readonly (readonly string[])[] = [
  ['package'],
  ['server'],
  ['protocols'],
  ['pipeline'],
  ['executor'],
  ['execution'],
  ['planning', 'admission', 'authorization'],
  ['caching'],
  ['sources'],
  ['operation'],
  ['supergraph'],
  ['errors'],
]
const inGateway = (layers: readonly (readonly string[])[]): readonly string[] => layers.flat().map((name) => `gateway/${name}`)

/** Every layer, highest first. Imports point down only, and a type-only import is an import. */
const table: readonly (readonly [name: string, imports: readonly string[]])[] = [
  [
    'platform',
    [
      'rest-adapters',
      ...inGateway(gatewayLayers),
      ...serving,
      'demonstration',
      ...components,
      'subgraphs/nodes',
      'engines',
      'foundation',
      'web/shared',
    ],
  ],
  ['rest-adapters', ['gateway/executor', 'gateway/errors', ...serving, 'foundation']],
  ...gatewayLayers.flatMap((layer, index) =>
    inGateway([layer]).map((folder) => [folder, [...inGateway(gatewayLayers.slice(index + 1)), 'foundation']] as const),
  ),
  ...components.map((component) => [component, ['engines', 'foundation']] as const),
  ['subgraphs/nodes', ['foundation']],
  ['demonstration', ['foundation']],
  // a package of its own, which installs the client
  ['demonstration/web-client', ['packages/civigraph-client']],
  ['engines', ['foundation']],
  ['foundation', []],
  ['web/*.ts', ['web/serving', 'web/shared', 'packages/civigraph-client', 'foundation']],
  ...pages.map((page) => [`${page}/page.ts`, [page, 'web/serving', 'foundation']] as const),
  ['web/serving', ['foundation']],
  ...pages.map((page) => [page, ['web/shared', 'web/components', 'packages/civigraph-client']] as const),
  ['web/components', ['web/shared', 'packages/civigraph-client']],
  ['web/shared', ['web/components', 'packages/civigraph-client']],
  ['packages/civigraph-gateway', ['foundation']],
  ['packages/civigraph-client', []],
  ['docs', ['packages/civigraph-client']],
  ['deploy', []],
]
const production = table.map(([name]) => name)
/** Suites and their support import every layer, but no test file imports another one. */
const layers: readonly Layer[] = [...table, ['test', production] as const]
  .map(([name, imports]) => ({ name, files: filesOf(name), imports }))
  .toSorted((one, other) => other.name.length - one.name.length)

function filesOf(name: string): RegExp {
  if (name === 'web/*.ts') return /^web\/[^/]+\.ts$/
  return new RegExp(`^${name.replaceAll('.', '\\.')}(?:/|$)`)
}

/** Layers inside the components and the REST adapters, highest first: folders, and files at the top. Each imports the rows below its own. */
const innerLayers: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'subgraphs/verification': [
    ['index.ts', 'commands', 'citizen-data.ts'],
    ['graphql'],
    ['citizens'],
    ['jobs', 'review'],
    ['intake', 'assessment', 'callbacks'],
    ['checks'],
    ['liveness', 'duplicates', 'chip'],
    ['document'],
    ['submission'],
    ['access'],
    ['tables.ts'],
    ['vocabulary.ts'],
  ],
  'subgraphs/exploration': [
    ['index.ts', 'commands', 'citizen-data.ts'],
    ['graphql'],
    ['districts', 'votes', 'events'],
    ['queries'],
    ['roll-ups'],
    ['geometry'],
    ['tables.ts'],
  ],
  'subgraphs/classification': [
    ['index.ts', 'commands', 'citizen-data.ts'],
    ['graphql'],
    ['intake', 'moderation', 'index-upkeep', 'stream', 'evaluation', 'taxonomy'],
    ['step-retries', 'search'],
    ['screening'],
    ['analysis'],
    ['expression', 'data'],
  ],
  'subgraphs/administration': [
    ['index.ts', 'commands', 'citizen-data.ts'],
    ['graphql'],
    ['accounts', 'delegations', 'scenarios', 'service-keys', 'session', 'simulation'],
    ['register'],
    ['roles.ts'],
    ['tables.ts'],
  ],
  'subgraphs/content': [
    ['index.ts'],
    ['graphql'],
    ['import', 'pdf', 'trash'],
    ['readable-tenants.ts'],
    ['revoked-links.ts'],
    ['tree'],
    ['tenant.ts'],
    ['vocabulary.ts'],
  ],
  'subgraphs/nodes': [['index.ts'], ['find-nodes.ts'], ['reference.ts'], ['entities.ts']],
  'rest-adapters': [
    ['rest-server.ts', 'routes.ts'],
    ['handlers', 'verification', 'exploration', 'classification', 'administration', 'content'],
    ['documentation', 'live'],
    ['route'],
    ['request'],
    ['response'],
    ['json'],
  ],
}

/** Folders that have layers inside: the components and the REST adapters. */
export const layeredFolders = Object.keys(innerLayers)
const layeredFolderOf = (file: string): string | undefined => layeredFolders.find((folder) => file.startsWith(`${folder}/`))

/** Returns one sentence if a file of a layered folder imports a file of its own or a higher row, or has no row. */
export function innerProblem(file: string, imported: string): string | undefined {
  const folder = layeredFolderOf(file)
  if (folder === undefined || layeredFolderOf(imported) !== folder) return undefined
  const rows = innerLayers[folder] ?? []
  const [from = '', to = ''] = [file, imported].map((path) => path.slice(folder.length + 1).split('/', 1)[0])
  if (from === to) return undefined
  const row = rows.findIndex((names) => names.includes(from))
  if (row < 0) return `${file} belongs to no layer of ${folder}: add ${from} to innerLayers in test/support/run/layers.ts.`
  const below = rows.slice(row + 1).flat()
  if (below.includes(to)) return undefined
  const allowed = below.length === 0 ? 'nothing besides itself' : `only itself, ${below.join(', ')}`
  return `${file} imports ${imported}, but ${from} of ${folder} may import ${allowed}.`
}

/**
 * Returns one sentence for each pair of folders, at any depth, of which each imports the other. A folder inside another one is a pair with it only
 * in the gateway, the components and the REST adapters.
 */
export function mutualFolders(files: readonly string[], imports: (file: string) => readonly string[] = importsOf): readonly string[] {
  const first = new Map<string, readonly [file: string, imported: string]>()
  for (const file of files)
    for (const imported of imports(file)) {
      const [from, to] = [unitOf(file), unitOf(imported)]
      const pair = `${from} ${to}`
      const isOneUnit = from === to || (!isLayered(file) && (from.startsWith(`${to}/`) || to.startsWith(`${from}/`)))
      if (!isOneUnit && !first.has(pair)) first.set(pair, [file, imported])
    }
  return [...first].flatMap(([pair, [file, imported]]) => {
    const [from = '', to = ''] = pair.split(' ')
    const back = from < to ? first.get(`${to} ${from}`) : undefined
    if (back === undefined) return []
    return `${file} imports ${imported}, but ${back[0]} imports ${back[1]}: two folders do not import each other; move what both need to a folder below them.`
  })
}

const isLayered = (file: string): boolean => file.startsWith('gateway/') || layeredFolderOf(file) !== undefined

/** Returns the folder of a file; the file itself at the top of a layered folder, where each file is a layer of its own. */
function unitOf(file: string): string {
  return layeredFolders.includes(dirname(file)) ? file : dirname(file)
}

/** Returns the layer of a file; undefined outside the table. */
export const layerOf = (file: string): string | undefined => layers.find(({ files }) => files.test(file))?.name

export const sources: readonly string[] = globSync(
  [...new Set([...production, 'test'].map((name) => name.split('/', 1)[0]))].map((top) => `${top}/**/*.{ts,tsx}`),
  { cwd: project, exclude: (path) => /(?:^|\/)(?:node_modules|dist|compiled)(?:\/|$)/.test(path) },
)

/** Packages of this repository by the names under which code imports them. */
const aliases: Readonly<Record<string, string>> = {
  '@civigraph/client': 'packages/civigraph-client',
  'civigraph-gateway': 'packages/civigraph-gateway',
}

/** Returns the paths of this repository that a text imports: values, types, re-exports, `import('…')` and packages by name. */
export function importsIn(file: string, text: string): readonly string[] {
  return [...text.matchAll(/(?<![\w'"`$.-])(?:from|import)\s*\(?\s*(['"])([^'"\n]+)\1/g)].flatMap(([, , path = '']) => {
    if (path.startsWith('.')) return [normalize(join(dirname(file), path))]
    const alias = Object.keys(aliases).find((name) => path === name || path.startsWith(`${name}/`))
    return alias === undefined ? [] : [`${aliases[alias]}${path.slice(alias.length)}`]
  })
}

const importsByFile = new Map(sources.map((file) => [file, importsIn(file, readFileSync(join(project, file), 'utf8'))]))
export const importsOf = (file: string): readonly string[] => importsByFile.get(file) ?? []

/** Returns one sentence if the layer of a file may not import a path, with the file, the import and the rule. */
export function layerProblem(file: string, imported: string): string | undefined {
  const [from, to] = [layers.find(({ files }) => files.test(file)), layerOf(imported)]
  if (from === undefined) return `${file} belongs to no layer: add its folder to the table in test/support/run/layers.ts.`
  if (from.name === 'test' && imported.endsWith('.test.ts'))
    return `${file} imports ${imported}, but no test file is imported: move what both need to test/support/.`
  if (to === from.name || (to !== undefined && from.imports.includes(to))) return undefined
  const allowed = from.imports.length === 0 ? 'nothing besides itself' : `only itself, ${from.imports.join(', ')}`
  return `${file} imports ${imported}, but ${from.name} may import ${allowed}.`
}

/**
 * Reads the layers of a drawing, highest first: the first column of each line, in which `>` separates layers and `|` separates folders of one layer.
 */
export const drawnLayers = (drawing: string): readonly (readonly string[])[] =>
  drawing
    .trim()
    .split('\n')
    .flatMap((line) => (line.split(/ {2,}/, 1)[0] ?? '').split(' > ').map((layer) => layer.split(' | ')))

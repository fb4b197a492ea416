import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Manifest, Plugin } from 'vite'
import { minCompressedBytes } from '../foundation/http/content-coding.ts'
import { generateClient } from '../packages/civigraph-client/generate/generate-client.ts'
import { fileList, type ListedFile } from './serving/built-files.ts'

/**
 * `npm run build`, after the compiler: generates the documents that pages import, and builds the pages if one of their sources changed since the last build. With `--reload` each page
 * reloads itself when a new version of it is served.
 */
const reloads = process.argv.includes('--reload')
const project = join(import.meta.dirname, '..')
const output = join(project, 'dist/pages')
const sources = ['package-lock.json', 'web/**/*.*', 'packages/civigraph-client/src/**/*.ts']

function sourceStamp(): string {
  const hash = createHash('sha256')
  for (const file of globSync(sources, { cwd: project }).sort())
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(project, file)))
      .update('\0')
  return hash.update(reloads ? 'reload' : '').digest('base64url')
}

/** Adds to each page the script that reloads it. */
const reloadPlugin: Plugin = {
  name: 'reload-when-rebuilt',
  transformIndexHtml: {
    order: 'pre',
    handler: () => [{ tag: 'script', attrs: { type: 'module', src: '/shared/frame/reload-when-rebuilt.ts' }, injectTo: 'head' }],
  },
}

function builtStamp(): string | undefined {
  try {
    return readFileSync(join(output, 'sources'), 'utf8')
  } catch {
    return undefined
  }
}

/** Suffixes of the compressed forms of a file. */
const encoders = {
  br: { suffix: '.br', encode: promisify(brotliCompress) },
  gzip: { suffix: '.gz', encode: promisify<Buffer, Buffer>(gzip) },
} as const

/** Compresses the text files once, so that no request waits for it. */
async function compress(): Promise<void> {
  for (const file of globSync('assets/*.{js,css,svg,json,tsv}', { cwd: output })) {
    const content = readFileSync(join(output, file))
    if (content.length < minCompressedBytes) continue
    for (const { suffix, encode } of Object.values(encoders)) writeFileSync(join(output, file + suffix), await encode(content))
  }
}

/** Writes the list of its files beside each page: those that its HTML names, and those that the bundler reaches from its entry. */
function listFiles(manifest: Manifest): void {
  for (const html of globSync('*/index.html', { cwd: output })) {
    const text = readFileSync(join(output, html), 'utf8')
    const files = new Set([...text.matchAll(/"\/pages\/(assets\/[^"]+)"/g)].map(([, file = '']) => file))
    const visited = new Set<string>()
    const visit = (source: string): void => {
      const chunk = manifest[source]
      if (chunk === undefined) throw new Error(`${source} is not in the bundler's manifest: delete dist/pages and run npm run build`)
      if (visited.has(source)) return
      visited.add(source)
      for (const file of [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]) files.add(file)
      for (const next of [...(chunk.imports ?? []), ...(chunk.dynamicImports ?? [])]) visit(next)
    }
    visit(html)
    const list: readonly ListedFile[] = [...files].toSorted().map((file) => {
      const compressed = Object.entries(encoders).map(([coding, { suffix }]) => [coding, file + suffix] as const)
      return { file, codings: Object.fromEntries(compressed.filter(([, name]) => existsSync(join(output, name)))) }
    })
    writeFileSync(join(output, dirname(html), fileList), JSON.stringify(list))
  }
}

await generateClient()
const stamp = sourceStamp()
if (stamp !== builtStamp()) {
  // a tool of development: what is up to date does without
  const { build } = await import('vite')
  await build({ configFile: join(import.meta.dirname, 'vite.config.ts'), logLevel: 'warn', plugins: reloads ? [reloadPlugin] : [] })
  if (!reloads) await compress()
  listFiles(JSON.parse(readFileSync(join(output, '.vite/manifest.json'), 'utf8')) as Manifest)
  writeFileSync(join(output, 'sources'), stamp)
}

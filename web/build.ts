import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Plugin } from 'vite'
import { codingSuffixes } from './serving/built-files.ts'
import { smallestCompressed } from './serving/compressible.ts'

/**
 * `npm run build`, after the compiler: builds the pages if one of their sources changed since the last build. With `--reload` each page
 * reloads itself when a new version of it is served.
 */
const reloads = process.argv.includes('--reload')
const project = join(import.meta.dirname, '..')
const made = join(project, 'dist/pages')
const sources = ['package-lock.json', 'web/**/*.*', 'packages/civigraph-client/src/**/*.ts']

function stampOf(): string {
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

function stampOfMade(): string | undefined {
  try {
    return readFileSync(join(made, 'sources'), 'utf8')
  } catch {
    return undefined
  }
}

/** Compresses the built files once, so that no request waits for compression. */
async function compress(): Promise<void> {
  const encoders = { br: promisify(brotliCompress), gzip: promisify<Buffer, Buffer>(gzip) } as const
  for (const file of globSync('assets/*.{js,css,svg,json,tsv}', { cwd: made })) {
    const content = readFileSync(join(made, file))
    if (content.length < smallestCompressed) continue
    for (const [coding, encode] of Object.entries(encoders) as [keyof typeof encoders, (content: Buffer) => Promise<Buffer>][])
      writeFileSync(join(made, file + codingSuffixes[coding]), await encode(content))
  }
}

const stamp = stampOf()
if (stamp !== stampOfMade()) {
  // development only: an up-to-date build does not need it
  const { build } = await import('vite')
  await build({ configFile: join(import.meta.dirname, 'vite.config.ts'), logLevel: 'warn', plugins: reloads ? [reloadPlugin] : [] })
  if (!reloads) await compress()
  writeFileSync(join(made, 'sources'), stamp)
}

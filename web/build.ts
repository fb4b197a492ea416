import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { codingSuffixes } from './serving/built-files.ts'
import { smallestCompressed } from './serving/compressible.ts'

/** `npm run build`, after the compiler: makes the pages in TypeScript anew when something that they are made of has changed. */
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
  return hash.digest('base64url')
}

function stampOfMade(): string | undefined {
  try {
    return readFileSync(join(made, 'sources'), 'utf8')
  } catch {
    return undefined
  }
}

/** What browsers are sent, in as few bytes as there are: nobody waits for that at a request. */
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
  // a tool of development: what is up to date does without
  const { build } = await import('vite')
  await build({ configFile: join(import.meta.dirname, 'vite.config.ts'), logLevel: 'warn' })
  await compress()
  writeFileSync(join(made, 'sources'), stamp)
}

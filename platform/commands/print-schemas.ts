import 'reflect-metadata'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { projectFolder } from '../../subgraphs/foundation/build-info.ts'
import { printedSchemas } from './printed-schemas.ts'

/** `npm run schema`: writes what schema/ holds of the code's shapes. */
for (const [file, content] of await printedSchemas()) {
  const path = join(projectFolder, 'schema', file)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
  process.stdout.write(`schema/${file}\n`)
}
process.exit(0)

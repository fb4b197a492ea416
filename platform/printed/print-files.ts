import 'reflect-metadata'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { projectFolder } from '../../foundation/process/build-info.ts'
import { printedSchemas } from './printed-schemas.ts'
import { settingsPage } from './settings-page.ts'

/** `npm run schema`: writes the generated files: schemas in schema/ and the settings page. */
const schemas = [...(await printedSchemas())].map(([file, content]) => [`schema/${file}`, content] as const)
for (const [file, content] of [...schemas, ['docs/settings.md', settingsPage()] as const]) {
  const path = join(projectFolder, file)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
  process.stdout.write(`${file}\n`)
}
process.exit(0)

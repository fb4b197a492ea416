import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cacheSchemaModule, clientSchema } from './cache-schema.ts'
import { cacheSchema, components, documentsFile, inputs, stampOf, tools } from './inputs.ts'
import { splitDocuments } from './split-documents.ts'

/**
 * Generates the typed documents and the REST types. The generators are installed in a temporary folder: they need a TypeScript version with
 * a compiler API, and building the platform does not need them.
 */
const client = join(import.meta.dirname, '..')
const workshop = mkdtempSync(join(tmpdir(), 'civigraph-client-'))
const inWorkshop = (command: string, ...words: string[]): void => {
  execFileSync(command, words, { cwd: workshop, stdio: 'inherit' })
}

try {
  const schema = join(workshop, 'schema.graphql')
  writeFileSync(schema, clientSchema())
  writeFileSync(join(workshop, 'package.json'), JSON.stringify({ private: true, dependencies: tools }))
  inWorkshop('npm', 'install', '--no-audit', '--no-fund')

  const made = join(workshop, 'documents.ts')
  writeFileSync(
    join(workshop, 'codegen.json'),
    JSON.stringify({
      schema,
      documents: join(client, 'operations/*.graphql'),
      generates: { [made]: { plugins: ['typescript-operations', 'typed-document-node'], config: configuration() } },
    }),
  )
  inWorkshop('npx', 'graphql-codegen', '--config', 'codegen.json')
  for (const [name, text] of splitDocuments(readFileSync(made, 'utf8'))) keep(documentsFile(name), text)
  keep(cacheSchema, cacheSchemaModule())

  for (const name of components) {
    const file = `rest/generated/${name}.ts`
    // not --immutable: openapi-fetch turns read-only lists into objects
    const types = join(workshop, `${name}.ts`)
    inWorkshop('npx', 'openapi-typescript', inputs[file]?.[0] ?? '', '--output', types, '--default-non-nullable', 'false')
    keep(file, readFileSync(types, 'utf8'))
  }
} finally {
  rmSync(workshop, { recursive: true, force: true })
}

function configuration(): Record<string, unknown> {
  return {
    scalars: JSON.parse(readFileSync(join(client, 'scalars.json'), 'utf8')),
    strictScalars: true,
    skipTypename: true,
    immutableTypes: true,
    useTypeImports: true,
  }
}

function keep(file: string, text: string): void {
  const target = join(client, 'src', file)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, stampOf(file) + text)
}

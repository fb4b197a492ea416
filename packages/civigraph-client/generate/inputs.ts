import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientSchema } from './client-schema.ts'
import { topics } from './split-documents.ts'

const client = join(import.meta.dirname, '..')
const schemas = join(client, '../../schema')

/** Of a part of the typed documents, by its name. */
export const documentsFile = (name: string): string => `graphql/generated/${name}.ts`
const documents = ['documents', 'types', ...topics].map(documentsFile)
export const cacheSchema = 'caches/generated/schema.ts'

/** What generated files are made by; another version may make them otherwise. */
export const tools = {
  '@graphql-codegen/cli': '7.4.3',
  '@graphql-codegen/typed-document-node': '7.1.1',
  '@graphql-codegen/typescript-operations': '6.1.9',
  graphql: '16.15.0',
  'openapi-typescript': '7.13.0',
  typescript: '5.9.3',
} as const

export const components = ['administration', 'classification', 'content', 'exploration', 'verification'] as const

const operations = [join(client, 'scalars.json'), ...topics.map((name) => join(client, 'operations', `${name}.graphql`))]

/** The files that a generated file is made from, by its path in src; those of the graph are made from the schema of clients, too. */
export const inputs: Readonly<Record<string, readonly string[]>> = {
  [cacheSchema]: [],
  ...Object.fromEntries(documents.map((file) => [file, operations])),
  ...Object.fromEntries(components.map((name) => [`rest/generated/${name}.ts`, [join(schemas, 'rest', `${name}.openapi.json`)]])),
}

/** What stands in the first line of a generated file: whether it is still that of its inputs. */
export function stampOf(file: string): string {
  const hash = createHash('sha256').update(JSON.stringify(tools))
  if ([...documents, cacheSchema].includes(file)) hash.update(clientSchema())
  for (const input of inputs[file] ?? []) hash.update(readFileSync(input))
  return `// Made by \`npm run generate\`; not to be edited. Of ${hash.digest('base64url').slice(0, 22)}\n`
}

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientSchema } from './cache-schema.ts'
import { topics } from './split-documents.ts'

const client = join(import.meta.dirname, '..')
const schemas = join(client, '../../schema')

/** Returns the path of a part of the typed documents, by its name. */
export const documentsFile = (name: string): string => `graphql/generated/${name}.ts`
const documents = ['documents', 'types', ...topics].map(documentsFile)
export const cacheSchema = 'caches/generated/schema.ts'

/** Versions of the generators; another version may generate different files. */
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

/** Input files of a generated file, by its path in src; GraphQL files also depend on the client schema. */
export const inputs: Readonly<Record<string, readonly string[]>> = {
  [cacheSchema]: [],
  ...Object.fromEntries(documents.map((file) => [file, operations])),
  ...Object.fromEntries(components.map((name) => [`rest/generated/${name}.ts`, [join(schemas, 'rest', `${name}.openapi.json`)]])),
}

/** Returns the first line of a generated file, which identifies its inputs. */
export function stampOf(file: string): string {
  const hash = createHash('sha256').update(JSON.stringify(tools))
  if ([...documents, cacheSchema].includes(file)) hash.update(clientSchema())
  for (const input of inputs[file] ?? []) hash.update(readFileSync(input))
  return `// Made by \`npm run generate\`; not to be edited. Of ${hash.digest('base64url').slice(0, 22)}\n`
}

import { closeSync, existsSync, mkdirSync, openSync, readFileSync, readSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'graphql'
import { cacheSchema, clientFolder, components, documentsFile, inputs, restFile, stampOf } from './inputs.ts'
import { splitDocuments, topics } from './split-documents.ts'

/**
 * Generates the typed documents, the cache schema and the REST types whose inputs have changed since they were generated, or that are missing.
 * The generators are loaded only for what is due.
 * @param source - the folder that receives them: `src` of the package
 * @returns the files that were written, by their paths in `source`
 */
export async function generateClient(source: string = join(clientFolder, 'src')): Promise<readonly string[]> {
  const due = new Set(Object.keys(inputs).filter((file) => firstLine(join(source, file)) !== stampOf(file)))
  const written: string[] = []
  const write = (file: string, text: string): void => {
    if (!due.has(file)) return
    const target = join(source, file)
    mkdirSync(dirname(target), { recursive: true })
    // another process may read or generate the same file
    const partial = `${target}.${process.pid}.tmp`
    writeFileSync(partial, stampOf(file) + text)
    renameSync(partial, target)
    written.push(file)
  }
  if ([...due].some((file) => file.startsWith('graphql/')))
    for (const [name, text] of splitDocuments(await typedDocuments())) write(documentsFile(name), text)
  if (due.has(cacheSchema)) write(cacheSchema, (await import('./cache-schema.ts')).cacheSchemaModule())
  for (const name of components) if (due.has(restFile(name))) write(restFile(name), await restTypes(name))
  return written
}

function firstLine(path: string): string | undefined {
  if (!existsSync(path)) return undefined
  const file = openSync(path, 'r')
  try {
    const start = Buffer.alloc(200)
    const text = start.toString('utf8', 0, readSync(file, start))
    return text.slice(0, text.indexOf('\n') + 1)
  } finally {
    closeSync(file)
  }
}

async function typedDocuments(): Promise<string> {
  const [{ codegen }, operationTypes, typedNodes, { clientSchema }] = await Promise.all([
    import('@graphql-codegen/core'),
    import('@graphql-codegen/typescript-operations'),
    import('@graphql-codegen/typed-document-node'),
    import('./cache-schema.ts'),
  ])
  const documents = topics.map((name) => {
    const location = join(clientFolder, 'operations', `${name}.graphql`)
    return { location, document: parse(readFileSync(location, 'utf8')) }
  })
  return await codegen({
    filename: 'documents.ts',
    schema: parse(clientSchema()),
    documents,
    config: {
      scalars: JSON.parse(readFileSync(join(clientFolder, 'scalars.json'), 'utf8')),
      strictScalars: true,
      skipTypename: true,
      immutableTypes: true,
      useTypeImports: true,
    },
    plugins: [{ operationTypes: {} }, { typedNodes: {} }],
    pluginMap: { operationTypes, typedNodes },
  })
}

async function restTypes(component: string): Promise<string> {
  const { default: openapiTS, astToString, COMMENT_HEADER } = await import('openapi-typescript')
  const [document = ''] = inputs[restFile(component)] ?? []
  // not immutable: openapi-fetch turns read-only lists into objects
  return COMMENT_HEADER + astToString(await openapiTS(readFileSync(document, 'utf8'), { defaultNonNullable: false }))
}

// `npm run generate`: generates what is due, and prints the files it wrote
if (import.meta.main) for (const file of await generateClient()) process.stdout.write(`packages/civigraph-client/src/${file}\n`)

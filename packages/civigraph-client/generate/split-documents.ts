import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const operations = join(import.meta.dirname, '../operations')

/** Operation files, without their extensions. */
export const topics = readdirSync(operations)
  .sort()
  .map((file) => basename(file, '.graphql'))

// linear: reads only files that this build generated
const documentLine = /^export const (\w+) = .* as unknown as DocumentNode<(.*)>;$/
const nodeImport = /^import type \{ TypedDocumentNode as DocumentNode \} .*$/m

/**
 * Splits the generated module, because a bundler does not split a module: each page loads its own documents only.
 * @returns the text of each module by name: `types`, one for each of `topics`, and `documents` with all of them
 */
export function splitDocuments(made: string): ReadonlyMap<string, string> {
  const importLine = nodeImport.exec(made)?.[0]
  if (importLine === undefined)
    throw new Error('The generated module does not import TypedDocumentNode as DocumentNode: adapt nodeImport to the new generator')
  const [types, documents]: [string[], string[]] = [[], []]
  for (const line of made.replace(nodeImport, '').split('\n')) (documentLine.test(line) ? documents : types).push(line)
  const modules = topics.map((topic): [string, string] => {
    const names = namesIn(readFileSync(join(operations, `${topic}.graphql`), 'utf8'))
    const own = documents.filter((line) => names.has(nameOf(line)))
    const used = [...new Set(own.flatMap((line) => typesOf(line)))].sort()
    return [topic, `${importLine}\nimport type { ${used.join(', ')} } from './types.ts'\n${own.join('\n')}\n`]
  })
  const lost = documents.length - modules.reduce((count, [, text]) => count + text.split('\nexport const ').length - 1, 0)
  if (lost !== 0) throw new Error(`${lost} documents belong to no file of operations`)
  const all = ['types', ...topics].map((name) => `export * from './${name}.ts'`)
  return new Map([['types', types.join('\n')], ...modules, ['documents', `${all.join('\n')}\n`]])
}

const namesIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/^(?:query|mutation|subscription|fragment) (\w+)/gm)].map(([, name = '']) => name))

const nameOf = (line: string): string => (documentLine.exec(line)?.[1] ?? '').replace(/(?:FragmentDoc|Document)$/, '')

const typesOf = (line: string): readonly string[] =>
  (documentLine.exec(line)?.[2] ?? '').split(/\W+/).filter((word) => word !== '' && word !== 'unknown')

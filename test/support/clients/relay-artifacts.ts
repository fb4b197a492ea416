import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ConcreteRequest, ReaderFragment } from 'relay-runtime'
import { clientSchemaText } from './client-schema.ts'

/** Output of Relay's compiler for a page, until it is disposed. */
export interface RelayArtifacts extends Disposable {
  of(operation: string): Promise<ConcreteRequest>
  fragment(name: string): Promise<ReaderFragment>
}

const ofClients = readFileSync(new URL('../../../docs/clients/relay.config.json', import.meta.url), 'utf8')

/** The same for operations and fragments on the platform's graph, with the configuration of docs/clients. */
export const clientArtifacts = (texts: readonly string[]): RelayArtifacts =>
  relayArtifacts(
    ["const { graphql } = require('relay-runtime')", ...texts.map((text) => `graphql\`${text}\``)].join('\n'),
    clientSchemaText,
    ofClients,
  )

/**
 * @param page - source of a module called `page`   @param config - of the compiler
 * @throws {Error} with the output of the compiler
 */
export function relayArtifacts(page: string, schema: string, config: string): RelayArtifacts {
  const folder = mkdtempSync(join(tmpdir(), 'relay-'))
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'src/page.js'), page)
  writeFileSync(join(folder, 'schema.graphql'), schema)
  writeFileSync(join(folder, 'relay.config.json'), config)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const compiler: string = createRequire(import.meta.url)('relay-compiler')
  const { status, stderr, stdout } = spawnSync(compiler, ['relay.config.json'], { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(stdout + stderr)
  const made = async (name: string) => (await import(pathToFileURL(join(folder, `src/__generated__/${name}.graphql.js`)).href)).default
  return {
    of: made,
    fragment: made,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

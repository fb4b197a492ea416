import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { printSchema, Supergraph } from '@apollo/federation-internals'

/** The graph as clients see it, of the composed one. */
export function clientSchema(): string {
  const supergraph = readFileSync(join(import.meta.dirname, '../../../schema/supergraph.graphql'), 'utf8')
  return `${printSchema(Supergraph.build(supergraph).apiSchema())}\n`
}

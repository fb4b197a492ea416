import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { printSchema, Supergraph } from '@apollo/federation-internals'
import type { GraphQLSchema } from 'graphql'

const apiSchema = () => Supergraph.build(readFileSync(join(import.meta.dirname, '../../../schema/supergraph.graphql'), 'utf8')).apiSchema()

/** The graph as clients see it, of the composed one. */
export const clientSchema = (): string => `${printSchema(apiSchema())}\n`

/** The same for programs. */
export const clientGraph = (): GraphQLSchema => apiSchema().toGraphQLJSSchema()

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { printSchema, Supergraph } from '@apollo/federation-internals'
import type { GraphQLSchema } from 'graphql'

const apiSchema = () => Supergraph.build(readFileSync(join(import.meta.dirname, '../../../schema/supergraph.graphql'), 'utf8')).apiSchema()

/** Returns the client schema of the composed supergraph. */
export const clientSchema = (): string => `${printSchema(apiSchema())}\n`

/** Returns the same schema as introspection JSON. */
export const clientGraph = (): GraphQLSchema => apiSchema().toGraphQLJSSchema()

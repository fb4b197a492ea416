import { readFileSync } from 'node:fs'
import { Supergraph } from '@apollo/federation-internals'
import { type GraphQLSchema, printSchema } from 'graphql'

const supergraph = readFileSync(new URL('../../../schema/supergraph.graphql', import.meta.url), 'utf8')

/** The printed schema of clients. */
export const clientSchema: GraphQLSchema = Supergraph.build(supergraph).apiSchema().toGraphQLJSSchema()
/** The same as text. */
export const clientSchemaText: string = printSchema(clientSchema)

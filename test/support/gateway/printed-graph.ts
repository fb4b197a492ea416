import { readFileSync } from 'node:fs'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { type GraphQLSchema, parse } from 'graphql'
import { componentNames } from '../../../foundation/process/build-info.ts'
import { inProcessSource } from '../../../gateway/sources/in-process-source.ts'
import type { SubgraphSource } from '../../../gateway/sources/subgraph-source.ts'
import { createNodes } from '../../../subgraphs/nodes/index.ts'
import { type RunningExecutor, startExecutor } from './town.ts'

type Resolvers = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** A file of schema/. */
export const printed = (file: string): string => readFileSync(new URL(`../../../schema/${file}`, import.meta.url), 'utf8')

/** The platform's printed graph, over subgraphs with the resolvers of a test; the nodes subgraph is the real one. */
export function startPrintedGraph(components: Readonly<Record<string, Resolvers>>): Promise<RunningExecutor> {
  const schemas: Record<string, GraphQLSchema> = {}
  const sources = (name: string): SubgraphSource => inProcessSource({ schema: schemas[name] as GraphQLSchema })
  schemas.nodes = createNodes((component, operation) => sources(component).fetch({ ...operation, operationName: undefined })).schema
  for (const name of componentNames)
    schemas[name] = buildSubgraphSchema([{ typeDefs: parse(printed(`${name}.graphql`)), resolvers: (components[name] ?? {}) as never }])
  return startExecutor('in process', printed('supergraph.graphql'), schemas)
}

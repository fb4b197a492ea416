import '../telemetry/apollo-opt-out.ts'
import { readFile } from 'node:fs/promises'
import { composeServices } from '@apollo/composition'
import { Supergraph } from '@apollo/federation-internals'
import { type GraphQLError, parse } from 'graphql'
import { messageOf } from '../../foundation/fault.ts'
import { supportedFeatures } from '../planning/supergraph/plannable-supergraph.ts'

/** One subgraph as composition sees it. `url` is only written into the supergraph; the executor is given sources of its own. */
export interface SubgraphDefinition {
  readonly name: string
  readonly sdl: string
  readonly url?: string
}

/** A supergraph that was loaded: its text, and where its subgraphs answer. */
export interface LoadedSupergraph {
  readonly sdl: string
  readonly subgraphs: readonly { readonly name: string; readonly url: string }[]
}

/**
 * Composes subgraphs into the text of a federation v2 supergraph.
 * @throws {Error} that lists every composition error, a line each, with the subgraph's name for a text that does not parse
 */
export function composeSupergraph(subgraphs: readonly SubgraphDefinition[]): string {
  const problems: string[] = []
  const services = subgraphs.flatMap(({ name, sdl, url }) => {
    try {
      return [{ name, typeDefs: parse(sdl), ...(url === undefined ? {} : { url }) }]
    } catch (error) {
      problems.push(`[${name}] ${messageOf(error)}`)
      return []
    }
  })
  if (problems.length === 0) {
    try {
      const composed = composeServices(services)
      if (composed.errors === undefined) return composed.supergraphSdl
      problems.push(...composed.errors.map(described))
    } catch (error) {
      problems.push(messageOf(error))
    }
  }
  throw new Error(`the subgraphs do not compose:\n${problems.map((problem) => `- ${problem}`).join('\n')}`)
}

/**
 * Reads any federation v2 supergraph.
 * @throws {Error} naming the file when it cannot be read or is no supergraph
 */
export async function loadSupergraph(file: string): Promise<LoadedSupergraph> {
  try {
    return readSupergraph(await readFile(file, 'utf8'))
  } catch (error) {
    throw new Error(`the supergraph ${file} cannot be used: ${messageOf(error)}`, { cause: error })
  }
}

/** @throws {Error} when the text is no supergraph */
export function readSupergraph(sdl: string): LoadedSupergraph {
  const subgraphs = Supergraph.build(sdl, { supportedFeatures }).subgraphsMetadata()
  return { sdl, subgraphs: subgraphs.map(({ name, url }) => ({ name, url })) }
}

function described(error: GraphQLError): string {
  const code = error.extensions?.code
  return typeof code === 'string' ? `${code}: ${error.message}` : error.message
}

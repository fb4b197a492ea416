import './apollo-opt-out.ts'
import { readFile } from 'node:fs/promises'
import { composeServices } from '@apollo/composition'
import { Supergraph } from '@apollo/federation-internals'
import { type GraphQLError, parse } from 'graphql'
import { messageOf } from '../../foundation/fault.ts'
import { supportedFeatures } from './supported-features.ts'

/** A subgraph for composition. `url` is only written into the supergraph; the executor uses its own sources. */
export interface SubgraphDefinition {
  readonly name: string
  readonly sdl: string
  readonly url?: string
}

/** A loaded supergraph: its text and the URLs of its subgraphs. */
export interface LoadedSupergraph {
  readonly sdl: string
  readonly subgraphs: readonly { readonly name: string; readonly url: string }[]
}

/**
 * Composes subgraphs to a Federation 2 supergraph. @throws {Error} listing every composition error, one per line, with the name of a subgraph that
 * does not parse
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

/** Reads any Federation 2 supergraph. @throws {Error} naming the file if it cannot be read or is invalid */
export async function loadSupergraph(file: string): Promise<LoadedSupergraph> {
  try {
    return readSupergraph(await readFile(file, 'utf8'))
  } catch (error) {
    throw new Error(`the supergraph ${file} is invalid: ${messageOf(error)}`, { cause: error })
  }
}

/** @throws {Error} if the text is not a supergraph */
export function readSupergraph(sdl: string): LoadedSupergraph {
  const subgraphs = Supergraph.build(sdl, { supportedFeatures }).subgraphsMetadata()
  return { sdl, subgraphs: subgraphs.map(({ name, url }) => ({ name, url })) }
}

function described(error: GraphQLError): string {
  const code = error.extensions?.code
  return typeof code === 'string' ? `${code}: ${error.message}` : error.message
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Supergraph } from '@apollo/federation-internals'
import type { GraphQLSchema } from 'graphql'
import { z } from 'zod'
import { breakingEntriesSince } from './changelog.ts'
import { graphBreaks, isGraphBreakAnnounced } from './graph-breaks.ts'
import { isRestBreakAnnounced, restBreaks } from './rest-breaks.ts'

/** Below `schema/`, and below `schema/released/` as the last release had it. */
const graph = 'supergraph.graphql'
const documents = 'rest'
export const released = 'released'

/**
 * Returns the changes since a release that break clients and that no `**Breaking:**` entry above that release announces. An entry announces
 * a change of the graph by its name (`DomainCount.key`; `DomainCount` for a type; `Query.*` for fields that became nullable), a change of
 * REST by the operation and the part (`limit` of `GET /jobs/results`), and a removal by the word `removed` in the same clause.
 * @param folder - of the project, with or without its history
 * @throws {Error} if schema/released/ is missing or the changelog is malformed
 */
export function unannouncedBreaks(folder: string, release: string): readonly string[] {
  const entries = breakingEntriesSince(release, readFileSync(join(folder, 'CHANGELOG.md'), 'utf8'))
  const [before, now] = [join(folder, 'schema', released), join(folder, 'schema')]
  const ofGraph = graphBreaks(graphIn(before), graphIn(now)).filter((change) => !isGraphBreakAnnounced(change, entries))
  const ofRest = readdirSync(join(before, documents)).flatMap((file) => {
    const former = documentAt(join(before, documents, file)) ?? {}
    // a missing document removes all its operations
    const changes = restBreaks(former, documentAt(join(now, documents, file)) ?? { ...former, paths: {} })
    return changes
      .filter((change) => !isRestBreakAnnounced(change, entries))
      .map(({ description }) => `schema/${documents}/${file}: ${description}`)
  })
  return [...ofGraph.map(({ description }) => description), ...ofRest]
}

const graphIn = (folder: string): GraphQLSchema =>
  Supergraph.build(readFileSync(join(folder, graph), 'utf8'))
    .apiSchema()
    .toGraphQLJSSchema()

const Document = z.record(z.string(), z.unknown())
function documentAt(path: string): object | undefined {
  try {
    return Document.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Supergraph } from '@apollo/federation-internals'
import type { GraphQLSchema } from 'graphql'
import { z } from 'zod'
import { saidSince } from './changelog.ts'
import { graphBreaks, isSaidOfGraph } from './graph-breaks.ts'
import { isSaidOfRest, restBreaks } from './rest-breaks.ts'

/** Below `schema/`, and below `schema/released/` as the last release had it. */
const graph = 'supergraph.graphql'
const documents = 'rest'
export const released = 'released'

/**
 * What breaks clients since a release and is not said in the changelog, in the parts above that release. Of the graph it is said by the name
 * of what has changed (`DomainCount.key`; `DomainCount` where the type goes; `Query.*` where fields may be null now); of REST by the
 * operation and what of it has changed, in one item (`limit` of `GET /jobs/results`). What is not there any more stands behind `before: `, or
 * in a sentence that says `gone`.
 * @param folder - of the project, with or without its history   @throws {Error} where schema/released/ is not there
 */
export function unsaidBreaks(folder: string, release: string): readonly string[] {
  const said = saidSince(release, readFileSync(join(folder, 'CHANGELOG.md'), 'utf8'))
  const [before, now] = [join(folder, 'schema', released), join(folder, 'schema')]
  const ofGraph = graphBreaks(graphIn(before), graphIn(now)).filter((change) => !isSaidOfGraph(change, said))
  const ofRest = readdirSync(join(before, documents)).flatMap((file) => {
    const former = documentAt(join(before, documents, file)) ?? {}
    // of a document that is not there any more all operations are gone
    const changes = restBreaks(former, documentAt(join(now, documents, file)) ?? { ...former, paths: {} })
    return changes.filter((change) => !isSaidOfRest(change, said)).map(({ description }) => `schema/${documents}/${file}: ${description}`)
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

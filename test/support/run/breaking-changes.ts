import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Supergraph } from '@apollo/federation-internals'
import type { GraphQLSchema } from 'graphql'
import { z } from 'zod'
import previous from '../../faults/previous-release.json' with { type: 'json' }
import { saidSince } from './changelog.ts'
import { graphBreaks, isSaidOfGraph } from './graph-breaks.ts'
import { isSaidOfRest, restBreaks } from './rest-breaks.ts'

/**
 * Part of `npm run check`: what breaks clients since the last release must be said in the changelog, in the parts above that release. Of the
 * graph by the name of what has changed (`DomainCount.key`; `DomainCount` where the type goes; `Query.*` where fields may be null now); of
 * REST by the operation and what of it has changed, in one item (`limit` of `GET /jobs/results`). What is not there any more stands behind
 * `before: `, or in a sentence that says `gone`.
 */
const graph = 'schema/supergraph.graphql'
const documents = 'schema/rest'

function graphOf(supergraph: string): GraphQLSchema {
  return Supergraph.build(supergraph).apiSchema().toGraphQLJSSchema()
}

/** @returns undefined where this is no clone with the history of that release */
function git(...words: string[]): string | undefined {
  try {
    return execFileSync('git', words, { encoding: 'utf8', maxBuffer: 1e8, stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return undefined
  }
}

const released = (file: string): string | undefined => git('show', `${previous.commit}:${file}`)
const said = saidSince(previous.release, readFileSync('CHANGELOG.md', 'utf8'))

const Document = z.record(z.string(), z.unknown())
const documentOf = (text: string): object => Document.parse(JSON.parse(text))
/** A document that is not there any more has nothing left. */
function presentOf(file: string): object {
  try {
    return documentOf(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw error
  }
}

function unsaidOfGraph(before: string): readonly string[] {
  const changes = graphBreaks(graphOf(before), graphOf(readFileSync(graph, 'utf8')))
  return changes.filter((change) => !isSaidOfGraph(change, said)).map(({ description }) => description)
}

function unsaidOfRest(file: string): readonly string[] {
  const changes = restBreaks(documentOf(released(file) ?? '{}'), presentOf(file))
  return changes.filter((change) => !isSaidOfRest(change, said)).map(({ description }) => `${file}: ${description}`)
}

const before = released(graph)
if (before === undefined) {
  process.stdout.write(`Release ${previous.release} is not in this folder's history: nothing is compared with it\n`)
} else {
  const files = git('ls-tree', '--name-only', previous.commit, `${documents}/`)?.trim().split('\n') ?? []
  const unsaid = [...unsaidOfGraph(before), ...files.flatMap(unsaidOfRest)]
  for (const description of unsaid) process.stdout.write(`${description} CHANGELOG.md does not say so.\n`)
  process.exitCode = unsaid.length === 0 ? 0 : 1
}

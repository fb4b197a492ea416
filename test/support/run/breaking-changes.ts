import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { Supergraph } from '@apollo/federation-internals'
import { findBreakingChanges, type GraphQLSchema } from 'graphql'
import { z } from 'zod'
import previous from '../../faults/previous-release.json' with { type: 'json' }
import { restBreaks } from './rest-breaks.ts'

/**
 * Part of `npm run check`: what breaks clients since the last release must be said in the changelog, in the parts above that release. Of the
 * graph by the name of the type (`DomainCount`), of the field (`DomainCount.key`), or, where fields get another type, of all of them
 * (`Query.*`); of REST by the operation (`GET /figures`), or a parameter by its name.
 */
const graph = 'schema/supergraph.graphql'
const documents = 'schema/rest'

function graphOf(supergraph: string): GraphQLSchema {
  return Supergraph.build(supergraph).apiSchema().toGraphQLJSSchema()
}

/** @returns undefined where this is no clone with the history of that release, or the release had no such file */
function released(file: string): string | undefined {
  try {
    return execFileSync('git', ['show', `${previous.commit}:${file}`], {
      encoding: 'utf8',
      maxBuffer: 1e8,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    return undefined
  }
}

/** What stands between backquotes and was not released then. */
function saidSince(release: string, changelog: string): ReadonlySet<string> {
  const parts = changelog.split(/^## /m).slice(1)
  const since = parts.slice(
    0,
    parts.findIndex((part) => part.startsWith(release)),
  )
  return new Set([...since.join('').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
}

const said = saidSince(previous.release, readFileSync('CHANGELOG.md', 'utf8'))

function unsaidOfGraph(before: string): readonly string[] {
  const changes = findBreakingChanges(graphOf(before), graphOf(readFileSync(graph, 'utf8')))
  const unsaid = changes.filter(({ description }) => {
    const [name = '', type = ''] = /\b([A-Z]\w+)(?:\.\w+)?/.exec(description) ?? []
    const names = [name, type, ...(description.includes(' changed type ') ? [`${type}.*`] : [])]
    return !names.some((each) => said.has(each))
  })
  return unsaid.map(({ description }) => description)
}

const Document = z.record(z.string(), z.unknown())
const documentOf = (text: string): object => Document.parse(JSON.parse(text))

function unsaidOfRest(file: string): readonly string[] {
  const before = released(file)
  if (before === undefined) return []
  const changes = restBreaks(documentOf(before), documentOf(readFileSync(file, 'utf8')))
  return changes.filter(({ names }) => !names.some((name) => said.has(name))).map(({ description }) => `${file}: ${description}`)
}

const before = released(graph)
if (before === undefined) {
  process.stdout.write(`Release ${previous.release} is not in this folder's history: nothing is compared with it\n`)
} else {
  const unsaid = [...unsaidOfGraph(before), ...readdirSync(documents).flatMap((name) => unsaidOfRest(`${documents}/${name}`))]
  for (const description of unsaid) process.stdout.write(`${description} CHANGELOG.md does not say so.\n`)
  process.exitCode = unsaid.length === 0 ? 0 : 1
}

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Supergraph } from '@apollo/federation-internals'
import { findBreakingChanges, type GraphQLSchema } from 'graphql'
import previous from '../../faults/previous-release.json' with { type: 'json' }

/**
 * Part of `npm run check`: what breaks clients of the graph since the last release must be said in the changelog, by the name of the type
 * (`DomainCount`), of the field (`DomainCount.key`), or, where fields get another type, of all of them (`Query.*`), in the parts above that release.
 */
const printed = 'schema/supergraph.graphql'

function graphOf(supergraph: string): GraphQLSchema {
  return Supergraph.build(supergraph).apiSchema().toGraphQLJSSchema()
}

/** @returns undefined where this is no clone with the history of that release */
function released(): string | undefined {
  try {
    return execFileSync('git', ['show', `${previous.commit}:${printed}`], {
      encoding: 'utf8',
      maxBuffer: 1e8,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    return undefined
  }
}

/** Names between backquotes of what was not released then. */
function saidSince(release: string, changelog: string): ReadonlySet<string> {
  const parts = changelog.split(/^## /m).slice(1)
  const since = parts.slice(
    0,
    parts.findIndex((part) => part.startsWith(release)),
  )
  return new Set([...since.join('').matchAll(/`([A-Za-z]+(?:\.(?:\w+|\*))?)`/g)].map(([, name = '']) => name))
}

const before = released()
if (before === undefined) {
  process.stdout.write(`The graph of release ${previous.release} is not in this folder's history: not compared\n`)
} else {
  const said = saidSince(previous.release, readFileSync('CHANGELOG.md', 'utf8'))
  const unsaid = findBreakingChanges(graphOf(before), graphOf(readFileSync(printed, 'utf8'))).filter(({ description }) => {
    const [name = '', type = ''] = /\b([A-Z]\w+)(?:\.\w+)?/.exec(description) ?? []
    const names = [name, type, ...(description.includes(' changed type ') ? [`${type}.*`] : [])]
    return !names.some((each) => said.has(each))
  })
  for (const { description } of unsaid) process.stdout.write(`${description} CHANGELOG.md does not say so.\n`)
  process.exitCode = unsaid.length === 0 ? 0 : 1
}

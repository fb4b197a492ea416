#!/usr/bin/env node
import '../gateway/supergraph/apollo-opt-out.ts'
import { ConfigProblems, parseConfig } from '../foundation/config/config.ts'
import { environment } from '../foundation/config/environment.ts'
import { readBuildInfo } from '../foundation/process/build-info.ts'
import { parseRoles } from './process/roles.ts'
import { startFailure } from './run-announced.ts'
import { startSupergraphGateway } from './start-supergraph-gateway.ts'

const usage = `civigraph-gateway ${readBuildInfo().version}: serves a Federation 2 supergraph

civigraph-gateway FILE       a supergraph file, reloaded when it changes
civigraph-gateway ADDRESS    the supergraph at an HTTP or HTTPS URL
civigraph-gateway            the supergraph of SUPERGRAPH_FILE or SUPERGRAPH_URL

Everything else is set in the environment: PORT_BASE [4000], BIND_ADDRESS [127.0.0.1], SUBGRAPH_URLS, PROPAGATE_HEADERS and more (README).`

/** @throws {ConfigProblems} */
async function run(words: readonly string[]): Promise<readonly string[]> {
  const [word, ...more] = words
  const writeLine = (line: string): boolean => process.stdout.write(`${line}\n`)
  if (word === 'help' || word === '--help' || word === '-h') {
    writeLine(usage)
    return []
  }
  if (more.length > 0 || word?.startsWith('-')) return [usage]
  const named = word === undefined ? {} : { [/^https?:\/\//.test(word) ? 'SUPERGRAPH_URL' : 'SUPERGRAPH_FILE']: word }
  const config = parseConfig({ ...environment, ...named }, process.cwd())
  if (config.supergraphFile === undefined && config.supergraphUrl === undefined) return [usage]
  const roles = parseRoles(['gateway'])
  return 'problems' in roles ? roles.problems : await startSupergraphGateway(config, roles, writeLine)
}

try {
  const problems = await run(process.argv.slice(2))
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  if (problems.length > 0) process.exitCode = 1
} catch (error) {
  for (const problem of error instanceof ConfigProblems ? error.problems : [startFailure(error)]) process.stderr.write(`${problem}\n`)
  process.exit(1)
}

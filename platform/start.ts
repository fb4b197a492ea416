import type { Config } from '../foundation/config/config.ts'
import { createLog } from '../foundation/log.ts'
import { readBuildInfo } from '../foundation/process/build-info.ts'
import { assemble } from './assemble.ts'
import type { WriteLine } from './commands/command.ts'
import { certificateProblems } from './listeners/listeners-certificate.ts'
import { credentialLines } from './process/keys/credential-lines.ts'
import { missingKeys, resolveKeys } from './process/keys/keys.ts'
import { collectGarbageEarly } from './process/memory.ts'
import { addressSpaceProblem, fittedToMemory, memoryLimit } from './process/memory-limit.ts'
import { portsOf } from './process/ports.ts'
import { claimRoles } from './process/role-claims.ts'
import { namesOf, type Roles } from './process/roles.ts'
import { folderProblem, portProblems, searchIndexProblem } from './process/start-checks.ts'
import { runAnnounced } from './run-announced.ts'

/** Starts the chosen roles and runs them until a signal. @returns nothing once it runs; or one sentence per problem found before the start */
export async function start(config: Config, roles: Roles, writeLine: WriteLine): Promise<readonly string[]> {
  const isOurs = config.supergraphFile === undefined && config.supergraphUrl === undefined
  if (isOurs) return await startPlatform(config, roles, writeLine)
  const { startSupergraphGateway } = await import('./start-supergraph-gateway.ts')
  return await startSupergraphGateway(config, roles, writeLine)
}

async function startPlatform(given: Config, roles: Roles, writeLine: WriteLine): Promise<readonly string[]> {
  collectGarbageEarly()
  const limit = memoryLimit()
  const { config, problem: tooLittle, reduced } = fittedToMemory(given, roles, limit)
  const memory = addressSpaceProblem() ?? tooLittle
  const folder = folderProblem(config.dataDir)
  const claims = folder === undefined ? claimRoles(config.dataDir, namesOf(roles)) : undefined
  if (claims !== undefined && claims.problems.length > 0) return claims.problems
  const ports = portsOf(config, roles)
  const searchProblem = searchIndexProblem(config, roles)
  const problems = [
    ...(memory === undefined ? [] : [memory]),
    ...(folder === undefined ? [] : [folder]),
    ...(searchProblem === undefined ? [] : [searchProblem]),
    ...missingKeys(config, roles),
    ...certificateProblems(config),
    ...(await portProblems(ports.wanted)),
  ]
  if (problems.length > 0 || claims === undefined) {
    await claims?.part.stop()
    return problems
  }
  const keys = resolveKeys(config)
  const log = createLog(config.logLevel)
  if (reduced !== undefined) log.warn({ limitBytes: limit?.bytes, ...reduced }, 'settings were reduced to the memory limit')
  for (const { name, closest } of config.unknownSettings)
    log.warn({ variable: name, closest }, 'an unknown setting is ignored; did you mean the closest one?')
  const composed = await assemble({ config, roles, ports, keys, log, build: readBuildInfo() }, claims.part)
  const what = roles.all ? 'the whole platform' : namesOf(roles).join(' ')
  await runAnnounced(composed, config, log, what, credentialLines(config, roles, keys, process.stdout.isTTY === true), writeLine)
  return []
}

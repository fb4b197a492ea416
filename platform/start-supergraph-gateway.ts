import type { Config } from '../foundation/config/config.ts'
import { createLog } from '../foundation/log.ts'
import { readBuildInfo } from '../foundation/process/build-info.ts'
import type { WriteLine } from './commands/command.ts'
import { certificateProblems } from './listeners/listeners-certificate.ts'
import { collectGarbageEarly } from './process/memory.ts'
import { portsOf } from './process/ports.ts'
import type { Roles } from './process/roles.ts'
import { portProblems } from './process/start-checks.ts'
import { runAnnounced } from './run-announced.ts'
import { assembleSupergraphGateway, originOf, supergraphProblems } from './supergraph-gateway.ts'

/** Starts the gateway over any supergraph, without engines, keys or data on disk. @returns as `start` does */
export async function startSupergraphGateway(config: Config, roles: Roles, writeLine: WriteLine): Promise<readonly string[]> {
  collectGarbageEarly()
  const ports = portsOf(config, roles)
  const problems = [...supergraphProblems(config, roles), ...certificateProblems(config), ...(await portProblems(ports.wanted))]
  if (problems.length > 0) return problems
  const log = createLog(config.logLevel)
  const origin = originOf(config)
  const composed = await assembleSupergraphGateway(origin, config, ports, readBuildInfo(), log)
  await runAnnounced(composed, config, log, `gateway over ${origin.name}`, [], writeLine)
  return []
}

import 'reflect-metadata'
import '../gateway/supergraph/apollo-opt-out.ts'
import '../engines/inference/telemetry-opt-out.ts'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { type Config, ConfigProblems, parseConfig } from '../foundation/config/config.ts'
import { environment } from '../foundation/config/environment.ts'
import { cacheFolder } from '../foundation/process/build-info.ts'
import { isCommand, runCommand } from './commands/commands.ts'
import { helpText } from './help.ts'
import { restartWithAllocatorSettings } from './process/memory.ts'
import { parseRoles } from './process/roles.ts'
import { startFailure } from './run-announced.ts'

/** Caches V8's compiled code of modules loaded from now on, since compilation is a third of a start. A no-op if the folder is not writable. */
function keepCompiledCode(): void {
  enableCompileCache(join(cacheFolder, 'compiled'))
}

const writeLine = (line: string): boolean => process.stdout.write(`${line}\n`)

function refuse(problems: readonly string[]): never {
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  process.exit(1)
}

function readConfig(): Config | readonly string[] {
  try {
    return parseConfig(environment, process.cwd())
  } catch (error) {
    if (error instanceof ConfigProblems) return error.problems
    throw error
  }
}

/** Runs a command with its arguments, or the given roles (default: all). */
async function run(words: readonly string[]): Promise<void> {
  if (words.includes('help') || words.includes('--help')) {
    writeLine(helpText())
    return
  }
  const config = readConfig()
  if (isCommand(words[0])) process.exit('dataDir' in config ? await runCommand(words, config, writeLine) : refuse(config))
  const roles = parseRoles(words)
  if ('problems' in roles || !('dataDir' in config))
    return refuse([...('problems' in roles ? roles.problems : []), ...('dataDir' in config ? [] : config)])
  restartWithAllocatorSettings(roles, environment)
  keepCompiledCode()
  const { start } = await import('./start.ts')
  const problems = await start(config, roles, writeLine)
  if (problems.length > 0) refuse(problems)
}

await run(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${startFailure(error)}\n`)
  process.exit(1)
})

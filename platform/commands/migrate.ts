import type { EngineSchema, SchemaStatus } from '../../foundation/engine-start/engine-schema.ts'
import { refuseProblems } from '../../foundation/engine-start/schema-at-start.ts'
import { createLog } from '../../foundation/log.ts'
import { schemasOf } from '../engines/schemas.ts'
import { type Command, CommandProblem, readWords, type WriteLine } from './command.ts'
import { withAnySchema } from './database.ts'

const startLimitMs = 30_000
const verbs = ['plan', 'apply', 'status']
/** exit codes of `status` besides 0: migrations are pending; this release is incompatible */
const exitCodes = { pending: 1, unusable: 2 }

/** `migrate …`: migrates tables and indices of every engine, before or during a rollout. @returns the exit code */
export const manageSchema: Command = async (words, config, writeLine) => {
  const { values, positionals } = readWords(words, { contract: { type: 'boolean' } })
  const [verb = ''] = positionals
  const { contract = false } = values
  if (positionals.length !== 1 || !verbs.includes(verb)) throw new CommandProblem(`Unknown command: migrate ${positionals.join(' ')}`)
  if (contract && verb === 'status') throw new CommandProblem('--contract is an option of plan and apply')
  return withAnySchema(
    config,
    async (relational, signal) => {
      const { all, connections } = await schemasOf(config, relational, createLog('error'))
      await connections.start(AbortSignal.any([signal, AbortSignal.timeout(startLimitMs)]))
      try {
        if (verb === 'apply') return await apply(all, contract, signal, writeLine)
        const codes = []
        for (const schema of all) {
          const status = await schema.status(signal)
          codes.push(verb === 'plan' ? plan(schema, status, contract, writeLine) : print(schema, status, writeLine))
        }
        return Math.max(...codes)
      } finally {
        await connections.stop()
      }
    },
    'applied steps stay; the next "migrate apply" continues',
  )
}

async function apply(schemas: readonly EngineSchema[], contract: boolean, signal: AbortSignal, writeLine: WriteLine): Promise<number> {
  // changes nothing while any engine has a problem
  for (const { engine, status } of schemas) refuseProblems(engine, (await status(signal)).problems)
  for (const { engine, apply: applySchema } of schemas)
    await applySchema({ signal, contract, onProgress: (sentence) => writeLine(`${engine}: ${sentence}`) })
  writeLine('every schema is up to date')
  return 0
}

function plan({ engine }: EngineSchema, { pending, contracts, problems }: SchemaStatus, contract: boolean, writeLine: WriteLine): number {
  for (const { name, how } of pending) writeLine(`${engine}: would apply ${name}, ${how}`)
  for (const name of contract ? contracts : []) writeLine(`${engine}: would apply ${name}, which removes what older releases need`)
  if (pending.length === 0 && !(contract && contracts.length > 0)) writeLine(`${engine}: nothing to apply`)
  for (const problem of problems) writeLine(`${engine}: ${problem}`)
  return problems.length > 0 ? exitCodes.unusable : 0
}

function print({ engine }: EngineSchema, status: SchemaStatus, writeLine: WriteLine): number {
  const { version, applied, pending, contracts, newer, problems } = status
  writeLine(`${engine}: ${version === undefined ? '' : `schema ${version}, `}${applied} applied, ${pending.length} pending`)
  for (const { name, how } of pending) writeLine(`  pending   ${name}, ${how}`)
  for (const name of contracts)
    writeLine(`  contract  ${name}: run "migrate apply --contract" when no process of an older release is running`)
  for (const name of newer) writeLine(`  newer     ${name}`)
  for (const problem of problems) writeLine(`  problem   ${problem}`)
  if (problems.length > 0) return exitCodes.unusable
  return pending.length > 0 ? exitCodes.pending : 0
}

import type { EngineSchema, SchemaStatus } from '../../foundation/engine-start/engine-schema.ts'
import { refuseProblems } from '../../foundation/engine-start/schema-at-start.ts'
import { createLog } from '../../foundation/log.ts'
import { schemasOf } from '../engines/schemas.ts'
import { type Command, CommandProblem, readWords, type Say } from './command.ts'
import { withAnySchema } from './database.ts'

const startLimitMs = 30_000
const verbs = ['plan', 'apply', 'status']
/** what `status` ends with, beside 0: something is to be applied; this release cannot use what is there */
const exitCodes = { pending: 1, unusable: 2 }

/** `migrate …`: tables and indices of every engine, before a release is rolled out or beside it. @returns the exit code */
export const manageSchema: Command = async (words, config, say) => {
  const { values, positionals } = readWords(words, { contract: { type: 'boolean' } })
  const [verb = ''] = positionals
  const { contract = false } = values
  if (positionals.length !== 1 || !verbs.includes(verb)) throw new CommandProblem(`There is no command migrate ${positionals.join(' ')}`)
  if (contract && verb === 'status') throw new CommandProblem('--contract goes with plan and apply')
  return withAnySchema(
    config,
    async (relational, signal) => {
      const { all, connections } = await schemasOf(config, relational, createLog('error'))
      await connections.start(AbortSignal.any([signal, AbortSignal.timeout(startLimitMs)]))
      try {
        if (verb === 'apply') return await apply(all, contract, signal, say)
        const codes = []
        for (const schema of all) {
          const status = await schema.status(signal)
          codes.push(verb === 'plan' ? plan(schema, status, contract, say) : tell(schema, status, say))
        }
        return Math.max(...codes)
      } finally {
        await connections.stop()
      }
    },
    'what was applied stays; the next "migrate apply" goes on',
  )
}

async function apply(schemas: readonly EngineSchema[], contract: boolean, signal: AbortSignal, say: Say): Promise<number> {
  // nothing is changed anywhere while something is wrong somewhere
  for (const { engine, status } of schemas) refuseProblems(engine, (await status(signal)).problems)
  for (const { engine, apply: bringForward } of schemas)
    await bringForward({ signal, contract, onProgress: (sentence) => say(`${engine}: ${sentence}`) })
  say('every schema is up to date')
  return 0
}

function plan({ engine }: EngineSchema, { pending, contracts, problems }: SchemaStatus, contract: boolean, say: Say): number {
  for (const { name, how } of pending) say(`${engine}: would apply ${name}, ${how}`)
  for (const name of contract ? contracts : []) say(`${engine}: would apply ${name}, which takes away what older releases need`)
  if (pending.length === 0 && !(contract && contracts.length > 0)) say(`${engine}: nothing to apply`)
  for (const problem of problems) say(`${engine}: ${problem}`)
  return problems.length > 0 ? exitCodes.unusable : 0
}

function tell({ engine }: EngineSchema, status: SchemaStatus, say: Say): number {
  const { version, applied, pending, contracts, newer, problems } = status
  say(`${engine}: ${version === undefined ? '' : `schema ${version}, `}${applied} applied, ${pending.length} pending`)
  for (const { name, how } of pending) say(`  pending   ${name}, ${how}`)
  for (const name of contracts) say(`  contract  ${name}: "migrate apply --contract", once no process of an older release runs`)
  for (const name of newer) say(`  newer     ${name}`)
  for (const problem of problems) say(`  problem   ${problem}`)
  if (problems.length > 0) return exitCodes.unusable
  return pending.length > 0 ? exitCodes.pending : 0
}

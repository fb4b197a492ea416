import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { magazine } from '../../demonstration/magazine/magazine.ts'
import { messageOf } from '../../foundation/fault.ts'
import { requestContext } from '../../foundation/http/request-context.ts'
import { type Part, pause } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import type { Executor } from '../../gateway/executor/executor.ts'
import { isDemonstrationRemoved } from './eligibility.ts'

export const demonstrationTenant = 'default'

export interface DemonstrationTree {
  readonly executor: Pick<Executor, 'prepare' | 'execute'>
  readonly dataDir: string
  readonly log: Log
}

const requestMs = 20_000
const retryMs = 2000
const maxTries = 30

/**
 * Imports the demonstration magazine in the background, once per DATA_DIR, unless the tenant has a tree; if one is created at the same moment, the
 * import is refused because of its second root.
 */
export function demonstrationTree({ executor, dataDir, log }: DemonstrationTree): Part {
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> | undefined

  const ask = async <Answer>(
    operation: string,
    variables: Readonly<Record<string, unknown>>,
    answer: z.ZodType<Answer>,
  ): Promise<Answer> => {
    using context = requestContext({
      principal: { service: { name: 'demonstration', scopes: ['admin'] } },
      requestId: randomUUID(),
      log,
      timeoutMs: requestMs,
      disconnected: signal,
    })
    const { data, errors } = await executor.execute(executor.prepare(operation), variables, context)
    if (errors !== undefined) throw new Error(errors[0]?.message ?? 'refused')
    return answer.parse(data)
  }

  const load = async (): Promise<void> => {
    const { contentRoot } = await ask(`query Look($tenant: ID) { contentRoot(tenantId: $tenant) { version } }`, tenant, Looked)
    if (contentRoot === null) {
      const nodes = magazine()
      const { started } = await ask(start, { input: { tenantId: demonstrationTenant } }, Started)
      const { importId } = started
      await ask(append, { input: { importId, sequence: 0, nodes } }, z.unknown())
      const { finished } = await ask(finish, { input: { importId } }, Finished)
      if (finished.summary === null) throw new Error('the import is still running')
      log.info({ nodes: finished.summary.created, tenant: demonstrationTenant }, 'demonstration magazine loaded')
    }
    await writeFile(markOf(dataDir), '')
  }

  const retry = async (): Promise<void> => {
    for (let tries = 1; !signal.aborted && !existsSync(markOf(dataDir)) && !isDemonstrationRemoved(dataDir); tries++) {
      try {
        return await load()
      } catch (error) {
        if (signal.aborted) return
        if (tries === maxTries) return log.warn({ reason: messageOf(error) }, 'could not load the demonstration magazine')
      }
      await pause(retryMs, signal)
    }
  }

  return {
    name: 'demonstration magazine',
    async start() {
      running = retry()
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** exists if the magazine was loaded or the tenant had another tree */
const markOf = (dataDir: string): string => join(dataDir, 'demonstration-magazine.loaded')

const tenant = { tenant: demonstrationTenant }
const start = 'mutation Start($input: StartContentImportInput!) { started: startContentImport(input: $input) { importId } }'
const append = 'mutation Append($input: AppendContentImportInput!) { appendContentImport(input: $input) { received } }'
const finish = 'mutation Finish($input: FinishContentImportInput!) { finished: finishContentImport(input: $input) { summary { created } } }'
const Looked = z.object({ contentRoot: z.object({ version: z.int() }).nullable() })
const Started = z.object({ started: z.object({ importId: z.string() }) })
const Finished = z.object({ finished: z.object({ summary: z.object({ created: z.int() }).nullable() }) })

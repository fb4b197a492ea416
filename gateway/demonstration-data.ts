import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type MadeExpression, madeExpressions } from '../demonstration/expressions/made-expressions.ts'
import type { AnalyticsStore, VoteValue } from '../subgraphs/engines/analytics-store/analytics-store.ts'
import type { Config } from '../subgraphs/foundation/config.ts'
import { messageOf } from '../subgraphs/foundation/fault.ts'
import { type Part, pause } from '../subgraphs/foundation/lifecycle.ts'
import type { Log } from '../subgraphs/foundation/log.ts'
import type { Executor } from './executor.ts'
import { requestContext } from './request-context.ts'

export const demonstrationSource = 'demonstration'

const Progress = z.object({
  /** the moment from which the dates of the data look back */
  begun: z.iso.datetime(),
  /** how many expressions were sent, and of how many the votes were cast */
  sent: z.int().min(0),
  voted: z.int().min(0),
  /** somebody has removed the data: it is not to come again */
  removed: z.boolean(),
})
type Progress = z.output<typeof Progress>

export interface DemonstrationData {
  readonly executor: Pick<Executor, 'prepare' | 'execute'>
  readonly store: Pick<AnalyticsStore, 'castVote'>
  readonly dataDir: string
  readonly log: Log
}

/** users come first: so long nothing is sent, and so long there is rest after each expression, however fast it went */
const firstRestMs = 1500
const restMs = 15
/** a vote is cast once its expression is written, which takes a moment */
const retryMs = 2000
const requestMs = 20_000
const keepEvery = 50
const tellEvery = 400

/** Whether this platform shows demonstration data: only where nothing is real, and everything is in this process. */
export function wantsDemonstrationData({ production, database, redis, ingest, demonstrationData }: Config, alone: boolean): boolean {
  return demonstrationData && alone && !production && database.url === undefined && redis === undefined && ingest.auth !== 'token'
}

/**
 * Sends the demonstration's expressions through the pipeline like any other sender, one by one in the background, then the votes on them. A
 * restart goes on where the last one stopped; what was sent twice is there once, by its external id.
 */
export function demonstrationData({ executor, store, dataDir, log }: DemonstrationData): Part {
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> | undefined

  const send = async (expression: MadeExpression, begun: number): Promise<string> => {
    using context = requestContext({
      principal: { service: { name: demonstrationSource, scopes: [] } },
      requestId: randomUUID(),
      log,
      timeoutMs: requestMs,
      clientGone: signal,
    })
    const input = {
      text: expression.text,
      externalId: expression.externalId,
      source: demonstrationSource,
      authorRef: expression.author,
      createdAt: new Date(begun - expression.hoursAgo * 3_600_000).toISOString(),
      ...(expression.domainHint && { domainHint: expression.domainHint }),
      ...(expression.location && { location: expression.location }),
    }
    const { data, errors } = await executor.execute(
      executor.prepare('mutation Demonstrate($input: IngestExpressionInput!) { ingestExpression(input: $input) { expression { id } } }'),
      { input },
      context,
    )
    if (errors !== undefined) throw new Error(errors[0]?.message ?? 'refused')
    return Sent.parse(data).ingestExpression.expression.id
  }

  const vote = async (id: string, votes: MadeExpression['votes']): Promise<void> => {
    for (const [voter, value] of Object.entries(votes)) {
      signal.throwIfAborted()
      while (!(await store.castVote(id, createHash('sha256').update(voter).digest('hex'), storedValues[value]))) await rest(retryMs)
      await rest(restMs)
    }
  }

  const rest = async (ms: number): Promise<void> => {
    await pause(ms, signal)
    signal.throwIfAborted()
  }

  const load = async (): Promise<void> => {
    await rest(firstRestMs)
    let progress = readProgress(dataDir)
    if (progress.removed) return
    const all = madeExpressions()
    if (progress.voted >= all.length) return
    const begun = Date.parse(progress.begun)
    log.info({ expressions: all.length, done: progress.voted }, 'demonstration data is being loaded')
    // Votes follow at a distance: by then their expression is written.
    const distance = 20
    const ids: string[] = []
    for (let index = progress.voted; index < all.length + distance; index++) {
      const [expression, voted] = [all[index], all[index - distance]]
      if (expression !== undefined) ids[index] = await untilDone(() => send(expression, begun))
      const id = ids[index - distance]
      if (voted !== undefined && id !== undefined) await untilDone(() => vote(id, voted.votes))
      await rest(restMs)
      const done = Math.max(0, index + 1 - distance)
      if (index % keepEvery === 0 || done === all.length) {
        progress = { ...progress, sent: Math.min(all.length, index + 1), voted: Math.max(progress.voted, done) }
        await keepProgress(dataDir, progress)
      }
      if (done > 0 && done % tellEvery === 0) log.info({ done, of: all.length }, 'demonstration data is being loaded')
    }
    log.info({ expressions: all.length }, 'demonstration data is there')
  }

  const untilDone = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        signal.throwIfAborted()
        log.debug({ reason: messageOf(error) }, 'demonstration data waits')
        await rest(retryMs)
      }
    }
  }

  return {
    name: 'demonstration data',
    async start() {
      running = load().catch((error: unknown) => {
        if (!signal.aborted) log.warn({ reason: messageOf(error) }, 'demonstration data could not be loaded')
      })
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}

const Sent = z.object({ ingestExpression: z.object({ expression: z.object({ id: z.string() }) }) })
const storedValues = { AGREE: 'agree', DISAGREE: 'disagree', PASS: 'pass' } as const satisfies Record<string, VoteValue>
const fileOf = (dataDir: string): string => join(dataDir, 'demonstration.json')

function readProgress(dataDir: string): Progress {
  try {
    return Progress.parse(JSON.parse(readFileSync(fileOf(dataDir), 'utf8')))
  } catch {
    return { begun: new Date().toISOString(), sent: 0, voted: 0, removed: false }
  }
}

async function keepProgress(dataDir: string, progress: Progress): Promise<void> {
  const file = fileOf(dataDir)
  await writeFile(`${file}.new`, JSON.stringify(progress), { mode: 0o600 })
  await rename(`${file}.new`, file)
}

/** Withdraws every demonstration expression with its votes; a later start does not bring them back. @returns how many */
export async function removeDemonstrationData(
  store: Pick<AnalyticsStore, 'expressionsFrom' | 'withdrawExpression'>,
  dataDir: string,
): Promise<number> {
  await keepProgress(dataDir, { ...readProgress(dataDir), removed: true })
  let removed = 0
  for (;;) {
    const ids = await store.expressionsFrom(demonstrationSource, 500)
    if (ids.length === 0) return removed
    for (const id of ids) if (await store.withdrawExpression(id)) removed += 1
  }
}

import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type SampleExpression, sampleExpressions } from '../../demonstration/expressions/sample-expressions.ts'
import type { AnalyticsStore, VoteValue } from '../../engines/analytics-store/analytics-store.ts'
import { messageOf } from '../../foundation/fault.ts'
import { requestContext } from '../../foundation/http/request-context.ts'
import { type Part, pause } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import type { Executor } from '../../gateway/executor/executor.ts'
import { isDemonstrationRemoved, markDemonstrationRemoved } from './eligibility.ts'

export const demonstrationSource = 'demonstration'

const Progress = z.object({
  /** start time to which the dates of the data are relative */
  begun: z.iso.datetime(),
  /** number of expressions sent, and number of expressions whose votes were cast */
  sent: z.int().min(0),
  voted: z.int().min(0),
})
type Progress = z.output<typeof Progress>

export interface DemonstrationData {
  readonly executor: Pick<Executor, 'prepare' | 'execute'>
  readonly store: Pick<AnalyticsStore, 'castVote'> & Removal
  readonly dataDir: string
  readonly log: Log
}

/** delay before the first expression, and pause after each batch, so that clients take precedence */
const firstRestMs = 1500
const restMs = 60
const together = 8
const distance = 5 * together
/** delay until an expression is written and can be voted on */
const retryMs = 2000
const maxTries = 60
const requestMs = 20_000
const reportEvery = 400
const lateMs = [1000, 5000, 30_000]

/**
 * Sends the demonstration expressions through the pipeline in the background, then votes on them. Resumes after a restart; repeated expressions are
 * recognised by their external id.
 */
export function demonstrationData({ executor, store, dataDir, log }: DemonstrationData): Part {
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> | undefined

  const send = async (expression: SampleExpression, begun: number): Promise<string> => {
    using context = requestContext({
      principal: { service: { name: demonstrationSource, scopes: [] } },
      requestId: randomUUID(),
      log,
      timeoutMs: requestMs,
      disconnected: signal,
    })
    const input = {
      text: expression.text,
      externalId: expression.externalId,
      source: demonstrationSource,
      authorRef: expression.author,
      createdAt: new Date(begun - expression.hoursAgo * 3_600_000).toISOString(),
      ...(expression.domainHint && { domain: expression.domainHint }),
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

  const vote = async (id: string, votes: SampleExpression['votes']): Promise<void> => {
    for (const [voter, value] of Object.entries(votes)) {
      signal.throwIfAborted()
      const pseudonym = createHash('sha256').update(voter).digest('hex')
      for (let tries = 1; !(await store.castVote(id, pseudonym, storedValues[value])); tries++) {
        // withdrawn meanwhile, or the demonstration was removed
        if (tries >= maxTries || isDemonstrationRemoved(dataDir)) return
        await rest(retryMs)
      }
    }
  }

  const rest = async (ms: number): Promise<void> => {
    await pause(ms, signal)
    signal.throwIfAborted()
  }

  const load = async (): Promise<void> => {
    await rest(firstRestMs)
    let progress = readProgress(dataDir)
    if (isDemonstrationRemoved(dataDir)) return await removeLate()
    const all = sampleExpressions()
    if (progress.voted >= all.length) return
    const begun = Date.parse(progress.begun)
    log.info({ expressions: all.length, done: progress.voted }, 'loading demonstration data')
    // Votes follow at a distance, when their expressions have been written.
    const ids: string[] = []
    for (let from = progress.voted; from < all.length + distance; from += together) {
      if (isDemonstrationRemoved(dataDir)) return await removeLate()
      await Promise.all(
        all.slice(from, from + together).map(async (expression, index) => {
          ids[from + index] = await untilDone(() => send(expression, begun))
        }),
      )
      const voted = Math.max(progress.voted, from - distance)
      await Promise.all(
        all.slice(voted, Math.max(voted, from - distance + together)).map((expression, index) => {
          const id = ids[voted + index]
          return id === undefined ? undefined : untilDone(() => vote(id, expression.votes))
        }),
      )
      const done = Math.min(all.length, Math.max(progress.voted, from - distance + together))
      if (Math.floor(done / reportEvery) > Math.floor(progress.voted / reportEvery))
        log.info({ done, of: all.length }, 'loading demonstration data')
      progress = { ...progress, sent: Math.min(all.length, from + together), voted: done }
      await storeProgress(dataDir, progress)
      await rest(restMs)
    }
    log.info({ expressions: all.length }, 'demonstration data loaded')
  }

  /** Removes expressions that were still being written when the rest was removed. */
  const removeLate = async (): Promise<void> => {
    for (const waitMs of lateMs) {
      await untilDone(() => withdrawAll(store))
      await rest(waitMs)
    }
  }

  const untilDone = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        signal.throwIfAborted()
        log.debug({ reason: messageOf(error) }, 'demonstration data delayed')
        await rest(retryMs)
      }
    }
  }

  return {
    name: 'demonstration data',
    async start() {
      running = load().catch((error: unknown) => {
        if (!signal.aborted) log.warn({ reason: messageOf(error) }, 'could not load demonstration data')
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
    return { begun: new Date().toISOString(), sent: 0, voted: 0 }
  }
}

async function storeProgress(dataDir: string, progress: Progress): Promise<void> {
  const file = fileOf(dataDir)
  await writeFile(`${file}.new`, JSON.stringify(progress), { mode: 0o600 })
  await rename(`${file}.new`, file)
}

type Removal = Pick<AnalyticsStore, 'expressionsFrom' | 'withdrawExpression'>

/**
 * Withdraws every demonstration expression with its votes; a running platform stops loading, and later starts do not load again. @returns the number
 * of expressions
 */
export async function removeDemonstrationData(store: Removal, dataDir: string): Promise<number> {
  await markDemonstrationRemoved(dataDir)
  return withdrawAll(store)
}

async function withdrawAll(store: Removal): Promise<number> {
  let removed = 0
  for (;;) {
    const ids = await store.expressionsFrom(demonstrationSource, 500)
    if (ids.length === 0) return removed
    for (const id of ids) if (await store.withdrawExpression(id)) removed += 1
  }
}

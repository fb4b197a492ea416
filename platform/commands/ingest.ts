import { createHash, hash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Lease } from '../../engines/relational/leadership/lease.ts'
import { oneAtATime } from '../../engines/relational/leadership/one-at-a-time.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { FileLine } from '../../foundation/files/data-file.ts'
import { createLog } from '../../foundation/log.ts'
import { expressionIntake, type ImportedFile } from '../../subgraphs/classification/commands/expression-intake.ts'
import { geocoderOf, languageModelOf, sentenceEncoder } from '../engines/classification-engines.ts'
import { resolveKeys } from '../process/keys/keys.ts'
import { type Command, CommandProblem, readWords, type WriteLine } from './command.ts'
import { commandTrail } from './command-trail.ts'
import { unannouncedFeed, withDatabase } from './database.ts'
import { linesOf } from './file-lines.ts'

type Intake = ReturnType<typeof expressionIntake>

const linesAtOnce = 100
const reportEveryMs = 1000
const startLimitMs = 60_000
/** maximum number of refused lines listed; further ones are counted */
const maxNamed = 1000

/** The last ingested line of a file. */
const Progress = z.object({
  begun: z.iso.datetime(),
  line: z.int().min(0),
  created: z.int().min(0),
  known: z.int().min(0),
  refused: z.int().min(0),
})
type Progress = z.output<typeof Progress>

/** `ingest …`: with or without a running platform. @returns the exit code */
export const ingest: Command = async (words, config, writeLine) => {
  const { path, source } = fileAndSource(words)
  // without them, author pseudonyms and ids would differ from the platform's
  for (const [name, key] of Object.entries({ PSEUDONYM_KEY: config.pseudonymKey, EXPRESSION_KEY: config.expressionKey }))
    if (config.database.urls !== undefined && key === undefined)
      throw new Error(`${name} is required, with the value that the platform uses`)
  const keys = resolveKeys(config)
  await stat(path)
  return withDatabase(
    config,
    async (database, interrupted) => {
      const log = createLog('error')
      const encoder = sentenceEncoder(config, log)
      const intake = expressionIntake(
        { database, feed: unannouncedFeed(database), encoder, geocoder: await geocoderOf(config), languageModel: languageModelOf(config) },
        {
          executionProviders: config.onnxExecutionProviders,
          pseudonymKey: keys.pseudonym,
          expressionKey: keys.expression,
          screening: { isHolding: config.moderation.mode === 'hold', threshold: config.moderation.threshold },
        },
      )
      await encoder.start(AbortSignal.any([interrupted, AbortSignal.timeout(startLimitMs)]))
      try {
        const file = { path, digest: await digestOf(path), source }
        await commandTrail(database)({ action: 'expressions.import', target: file.digest, details: { source } })
        const work = ({ check }: Lease) => takeIn(intake, file, config, writeLine, { interrupted, check })
        return await oneAtATime(
          database,
          `ingest ${file.digest}`,
          'Another command is already ingesting this file: wait until it has ended',
          work,
        )
      } finally {
        await encoder.stop()
      }
    },
    'run the command again to resume',
  )
}

function fileAndSource(words: readonly string[]): { readonly path: string; readonly source: string } {
  const { values, positionals } = readWords(words, { source: { type: 'string', default: 'file' } })
  const [path, ...more] = positionals
  if (path === undefined || more.length > 0 || !path.endsWith('.ndjson')) throw new CommandProblem('Name a file that ends in .ndjson')
  return { path, source: values.source }
}

interface File {
  readonly path: string
  /** SHA-256 of its content, in hex */
  readonly digest: string
  readonly source: string
}

async function takeIn(
  intake: Intake,
  { path, digest, source }: File,
  config: Config,
  writeLine: WriteLine,
  /** `check` throws if another command has taken over this file because this one was suspended too long */
  { interrupted, check }: { readonly interrupted: AbortSignal; readonly check: () => void },
): Promise<number> {
  // progress is per source
  const progressFile = join(config.dataDir, 'ingest', `${hash('sha256', `${digest}\n${source}`).slice(0, 32)}.json`)
  let progress = readProgress(progressFile)
  if (progress.line > 0) writeLine(`resuming after line ${progress.line}`)
  const file: ImportedFile = { digest, begun: new Date(progress.begun), source }
  const from = { at: performance.now(), line: progress.line }
  let reportedAt = from.at
  let named = 0
  try {
    for await (const lines of groupsOf(path, progress.line)) {
      check()
      const { created, known, refused } = await intake.import(
        file,
        lines.filter((line) => 'problem' in line || line.text.trim() !== ''),
        interrupted,
      )
      progress = {
        begun: progress.begun,
        line: lines.at(-1)?.number ?? progress.line,
        created: progress.created + created,
        known: progress.known + known,
        refused: progress.refused + refused.length,
      }
      for (const { line, reason } of refused.slice(0, maxNamed - named)) process.stderr.write(`line ${line}: ${reason}\n`)
      named = Math.min(maxNamed, named + refused.length)
      await storeProgress(progressFile, progress)
      if (performance.now() - reportedAt > reportEveryMs) {
        reportedAt = performance.now()
        const perSecond = ((progress.line - from.line) * 1000) / (reportedAt - from.at)
        writeLine(`${summary(progress)}, ${Math.round(perSecond)} lines a second`)
      }
      interrupted.throwIfAborted()
    }
  } catch (error) {
    if (interrupted.aborted) writeLine(summary(progress))
    throw error
  }
  await rm(progressFile, { force: true })
  writeLine(summary(progress))
  return progress.refused === 0 ? 0 : 1
}

const summary = ({ line, created, known, refused }: Progress): string => `${line} lines: ${created} new, ${known} known, ${refused} refused`

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}

async function* groupsOf(path: string, after: number): AsyncGenerator<readonly FileLine[]> {
  let group: FileLine[] = []
  for await (const line of linesOf(path)) {
    if (line.number <= after) continue
    group.push(line)
    if (group.length < linesAtOnce) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

/** Returns the progress of a file. Without readable progress it starts at the first line: repeated expressions change nothing. */
function readProgress(progressFile: string): Progress {
  try {
    return Progress.parse(JSON.parse(readFileSync(progressFile, 'utf8')))
  } catch {
    return { begun: new Date().toISOString(), line: 0, created: 0, known: 0, refused: 0 }
  }
}

async function storeProgress(progressFile: string, progress: Progress): Promise<void> {
  await mkdir(join(progressFile, '..'), { recursive: true, mode: 0o700 })
  await writeFile(`${progressFile}.new`, JSON.stringify(progress), { mode: 0o600 })
  await rename(`${progressFile}.new`, progressFile)
}

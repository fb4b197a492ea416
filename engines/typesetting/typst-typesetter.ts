import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { FairQueue, ownerAt, type QueueRejection } from '../../foundation/concurrency/fair-queue.ts'
import { EngineUnavailable, Fault } from '../../foundation/fault.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import { workerModule } from '../../foundation/process/build-info.ts'
import type { Publication, Typesetter } from './typesetter.ts'
import type { FromTypst, ToTypst } from './typst-process.ts'

export interface TypstOptions {
  /** installed publication.typ of this folder */
  readonly templateFile: string
  /** memory limit of one document */
  readonly memoryBytes: number
  readonly timeMs: number
  /** maximum number of concurrent documents */
  readonly concurrency?: number
}

const maxWaiting = 32
const maxWaitingOfClient = 8
const retryAfterMs = 5000

/**
 * Runs Typst in one process per document: it cannot be interrupted or limited, and deeply nested text overflows its stack and ends the process. A
 * process starts in 0.1 s and returns all of its memory.
 */
export function typstTypesetter(options: TypstOptions): Typesetter & Part {
  const { concurrency = 2 } = options
  const turns = new FairQueue({ maxAtOnce: concurrency, maxPerOwner: maxWaitingOfClient, maxWaiting, maxWaitMs: Infinity })
  const stopping = new AbortController()
  const running = new Set<Promise<unknown>>()

  return {
    name: 'typesetter',
    async start() {},
    async typeset(publication, signal, address) {
      const either = AbortSignal.any([signal, stopping.signal])
      const made = turns.run(ownerAt(address), () => typesetOne(publication, options, either), refusal, either)
      running.add(made)
      return made.finally(() => running.delete(made))
    },
    async stop() {
      stopping.abort(new EngineUnavailable('typesetter'))
      await Promise.allSettled(running)
    },
  }
}

const refusal = (reason: QueueRejection): Error =>
  reason === 'owner'
    ? new Fault('RATE_LIMITED', 'Too many PDFs are being generated for this address; try again', { retryAfterMs })
    : new EngineUnavailable('typesetter', new Error('too many documents are queued'), retryAfterMs)

async function typesetOne(publication: Publication, options: TypstOptions, signal: AbortSignal): Promise<Uint8Array> {
  const file = fileURLToPath(workerModule('typst-process', import.meta.url))
  const child = fork(file, [], { serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'], execArgv: [] })
  const ended = endOf(child)
  const limit = AbortSignal.timeout(options.timeMs)
  const combined = AbortSignal.any([signal, limit])
  const kill = (): boolean => child.kill('SIGKILL')
  combined.addEventListener('abort', kill, { once: true })
  try {
    await feed(child, publication, options)
  } catch (error) {
    kill()
    await ended
    // the reason is determined below
    if (!(error instanceof ProcessEnded)) throw error
  }
  const { answer, killedBy } = await ended
  combined.removeEventListener('abort', kill)
  if (answer !== undefined && 'pdf' in answer) return answer.pdf
  signal.throwIfAborted()
  if (limit.aborted) throw new Fault('TOO_LARGE', 'The PDF exceeds the time limit: request the PDF of a part of the content')
  if (killedBy === 'SIGKILL') throw new Fault('TOO_LARGE', 'The PDF exceeds the memory limit: request the PDF of a part of the content')
  throw new Error(`the typesetting process failed: ${answer?.failure ?? killedBy ?? 'it exited without a response'}`)
}

class ProcessEnded extends Error {}

async function feed(child: ChildProcess, { at, chapters }: Publication, options: TypstOptions): Promise<void> {
  const { templateFile, memoryBytes, timeMs } = options
  const send = (message: ToTypst): Promise<void> =>
    new Promise((resolve, reject) => {
      child.send(message, (error) => (error === null ? resolve() : reject(new ProcessEnded(error.message))))
    })
  await send({ kind: 'begin', templateFile, memoryBytes, timeMs, at })
  for await (const some of chapters) await send({ kind: 'chapters', chapters: some })
  await send({ kind: 'end' })
}

/** Resolves when the process has exited and all of its output was read. */
async function endOf(child: ChildProcess): Promise<{ readonly answer: FromTypst | undefined; readonly killedBy: NodeJS.Signals | null }> {
  let answer: FromTypst | undefined
  child.on('message', (message: FromTypst) => {
    answer = message
  })
  const disconnected = new Promise<void>((resolve) => child.once('disconnect', resolve))
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ answer: { failure: error.message }, killedBy: null }))
    child.once('exit', (_, killedBy) => void disconnected.then(() => resolve({ answer, killedBy })))
  })
}

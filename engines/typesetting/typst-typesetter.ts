import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Semaphore } from '../../foundation/concurrency/semaphore.ts'
import { workerModule } from '../../foundation/concurrency/worker-module.ts'
import { EngineUnavailable, Fault } from '../../foundation/fault.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import type { Publication, Typesetter } from './typesetter.ts'
import type { FromTypst, ToTypst } from './typst-process.ts'

export interface TypstOptions {
  /** publication.typ of this folder, where it is installed */
  readonly templateFile: string
  /** for one document */
  readonly memoryBytes: number
  readonly timeMs: number
  /** documents at once */
  readonly concurrency?: number
}

const maxWaiting = 32

/**
 * Typst, in a process for each document: it can neither be interrupted nor told how much memory it may take, and text that it cannot bear
 * (nested too deep for its stack) ends its process. A process starts in a tenth of a second and gives all of its memory back.
 */
export function typstTypesetter(options: TypstOptions): Typesetter & Part {
  const { concurrency = 2 } = options
  const places = new Semaphore(concurrency)
  const stopping = new AbortController()
  const running = new Set<Promise<unknown>>()

  return {
    name: 'typesetter',
    async start() {},
    async typeset(publication, signal) {
      const either = AbortSignal.any([signal, stopping.signal])
      either.throwIfAborted()
      if (places.waiting >= maxWaiting) throw new EngineUnavailable('typesetter', new Error('too many documents wait'), 5000)
      const made = places.hold(async () => {
        either.throwIfAborted()
        return typesetOne(publication, options, either)
      }, either)
      running.add(made)
      return made.finally(() => running.delete(made))
    },
    async stop() {
      stopping.abort(new EngineUnavailable('typesetter'))
      await Promise.allSettled(running)
    },
  }
}

async function typesetOne(publication: Publication, options: TypstOptions, signal: AbortSignal): Promise<Uint8Array> {
  const file = fileURLToPath(workerModule('typst-process', import.meta.url))
  const child = fork(file, [], { serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'], execArgv: [] })
  const ended = endOf(child)
  const limit = AbortSignal.timeout(options.timeMs)
  const given = AbortSignal.any([signal, limit])
  const kill = (): boolean => child.kill('SIGKILL')
  given.addEventListener('abort', kill, { once: true })
  try {
    await feed(child, publication, options)
  } catch (error) {
    kill()
    await ended
    // a process that ended says below why
    if (!(error instanceof ProcessGone)) throw error
  }
  const { answer, killedBy } = await ended
  given.removeEventListener('abort', kill)
  if (answer !== undefined && 'pdf' in answer) return answer.pdf
  signal.throwIfAborted()
  if (limit.aborted) throw new Fault('TOO_LARGE', 'This takes longer to set than one PDF may; ask for the PDF of a part of it')
  if (killedBy === 'SIGKILL') throw new Fault('TOO_LARGE', 'This takes more memory than one PDF may; ask for the PDF of a part of it')
  throw new Error(`the typesetting process failed: ${answer?.failure ?? killedBy ?? 'it ended without an answer'}`)
}

class ProcessGone extends Error {}

async function feed(child: ChildProcess, { at, chapters }: Publication, options: TypstOptions): Promise<void> {
  const { templateFile, memoryBytes, timeMs } = options
  const send = (message: ToTypst): Promise<void> =>
    new Promise((resolve, reject) => {
      child.send(message, (error) => (error === null ? resolve() : reject(new ProcessGone(error.message))))
    })
  await send({ kind: 'begin', templateFile, memoryBytes, timeMs, at })
  for await (const some of chapters) await send({ kind: 'chapters', chapters: some })
  await send({ kind: 'end' })
}

/** Resolves when the process is over and everything that it said has been heard. */
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

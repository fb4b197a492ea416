import { workerData } from 'node:worker_threads'
import { yieldToOthers } from './background-thread.ts'

/** For threads that run models; they run also straight from their TypeScript: nothing imported may need more than types stripped. */
export interface InferenceThreadData {
  /** Two shared numbers of four bytes, at the places of `nativeCalls`. */
  readonly inNative: SharedArrayBuffer
}

/** `inside`: how many threads are inside onnxruntime; `closed`: not zero once none may go in any more. */
export const nativeCalls = { inside: 0, closed: 1 } as const

/** What a thread is handed with a task: four shared bytes, not zero once nobody waits for the answer any more. */
export interface Interruptible {
  readonly givenUp: SharedArrayBuffer
}

/** Thrown by what finds that nobody waits for its answer any more. */
class GivenUp extends Error {}

/** @throws what ends a task that was given up, to be called between two steps of it */
export function goOn(givenUp: Int32Array): void {
  if (Atomics.load(givenUp, 0) !== 0) throw new GivenUp()
}

/**
 * What a worker module exports by default: the pool waits for it, so that a thread takes work once its models are loaded.
 * @param load - @returns what answers a task; it calls `goOn` between its steps, or `native`
 * @returns answers a task, or `undefined` when it was given up; without a task it does nothing, which shows that the models are loaded
 */
export async function answering<Task, Answer>(
  load: () => Promise<(task: Task, givenUp: Int32Array) => Promise<Answer>>,
): Promise<(task: (Task & Interruptible) | undefined) => Promise<Answer | undefined>> {
  yieldToOthers()
  const answer = await load()
  return async (task) => {
    if (task === undefined) return undefined
    const givenUp = new Int32Array(task.givenUp)
    try {
      goOn(givenUp)
      return await answer(task, givenUp)
    } catch (error) {
      if (error instanceof GivenUp) return undefined
      throw error
    }
  }
}

/**
 * A thread must never be ended inside onnxruntime: its binding cannot hand a result to a thread that is being terminated and aborts the
 * whole process. So each call is counted, and whoever ends the threads lets no more in and waits until none is left.
 * @throws what ends the task instead of running when it was given up, or the threads are about to be ended
 */
export async function native<Result>(run: () => Promise<Result>, givenUp?: Int32Array): Promise<Result> {
  // whoever makes the thread gives it this
  const calls = new Int32Array((workerData as InferenceThreadData).inNative)
  if (givenUp !== undefined) goOn(givenUp)
  Atomics.add(calls, nativeCalls.inside, 1)
  try {
    // after it was counted: who closes and then sees none inside has seen this one, or is seen by it
    if (Atomics.load(calls, nativeCalls.closed) !== 0) throw new GivenUp()
    return await run()
  } finally {
    Atomics.sub(calls, nativeCalls.inside, 1)
    Atomics.notify(calls, nativeCalls.inside)
  }
}

import { setPriority } from 'node:os'
import { workerData } from 'node:worker_threads'

/** Base of worker data for model threads, which also run directly from TypeScript: imports must work with type stripping alone. */
export interface InferenceThreadData {
  /** Two shared 32-bit numbers, indexed by `nativeCalls`. */
  readonly inNative: SharedArrayBuffer
}

/** `inside`: number of threads inside onnxruntime; `closed`: nonzero when no thread may enter any more. */
export const nativeCalls = { inside: 0, closed: 1 } as const

/** Sent with a task: a shared 32-bit number, nonzero when the task is cancelled. */
export interface Interruptible {
  readonly cancelFlag: SharedArrayBuffer
}

/** Thrown when a task finds that it was cancelled. */
class Cancelled extends Error {}

/** Called between two steps of a task. @throws if the task was cancelled */
export function throwIfCancelled(cancelFlag: Int32Array): void {
  if (Atomics.load(cancelFlag, 0) !== 0) throw new Cancelled()
}

/**
 * The default export of a worker module; the pool waits for it, so that a thread takes tasks once its models are loaded.
 * @param load - returns the function that executes a task and calls `throwIfCancelled` between its steps, or `native`
 * @returns executes a task; its result is `undefined` if it was cancelled. Without a task it does nothing, which shows that the models are loaded
 */
export async function inferenceWorker<Task, Answer>(
  load: () => Promise<(task: Task, cancelFlag: Int32Array) => Promise<Answer>>,
): Promise<(task: (Task & Interruptible) | undefined) => Promise<Answer | undefined>> {
  yieldToOthers()
  const answer = await load()
  return async (task) => {
    if (task === undefined) return undefined
    const cancelFlag = new Int32Array(task.cancelFlag)
    try {
      throwIfCancelled(cancelFlag)
      return await answer(task, cancelFlag)
    } catch (error) {
      if (error instanceof Cancelled) return undefined
      throw error
    }
  }
}

/**
 * Runs a call into onnxruntime. A thread must never be terminated inside onnxruntime, which would abort the whole process; calls are counted, and the
 * pool admits no more and waits until none is left before it terminates threads.
 * @throws if the task was cancelled or the threads are about to be terminated
 */
export async function native<Result>(run: () => Promise<Result>, cancelFlag?: Int32Array): Promise<Result> {
  // the creator of the thread passes this type
  const calls = new Int32Array((workerData as InferenceThreadData).inNative)
  if (cancelFlag !== undefined) throwIfCancelled(cancelFlag)
  Atomics.add(calls, nativeCalls.inside, 1)
  try {
    // checked after counting: the closing thread either sees this call or is seen by it
    if (Atomics.load(calls, nativeCalls.closed) !== 0) throw new Cancelled()
    return await run()
  } finally {
    Atomics.sub(calls, nativeCalls.inside, 1)
    Atomics.notify(calls, nativeCalls.inside)
  }
}

/** A fifth of the CPU weight of request threads, which take precedence; no thread starves. */
const nice = 7

/**
 * Lowers the priority of the calling thread and of threads it starts (nice 7), so that inference does not delay responses. Only on Linux, where each
 * thread has its own priority (setpriority(2), "C library/kernel differences"); elsewhere the call would affect the whole process.
 */
export function yieldToOthers(): void {
  if (process.platform === 'linux') setPriority(0, nice)
}

import { workerData } from 'node:worker_threads'

/** For threads that run models; they run also straight from their TypeScript: nothing imported may need more than types stripped. */
export interface InferenceThreadData {
  /** Four shared bytes: how many threads are inside onnxruntime. */
  readonly inNative: SharedArrayBuffer
}

/** Thrown by what finds that nobody waits for its answer any more. */
export class GivenUp extends Error {}

/**
 * A thread must never be ended inside onnxruntime: its binding cannot hand a result to a thread that is being terminated and aborts the
 * whole process. So each call is counted, and whoever ends the threads waits until none is left.
 * @throws {GivenUp} instead of running when the task was given up
 */
export async function native<Result>(run: () => Promise<Result>, givenUp?: Int32Array): Promise<Result> {
  // whoever makes the thread gives it this
  const nativeCalls = new Int32Array((workerData as InferenceThreadData).inNative)
  if (givenUp !== undefined && Atomics.load(givenUp, 0) !== 0) throw new GivenUp()
  Atomics.add(nativeCalls, 0, 1)
  try {
    return await run()
  } finally {
    Atomics.sub(nativeCalls, 0, 1)
    Atomics.notify(nativeCalls, 0)
  }
}

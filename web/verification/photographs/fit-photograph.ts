import { type FittedPhotograph, UnfitPhotograph } from './fitting.ts'

type Answer = { readonly id: number } & ({ readonly fitted: FittedPhotograph } | { readonly problem: UnfitPhotograph['problem'] })

interface PendingRequest {
  resolve(fitted: FittedPhotograph): void
  reject(error: UnfitPhotograph): void
}

let worker: Worker | undefined
let latest = 0
const waiting = new Map<number, PendingRequest>()

/** Runs {@link fitting} in a worker. @throws {UnfitPhotograph} */
export function fitPhotograph(file: Blob): Promise<FittedPhotograph> {
  worker ??= startWorker()
  const id = ++latest
  worker.postMessage({ id, file })
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
}

function startWorker(): Worker {
  const started = new Worker(new URL('./fit-worker.ts', import.meta.url), { type: 'module' })
  started.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    const request = waiting.get(data.id)
    waiting.delete(data.id)
    if ('fitted' in data) request?.resolve(data.fitted)
    else request?.reject(new UnfitPhotograph(data.problem))
  })
  // the worker failed to load or ran out of memory: the next photo gets a new one
  started.addEventListener('error', () => {
    worker = undefined
    for (const request of waiting.values()) request.reject(new UnfitPhotograph('too-large'))
    waiting.clear()
  })
  return started
}

import { Counter, type Registry } from 'prom-client'
import { Fault, messageOf } from '../../../foundation/fault.ts'
import type { Log } from '../../../foundation/log.ts'

/** Receives each failed step and its cause. */
export type OnStepFailure = (step: string, error: unknown) => void

const name = 'civigraph_pipeline_step_failure_causes_total'
/** an unavailable engine fails every expression, so each step and kind of cause is logged once per interval */
const logEveryMs = 10_000
const maxReason = 500

/** Joins the messages of an error and its causes, up to the limit: the reason is often only in the cause. */
export function causeOf(error: unknown): string {
  const sentences: string[] = []
  for (let each = error; each !== undefined && each !== null; each = each instanceof Error ? each.cause : undefined)
    sentences.push(messageOf(each))
  return sentences.join(': ').slice(0, maxReason)
}

/** Counts failures by step and code of the cause and logs them: a fault as a warning, anything else as a bug. */
export function stepFailures(registry: Registry, log: Log, now: () => number = () => performance.now()): OnStepFailure {
  const count = counterOf(registry)
  const logged = new Map<string, { readonly at: number; unlogged: number }>()
  return (step, error) => {
    const code = error instanceof Fault ? error.code : 'INTERNAL'
    count.inc({ step, code })
    const kind = `${step} ${code}`
    const last = logged.get(kind)
    if (last !== undefined && now() - last.at < logEveryMs) {
      last.unlogged += 1
      return
    }
    logged.set(kind, { at: now(), unlogged: 0 })
    log[error instanceof Fault ? 'warn' : 'error']({ step, err: error, unlogged: last?.unlogged ?? 0 }, 'a step of the pipeline failed')
  }
}

/** Returns one counter per process, because subgraph and worker may share a process. */
function counterOf(registry: Registry): Counter<'step' | 'code'> {
  const registered = registry.getSingleMetric(name)
  if (registered instanceof Counter) return registered
  return new Counter({
    name,
    help: 'Failed pipeline steps, including retries, by the error code of the cause; INTERNAL is a bug',
    labelNames: ['step', 'code'] as const,
    registers: [registry],
  })
}

import { Gauge, type Registry } from 'prom-client'
import { withTimeout } from '../concurrency/timeout.ts'

/** less than any Prometheus waits for a process: without these numbers it still tells the others */
const usualLimitMs = 2000

/** A number of an answer, undefined where it has none; or several, each under the value of one label. */
type Told<Answer> = (answer: Answer) => number | undefined | Readonly<Record<string, number>>

/**
 * Gauges that are asked of the database when somebody reads them, one question for all that are read together. Nothing is told while it is away
 * or does not answer; then nothing more is asked, either, until it has.
 * @param ask - for what they tell   @param limitMs - that somebody who reads waits for it   @returns adds a gauge; `label`: the name of the label, where it tells several numbers
 */
export function askedGauges<Answer>(registry: Registry, ask: () => Promise<Answer>, limitMs = usualLimitMs) {
  let asked: Promise<Answer | undefined> | undefined
  const answer = (): Promise<Answer | undefined> => {
    asked ??= ask()
      .catch(() => undefined)
      .finally(() => {
        asked = undefined
      })
    return withTimeout(asked, limitMs, undefined, () => new Error('no answer in time')).catch(() => undefined)
  }
  return (name: string, help: string, told: Told<Answer>, label?: string): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      ...(label !== undefined && { labelNames: [label] }),
      async collect() {
        const found = await answer()
        // a gauge without labels is reset to 0, which says something
        if (label === undefined) this.remove()
        else this.reset()
        if (found === undefined) return
        const numbers = told(found)
        if (typeof numbers === 'number') this.set(numbers)
        else for (const [value, number] of Object.entries(numbers ?? {})) this.set({ [label ?? '']: value }, number)
      },
    })
  }
}

import { Gauge, type Registry } from 'prom-client'

/** A number of an answer; or several, each under the value of one label. */
type Told<Answer> = (answer: Answer) => number | Readonly<Record<string, number>>

/**
 * Gauges that are asked of the database when somebody reads them, one question for all that are read together. Nothing is told while it is away.
 * @param ask - for what they tell   @returns adds a gauge; `label`: the name of the label, where it tells several numbers
 */
export function askedGauges<Answer>(registry: Registry, ask: () => Promise<Answer>) {
  let asked: Promise<Answer | undefined> | undefined
  const answer = (): Promise<Answer | undefined> => {
    asked ??= ask()
      .catch(() => undefined)
      .finally(() => {
        asked = undefined
      })
    return asked
  }
  return (name: string, help: string, told: Told<Answer>, label?: string): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      ...(label !== undefined && { labelNames: [label] }),
      async collect() {
        const found = await answer()
        this.reset()
        if (found === undefined) return
        const numbers = told(found)
        if (typeof numbers === 'number') this.set(numbers)
        else for (const [value, number] of Object.entries(numbers)) this.set({ [label ?? '']: value }, number)
      },
    })
  }
}

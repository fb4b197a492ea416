import { Gauge, type Registry } from 'prom-client'
import type { Database } from '../../engines/relational/database.ts'
import { type ReviewMetrics, reviewMetrics } from './review-metrics.ts'

const days = 30

/** Tells how the review goes, over the whole platform. Nothing is told while the database is away. */
export function tellReviews(registry: Registry, database: Database): void {
  let asked: Promise<ReviewMetrics | undefined> | undefined
  // one question for the gauges that are read together
  const metrics = (): Promise<ReviewMetrics | undefined> => {
    asked ??= reviewMetrics(database, days)
      .catch(() => undefined)
      .finally(() => {
        asked = undefined
      })
    return asked
  }
  const gauge = (name: string, help: string, value: (metrics: ReviewMetrics) => number): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const found = await metrics()
        if (found === undefined) this.reset()
        else this.set(value(found))
      },
    })
  }
  gauge('civigraph_reviews_waiting', 'Jobs that wait for a person to decide', ({ waiting }) => waiting)
  gauge('civigraph_reviews_oldest_seconds', 'How long the oldest of them has waited', ({ oldestSeconds }) => oldestSeconds)
  gauge('civigraph_reviews_compared', `Jobs decided in the last ${days} days in which faces were compared`, ({ compared }) => compared)
  gauge('civigraph_reviews_agreed', 'Those of them in which the machine had leaned the same way', ({ agreed }) => agreed)
  new Gauge({
    name: 'civigraph_reviews_decided',
    help: `Jobs that people decided in the last ${days} days`,
    labelNames: ['decision'],
    registers: [registry],
    async collect() {
      const found = await metrics()
      this.reset()
      if (found === undefined) return
      for (const decision of ['verified', 'rejected'] as const) {
        const decided = found.days.reduce((sum, day) => sum + day[decision], 0)
        this.set({ decision }, decided)
      }
    },
  })
}

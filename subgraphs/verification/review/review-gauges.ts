import type { Registry } from 'prom-client'
import type { Database } from '../../../engines/relational/database.ts'
import { queriedGauges } from '../../../foundation/process/metrics.ts'
import { reviewMetrics } from './review-metrics.ts'

const days = 30

/** Registers gauges of reviews for the whole platform. */
export function registerReviewMetrics(registry: Registry, database: Database): void {
  const gauge = queriedGauges(registry, () => reviewMetrics(database, days))
  gauge('civigraph_reviews_waiting', 'Jobs that wait for a review', ({ waiting }) => waiting)
  gauge('civigraph_reviews_oldest_seconds', 'Waiting time of the oldest job under review', ({ oldestSeconds }) => oldestSeconds)
  gauge('civigraph_reviews_compared', `Jobs decided in the last ${days} days in which faces were compared`, ({ compared }) => compared)
  gauge('civigraph_reviews_agreed', 'Compared jobs in which the face score agrees with the decision', ({ agreed }) => agreed)
  gauge(
    'civigraph_reviews_decided',
    `Jobs that reviewers decided in the last ${days} days`,
    (figures) => ({
      verified: figures.days.reduce((sum, { verified }) => sum + verified, 0),
      rejected: figures.days.reduce((sum, { rejected }) => sum + rejected, 0),
    }),
    'decision',
  )
}

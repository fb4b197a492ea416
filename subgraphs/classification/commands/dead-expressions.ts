import { postgresAnalyticsStore } from '../../../engines/analytics-store/postgres-analytics-store.ts'
import type { EventFeed } from '../../../engines/event-feed/event-feed.ts'
import type { Database } from '../../../engines/relational/database.ts'
import type { ExpressionDocument } from '../expression/expression-document.ts'
import { redriveDeadLetters } from '../intake/redrive.ts'
import { StepRetries } from '../step-retries/step-retries.ts'

/** Maintenance of expressions that could not be written or completed; needs the database only. */
export function deadExpressions({ database, feed }: { readonly database: Database; readonly feed: EventFeed }) {
  const store = postgresAnalyticsStore<ExpressionDocument>({ database, feed })
  return {
    /** Returns the oldest ones without their content, and their number. */
    async list(limit: number) {
      const [letters, total] = await Promise.all([store.deadLetters(limit), store.countDeadLetters()])
      return { expressions: letters.map(({ id, reason, at }) => ({ id, reason, at })), total }
    },
    redrive: () => redriveDeadLetters({ store, retries: new StepRetries(database) }),
  }
}

import { ModerationCases } from '../../../engines/analytics-store/moderation-cases.ts'
import { postgresAnalyticsStore } from '../../../engines/analytics-store/postgres-analytics-store.ts'
import { AuditTrail } from '../../../engines/audit/audit-trail.ts'
import type { EventFeed } from '../../../engines/event-feed/event-feed.ts'
import type { Geocoder } from '../../../engines/geocoder/geocoder.ts'
import type { LanguageModel } from '../../../engines/language-model/language-model.ts'
import type { Database } from '../../../engines/relational/database.ts'
import type { SentenceEncoder } from '../../../engines/sentence-encoder/sentence-encoder.ts'
import { sharedTraining } from '../../../engines/text-classifier/shared-training.ts'
import type { FileLine } from '../../../foundation/files/data-file.ts'
import { Pipeline } from '../analysis/pipeline.ts'
import { sentimentModel } from '../analysis/sentiment/sentiment-model.ts'
import { TopicTrainer } from '../analysis/topic/topic-trainer.ts'
import type { ExpressionDocument } from '../expression/expression-document.ts'
import type { IdentityKeys } from '../intake/expression-key.ts'
import { type ImportCounts, type ImportedFile, importExpressions } from '../intake/import-expressions.ts'
import { contentOf } from '../moderation/decide-case.ts'
import { ExpressionScreening, type ScreeningPolicy } from '../screening/screen-expressions.ts'
import { StepRetries } from '../step-retries/step-retries.ts'
import { seedTaxonomy } from '../taxonomy/synchronise-taxonomy.ts'

export type { ImportedFile } from '../intake/import-expressions.ts'

/** Maintenance of expressions by an operator on the database, with or without a running platform. */
export function expressionIntake(
  engines: {
    readonly database: Database
    readonly feed: EventFeed
    readonly encoder: SentenceEncoder
    readonly geocoder: Geocoder
    readonly languageModel: LanguageModel | undefined
  },
  settings: IdentityKeys & { readonly executionProviders: readonly string[]; readonly screening: ScreeningPolicy },
) {
  const { database, feed, encoder } = engines
  const store = postgresAnalyticsStore<ExpressionDocument>({ database, feed })
  const retries = new StepRetries(database)
  const { executionProviders, pseudonymKey, expressionKey } = settings
  const topics = new TopicTrainer(store, encoder, executionProviders, sharedTraining(database, 'published'))
  const sentiment = sentimentModel(executionProviders)
  const pipeline = new Pipeline({ ...engines, topics, sentiment })
  const screening = new ExpressionScreening(
    new ModerationCases({ database, feed }, contentOf),
    new AuditTrail(database),
    settings.screening,
  )
  const making = { store, retries, pipeline, screening, pseudonymKey, expressionKey }
  return {
    import: async (file: ImportedFile, lines: readonly FileLine[], signal: AbortSignal): Promise<ImportCounts> => {
      await seedTaxonomy(store)
      // no client waits for a response; without a model its step fails
      await Promise.allSettled([topics.model(), sentiment()])
      return importExpressions(making, file, lines, signal)
    },
  }
}

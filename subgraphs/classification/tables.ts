import { integer, jsonb, millisecondMoment, pgTable, uuid } from '../../engines/relational/drizzle.ts'
import type { GivenForSteps } from './expression/expression-document.ts'

export const expressionRetry = pgTable('expression_retry', {
  id: uuid('id').primaryKey(),
  given: jsonb('given').$type<GivenForSteps>().notNull(),
  attempts: integer('attempts').notNull().default(0),
  nextAt: millisecondMoment('next_at').notNull(),
  at: millisecondMoment('at').notNull().defaultNow(),
})

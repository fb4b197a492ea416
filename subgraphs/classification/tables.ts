import { integer, jsonb, pgTable, timestamp, uuid } from '../engines/relational/drizzle.ts'
import type { GivenForSteps } from './expression/expression-document.ts'

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 })

export const expressionRetry = pgTable('expression_retry', {
  id: uuid('id').primaryKey(),
  given: jsonb('given').$type<GivenForSteps>().notNull(),
  attempts: integer('attempts').notNull().default(0),
  nextAt: moment('next_at').notNull(),
  at: moment('at').notNull().defaultNow(),
})

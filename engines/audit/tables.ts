import { bigint, jsonb, pgTable, text, timestamp } from '../relational/drizzle.ts'

export const auditRecord = pgTable('audit_record', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  at: timestamp('at', { withTimezone: true, mode: 'date' }).notNull().defaultNow(),
  action: text('action').notNull(),
  outcome: text('outcome', { enum: ['done', 'refused'] }).notNull(),
  issuer: text('issuer'),
  subject: text('subject'),
  service: text('service'),
  target: text('target'),
  address: text('address'),
  requestId: text('request_id').notNull(),
  details: jsonb('details').$type<Readonly<Record<string, unknown>>>().notNull().default({}),
})

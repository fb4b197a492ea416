import { bigint, pgTable, primaryKey, text, timestamp } from '../engines/relational/drizzle.ts'

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

export const statuses = ['pending', 'active', 'revoked', 'expired'] as const
export type DelegationStatus = (typeof statuses)[number]

export const delegation = pgTable('delegation', {
  id: text('id').primaryKey(),
  delegatorCode: text('delegator_code').notNull(),
  delegateCode: text('delegate_code').notNull(),
  groupId: text('group_id').notNull(),
  domain: text('domain'),
  scope: text('scope').notNull(),
  status: text('status', { enum: statuses }).notNull(),
  startsAt: moment('starts_at').notNull(),
  endsAt: moment('ends_at'),
  createdAt: moment('created_at').notNull(),
  updatedAt: moment('updated_at').notNull(),
  revisedAt: moment('revised_at').notNull(),
  source: text('source').notNull().default('import'),
})

export const delegationCount = pgTable(
  'delegation_count',
  {
    groupId: text('group_id').notNull(),
    status: text('status', { enum: statuses }).notNull(),
    count: bigint('count', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.groupId, table.status] })],
)

export type DelegationRow = typeof delegation.$inferSelect

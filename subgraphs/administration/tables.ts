import { bigint, millisecondMoment, pgTable, primaryKey, text } from '../../engines/relational/drizzle.ts'

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
  startsAt: millisecondMoment('starts_at').notNull(),
  endsAt: millisecondMoment('ends_at'),
  createdAt: millisecondMoment('created_at').notNull(),
  updatedAt: millisecondMoment('updated_at').notNull(),
  revisedAt: millisecondMoment('revised_at').notNull(),
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

/** Citizens whose delegations were erased. */
export const erasedCitizen = pgTable('erased_citizen', {
  pseudonym: text('pseudonym').primaryKey(),
  erasedAt: millisecondMoment('erased_at').notNull().defaultNow(),
})

export type DelegationRow = typeof delegation.$inferSelect

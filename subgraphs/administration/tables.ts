import {
  bigint,
  boolean,
  date,
  integer,
  jsonb,
  millisecondMoment,
  pgTable,
  primaryKey,
  text,
  uuid,
} from '../../engines/relational/drizzle.ts'

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

/** When the history of delegations begins. */
export const delegationHistory = pgTable('delegation_history', {
  isOnly: boolean('is_only').primaryKey().default(true),
  since: millisecondMoment('since').notNull(),
})

/** Delegations after each change, written by triggers. */
export const delegationChange = pgTable('delegation_change', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  delegationId: text('delegation_id').notNull(),
  at: millisecondMoment('at').notNull(),
  isEarlier: boolean('is_earlier').notNull(),
  delegatorCode: text('delegator_code').notNull(),
  delegateCode: text('delegate_code').notNull(),
  groupId: text('group_id').notNull(),
  domain: text('domain'),
  scope: text('scope').notNull(),
  status: text('status', { enum: statuses }).notNull(),
  startsAt: millisecondMoment('starts_at').notNull(),
  endsAt: millisecondMoment('ends_at'),
  source: text('source').notNull(),
})

/** Numbers of delegations by group, domain (empty: all) and status, counted by triggers. */
export const delegationFigure = pgTable(
  'delegation_figure',
  {
    groupId: text('group_id').notNull(),
    domain: text('domain').notNull(),
    status: text('status', { enum: statuses }).notNull(),
    count: bigint('count', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.groupId, table.domain, table.status] })],
)

/** Citizens whose delegations were erased. */
export const erasedCitizen = pgTable('erased_citizen', {
  pseudonym: text('pseudonym').primaryKey(),
  erasedAt: millisecondMoment('erased_at').notNull().defaultNow(),
})

export type DelegationRow = typeof delegation.$inferSelect

/** Scenarios of simulations that accounts have saved. */
export const simulationScenario = pgTable('simulation_scenario', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  issuer: text('issuer').notNull(),
  subject: text('subject').notNull(),
  groupId: text('group_id'),
  inputs: jsonb('inputs').notNull(),
  named: text('named').array().notNull(),
  createdAt: millisecondMoment('created_at').notNull().defaultNow(),
  updatedAt: millisecondMoment('updated_at').notNull().defaultNow(),
})

/** Verification statuses of citizens. */
export const citizenStatuses = ['unverified', 'pending_review', 'verified', 'rejected', 'expired'] as const
export type CitizenStatus = (typeof citizenStatuses)[number]

/** The register of citizens. */
export const registeredCitizen = pgTable('registered_citizen', {
  code: text('code').primaryKey(),
  verification: text('verification', { enum: citizenStatuses }).notNull(),
  verifiedAt: millisecondMoment('verified_at'),
  expiresOn: date('expires_on', { mode: 'string' }),
  registeredAt: millisecondMoment('registered_at').notNull().defaultNow(),
})

/** Delegations of a registered citizen in a group, counted by triggers. */
export const registeredCitizenGroup = pgTable(
  'registered_citizen_group',
  {
    groupId: text('group_id').notNull(),
    code: text('code').notNull(),
    verification: text('verification', { enum: citizenStatuses }).notNull(),
    given: integer('given').notNull(),
    received: integer('received').notNull(),
    activeGiven: integer('active_given').notNull(),
    activeReceived: integer('active_received').notNull(),
  },
  (table) => [primaryKey({ columns: [table.groupId, table.code] })],
)

/** Outcomes of the verifications of registered citizens. */
export const registeredOutcome = pgTable('registered_outcome', {
  jobId: text('job_id').primaryKey(),
  code: text('code').notNull(),
  outcome: text('outcome', { enum: ['verified', 'pending_review', 'rejected', 'error'] }).notNull(),
  at: millisecondMoment('at').notNull(),
  expiresOn: date('expires_on', { mode: 'string' }),
})

/** Whether the register is complete. */
export const citizenRegister = pgTable('citizen_register', {
  isOnly: boolean('is_only').primaryKey().default(true),
  builtAt: millisecondMoment('built_at').notNull().defaultNow(),
})

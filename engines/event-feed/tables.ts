import { bigint, pgTable, primaryKey, smallint, text, timestamp } from '../relational/drizzle.ts'

const position = () => bigint('position', { mode: 'number' }).notNull()

export const event = pgTable(
  'event',
  {
    topic: text('topic').notNull(),
    position: position(),
    kind: text('kind').notNull(),
    id: text('id').notNull(),
    at: timestamp('at', { withTimezone: true }).notNull().defaultNow(),
    format: smallint('format').notNull().default(1),
    detail: text('detail'),
  },
  (table) => [primaryKey({ columns: [table.topic, table.position] })],
)

export const eventTopic = pgTable('event_topic', { topic: text('topic').primaryKey(), position: position() })

export const eventCursor = pgTable(
  'event_cursor',
  { topic: text('topic').notNull(), follower: text('follower').notNull(), position: position() },
  (table) => [primaryKey({ columns: [table.topic, table.follower] })],
)

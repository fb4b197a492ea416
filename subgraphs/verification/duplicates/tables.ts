import { bigint, bytea, millisecondMoment, pgTable, sql, text } from '../../../engines/relational/drizzle.ts'
import { escapedText } from '../tables.ts'
import type { TemplateModel } from './face-template.ts'

/** Sealed faces of citizens; `awaitsJobId` is the job whose review is pending. */
export const verificationFaceTemplate = pgTable('verification_face_template', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  owner: text('owner').notNull(),
  citizenCode: escapedText('citizen_code').notNull(),
  model: text('model').$type<TemplateModel>().notNull(),
  keyId: text('key_id').notNull(),
  wrappedKey: bytea('wrapped_key').notNull(),
  sealed: bytea('sealed').notNull(),
  awaitsJobId: text('awaits_job_id'),
  createdAt: millisecondMoment('created_at').notNull().default(sql`clock_timestamp()`),
})

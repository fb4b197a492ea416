import { z } from 'zod'
import { InvalidInput } from '../../../foundation/fault.ts'
import { StepInput } from './expression-input.ts'

const Scored = z.object({ id: z.string(), score: z.number() })
const Labelled = Scored.extend({ label: z.string() })

/** An expression with the results of the pipeline, as stored in search index and analytics store. A block is null when its step failed. */
export const ExpressionDocument = z.object({
  id: z.string(),
  /** increases with each change */
  revision: z.number(),
  text: z.string(),
  lang: z.object({ code: z.string(), confidence: z.number(), detected: z.boolean() }).nullable(),
  location: z
    .object({
      lat: z.number(),
      lon: z.number(),
      precision: z.enum(['exact', 'address', 'street', 'city', 'region', 'country']),
      place: z.string().nullable(),
      source: z.string(),
    })
    .nullable(),
  classification: z
    .object({
      domain: Labelled.nullable(),
      subDomain: Labelled.nullable(),
      method: z.enum(['knn', 'neural', 'llm', 'hint', 'abstained']),
      candidates: z.array(Scored),
      model: z.string(),
      /** published version of the taxonomy; absent in documents of releases before 2.0 */
      taxonomyNumber: z.int().optional(),
      /** time of a correction by a person, which nothing overwrites; absent for a decision of the pipeline */
      correctedAt: z.string().optional(),
    })
    .nullable(),
  sentiment: z.object({ label: z.enum(['positive', 'neutral', 'negative']), score: z.number(), confidence: z.number() }).nullable(),
  toxicity: z.object({ score: z.number(), flags: z.array(z.enum(['insult', 'threat', 'hate', 'shouting'])) }).nullable(),
  personalData: z.object({ redacted: z.boolean(), types: z.array(z.enum(['email', 'iban', 'national_id', 'payment_card', 'phone'])) }),
  embedding: z.object({ model: z.string(), dims: z.number() }).nullable(),
  pipeline: z.object({
    version: z.string(),
    steps: z.array(z.object({ name: z.string(), status: z.enum(['ok', 'skipped', 'failed']), durationMs: z.number() })),
  }),
  createdAt: z.string(),
  /** null while it is not in the search index */
  indexedAt: z.string().nullable(),
})
export type ExpressionDocument = z.output<typeof ExpressionDocument>

/** A message of the durable queue: the document and data for the store only. Never the original text. */
export const QueuedExpression = z.object({
  document: ExpressionDocument,
  source: z.string(),
  externalId: z.string().nullable(),
  /** HMAC in hex */
  author: z.string().nullable(),
  /** pseudonym of an author for which no service vouches; absent in messages of releases before 2.0 */
  unverifiedAuthor: z.string().nullable().default(null),
  receivedAt: z.string(),
  /** little-endian 32-bit floats in base64; null when the step failed */
  vector: z.string().nullable(),
  /** present when a failed step will be retried */
  given: StepInput.nullish(),
})
export type QueuedExpression = z.output<typeof QueuedExpression>

/** @throws {InvalidInput} naming the first invalid member, without its value */
export function readQueued(content: unknown): QueuedExpression {
  const read = QueuedExpression.safeParse(content)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new InvalidInput(`${issue?.path.join('.') || 'the expression'}: ${issue?.message ?? 'cannot be read'}`)
}

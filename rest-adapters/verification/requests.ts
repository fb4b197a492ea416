import { z } from 'zod'
import { laxInteger, listOf } from '../route/value-schemas.ts'

const optionalText = z.string().nullish()

const DeclaredIdentity = z
  .object({
    first_name: z.string(),
    last_name: z.string(),
    date_of_birth: optionalText,
    gender: z.enum(['M', 'F', 'O', 'N']).nullish(),
    nationality: optionalText,
  })
  .meta({ id: 'DeclaredIdentity' })

/** The documented SubmitJobRequest. The order of members is documented and determines the order of error entries. */
export const SubmitJobRequest = z
  .object({
    citizen_code: z.string(),
    document_type: z.enum(['CNI', 'PASSPORT', 'TITRE_DE_SEJOUR', 'NATIONAL_ID']),
    country_code: z.string(),
    selfie_b64: z.string().meta({ description: 'base64 image content' }),
    cni_recto_b64: z.string().meta({ description: 'base64 image content, document front' }),
    cni_verso_b64: optionalText.meta({ description: 'base64 image content, document back' }),
    declared_identity: DeclaredIdentity,
    priority: z.enum(['normal', 'high']).default('normal'),
    callback_url: optionalText,
  })
  .meta({ id: 'SubmitJobRequest' })

/** Members with images. */
export const imageMembers = ['selfie_b64', 'cni_recto_b64', 'cni_verso_b64']

export function submitBatchRequest(maxJobs: number) {
  return z.object({ jobs: listOf(SubmitJobRequest, maxJobs) }).meta({ id: 'SubmitBatchRequest' })
}

/** The subgraph's limit of one acknowledgement. */
export const maxAcknowledged = 100_000

export const AckRequest = z.object({ job_ids: listOf(z.string(), maxAcknowledged) }).meta({ id: 'AckRequest' })

/** maximum of results per poll; larger values are reduced to it */
const maxResults = 1000

export const resultsQuery = z.object({
  limit: laxInteger(1)
    .optional()
    .transform((limit) => Math.min(limit ?? 100, maxResults))
    .meta({
      type: 'integer',
      minimum: 1,
      default: 100,
      description: `Maximum number of results; values above ${maxResults} return ${maxResults}`,
    }),
})

/** An optional extension; the subgraph validates it. */
export const SubmitHeader = z.object({
  'idempotency-key': z.string().optional().meta({
    description:
      'An addition to the interface specification: a repeated request with the same key and content returns the same response for 24 hours',
  }),
})

/** Maps the operation's `idempotencyKey` to the header, for errors. */
export const keyPlace = { idempotencyKey: ['header', 'Idempotency-Key'] } as const

/** Converts a documented job to the mutation's input. */
export function submissionOf(job: z.output<typeof SubmitJobRequest>): Readonly<Record<string, unknown>> {
  const { declared_identity: identity } = job
  return {
    citizenCode: job.citizen_code,
    documentType: job.document_type,
    countryCode: job.country_code,
    selfie: job.selfie_b64,
    documentFront: job.cni_recto_b64,
    documentBack: job.cni_verso_b64,
    declaredIdentity: {
      firstName: identity.first_name,
      lastName: identity.last_name,
      dateOfBirth: identity.date_of_birth,
      gender: identity.gender,
      nationality: identity.nationality,
    },
    priority: priorities[job.priority],
    callbackUrl: job.callback_url,
  }
}

const priorities = { normal: 'NORMAL', high: 'HIGH' } as const

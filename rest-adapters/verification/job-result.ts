import { z } from 'zod'
import { documentedValue } from '../route/value-schemas.ts'

/** A group of checks in REST: an object with arbitrary members; absent checks are omitted. */
const checkMembers = z.record(z.string(), z.unknown())

export const JobResult = z
  .object({
    job_id: z.string(),
    citizen_code: z.string(),
    status: z.enum(['completed', 'error']),
    outcome: z.enum(['verified', 'pending_review', 'rejected', 'error']),
    completed_at: z.string(),
    processing_time_ms: z.int(),
    failure_reason: z.string().nullable(),
    cross_validations: checkMembers,
    scores: checkMembers,
  })
  .meta({ id: 'JobResult' })

const properties = `properties { key number text }`
const check = `{ result breakdown { name result ${properties} } ${properties} }`

/** Fields of a VerificationResult for a JobResult, with their documented names. */
export const jobResultFields = `
  job { id citizen { code } }
  status outcome completed_at: completedAt processing_time_ms: processingTimeMs failure_reason: failureReason
  cross_validations: crossValidations {
    reasons
    data_comparison: dataComparison {
      first_name: firstName ${check} last_name: lastName ${check} date_of_birth: dateOfBirth ${check} gender ${check}
      nationality ${check} document_type: documentType ${check} issuing_country: issuingCountry ${check}
    }
    data_validation: dataValidation {
      mrz ${check} document_numbers: documentNumbers ${check} date_of_birth: dateOfBirth ${check}
      document_expiration: documentExpiration ${check}
    }
    data_consistency: dataConsistency ${check}
    image_integrity: imageIntegrity {
      image_quality: imageQuality ${check} supported_document: supportedDocument ${check} face_detected: faceDetected ${check}
    }
    face_comparison: faceComparison { face_match: faceMatch ${check} }
  }
  scores {
    overall face_match: faceMatch selfie_quality: selfieQuality document_quality: documentQuality ocr_confidence: ocrConfidence
    mrz_validity: mrzValidity name_similarity: nameSimilarity data_match: dataMatch
  }`

const propertiesData = z
  .array(z.object({ key: z.string(), number: z.number().nullable(), text: z.string().nullable() }))
  .transform((list) => Object.fromEntries(list.map(({ key, number, text }) => [key, number ?? text])))
  .nullable()

const partData = z
  .object({ result: z.string().toLowerCase(), properties: propertiesData })
  .transform(({ result, properties: facts }) => ({ result, ...(facts === null ? {} : { properties: facts }) }))

const checkData = z
  .object({
    result: z.string().toLowerCase(),
    breakdown: z
      .array(z.intersection(z.object({ name: z.string() }), partData))
      .transform((parts) => Object.fromEntries(parts.map(({ name, ...part }) => [name, part])))
      .nullable(),
    properties: propertiesData,
  })
  .transform(present)
  .nullable()

const group = <Shape extends Record<string, typeof checkData>>(shape: Shape) => z.object(shape).transform(present).nullable()

const crossValidationsData = z
  .object({
    reasons: z.array(z.string().toLowerCase()),
    data_comparison: group({
      first_name: checkData,
      last_name: checkData,
      date_of_birth: checkData,
      gender: checkData,
      nationality: checkData,
      document_type: checkData,
      issuing_country: checkData,
    }),
    data_validation: group({ mrz: checkData, document_numbers: checkData, date_of_birth: checkData, document_expiration: checkData }),
    data_consistency: checkData,
    image_integrity: group({ image_quality: checkData, supported_document: checkData, face_detected: checkData }),
    face_comparison: group({ face_match: checkData }),
  })
  .transform(present)

const score = z.number().nullable()
const scoresData = z
  .object({
    overall: score,
    face_match: score,
    selfie_quality: score,
    document_quality: score,
    ocr_confidence: score,
    mrz_validity: score,
    name_similarity: score,
    data_match: score,
  })
  .transform(present)

/** Converts a VerificationResult to a JobResult: a check that did not run is absent, and an error has neither checks nor scores. */
export const jobResultData: z.ZodType<z.output<typeof JobResult>> = z
  .object({
    job: z.object({ id: z.string(), citizen: z.object({ code: z.string() }) }),
    status: documentedValue(['completed', 'error'], 'completed'),
    outcome: documentedValue(['verified', 'pending_review', 'rejected', 'error'], 'pending_review'),
    completed_at: z.string(),
    processing_time_ms: z.int(),
    failure_reason: z.string().nullable(),
    cross_validations: crossValidationsData.nullable(),
    scores: scoresData.nullable(),
  })
  .transform(({ job, cross_validations, scores, ...result }) => ({
    job_id: job.id,
    citizen_code: job.citizen.code,
    ...result,
    cross_validations: cross_validations ?? {},
    scores: scores ?? {},
  }))

/** Removes null members: a check that did not run is absent. */
function present(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))
}

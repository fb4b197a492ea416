import { Field, ID, InputType, Int, registerEnumType } from 'type-graphql'
import { type ImageContent, ImageContentScalar } from '../../../foundation/graphql/image-content.ts'
import type { NewJob } from '../jobs/submission/new-job.ts'
import type { DeclaredIdentity } from '../jobs/submission/submission.ts'
import { LivenessStep } from '../liveness/vocabulary.ts'
import { DeclaredGender, DocumentType, VerificationPriority } from '../vocabulary.ts'

registerEnumType(DocumentType, { name: 'VerificationDocumentType', description: 'Kind of identity document' })

registerEnumType(DeclaredGender, { name: 'DeclaredGender', description: 'Gender as declared: male, female, other, not said' })

registerEnumType(VerificationPriority, {
  name: 'VerificationPriority',
  description: 'HIGH goes before every NORMAL job submitted less than an hour before it',
})

@InputType({ description: 'Who the citizen says to be' })
export class DeclaredIdentityInput {
  @Field(() => String, { description: 'Given names' })
  firstName!: string
  @Field(() => String, { description: 'Family name' })
  lastName!: string
  @Field(() => String, { nullable: true, description: 'Date of birth, best as YYYY-MM-DD; local forms are understood' })
  dateOfBirth?: string | null
  @Field(() => DeclaredGender, { nullable: true, description: 'Gender' })
  gender?: DeclaredIdentity['gender']
  @Field(() => String, { nullable: true, description: 'Nationality, ISO 3166 alpha-2 or alpha-3' })
  nationality?: string | null
}

registerEnumType(LivenessStep, {
  name: 'LivenessStep',
  description: 'What a citizen does before the camera; left and right are their own, and frames are not mirrored',
})

@InputType({ description: 'For whose document a challenge is' })
export class StartChipChallengeInput {
  @Field(() => String, { description: 'The code by which the caller knows the citizen; the job that answers has the same' })
  citizenCode!: string
}

@InputType({ description: 'For whom a challenge is' })
export class StartLivenessChallengeInput {
  @Field(() => String, { description: 'The code by which the caller knows the citizen; the job that answers has the same' })
  citizenCode!: string
}

@InputType({ description: 'A picture taken while the citizen did what was asked' })
export class LivenessFrameInput {
  @Field(() => ImageContentScalar, { description: 'JPEG or PNG, at most 512 kB, not mirrored' })
  image!: ImageContent
  @Field(() => Int, { description: 'Milliseconds since the client had the challenge, 0 to 60,000, more than those of the frame before' })
  atMs!: number
}

@InputType({ description: 'The answer to a challenge, within 60 s of its start' })
export class LivenessInput {
  @Field(() => ID, { description: 'Of the challenge; it is good for one job' })
  nonce!: string
  @Field(() => [LivenessFrameInput], {
    description: '4 to 20 in the order taken: first the face as it looks straight at the camera, then each step at its height',
  })
  frames!: LivenessFrameInput[]
}

const chipFile = (description: string, required = false): PropertyDecorator =>
  Field(() => ImageContentScalar, { nullable: !required, description }) as PropertyDecorator

@InputType({
  description:
    'What the chip of a travel document has answered to a challenge of startChipChallenge (active authentication, ICAO Doc 9303-11)',
})
export class ActiveAuthenticationInput {
  @Field(() => ID, { description: 'Of the challenge; it is good for one job' })
  nonce!: string
  @Field(() => ImageContentScalar, { description: 'What INTERNAL AUTHENTICATE has returned for its bytes, in base64, at most 1 kB' })
  response!: ImageContent
}

@InputType({ description: 'Files of the chip of a travel document as they were read, byte for byte, in base64 (ICAO Doc 9303-10)' })
export class TravelDocumentChipInput {
  @chipFile('EF.SOD, the document security object, at most 64 kB', true)
  sod!: ImageContent
  @chipFile('EF.DG1, the machine-readable zone', true)
  dg1!: ImageContent
  @chipFile('EF.DG2, the portrait, at most 512 kB', true)
  dg2!: ImageContent
  @chipFile('EF.DG11, additional personal details, at most 128 kB: the name and the date of birth in full')
  dg11?: ImageContent | null
  @chipFile('EF.DG12, additional document details, at most 512 kB; only its hash is checked')
  dg12?: ImageContent | null
  @chipFile('EF.DG14, security options, at most 16 kB; needed where a key on an elliptic curve answers a challenge')
  dg14?: ImageContent | null
  @chipFile('EF.DG15, public key of active authentication, at most 16 kB; needed where a challenge is answered')
  dg15?: ImageContent | null
  @Field(() => ActiveAuthenticationInput, { nullable: true, description: 'That the chip was there: its answer to a challenge' })
  activeAuthentication?: ActiveAuthenticationInput | null
}

@InputType({ description: 'One identity verification to run' })
export class SubmitVerificationInput {
  @Field(() => String, { description: 'The code by which the caller knows the citizen' })
  citizenCode!: string
  @Field(() => DocumentType, { description: 'Kind of the document in the images' })
  documentType!: NewJob['documentType']
  @Field(() => String, { description: 'Issuing country, ISO 3166 alpha-2 or alpha-3' })
  countryCode!: string
  @Field(() => ImageContentScalar, { description: 'Photograph of the citizen: JPEG, PNG or WebP, at most 5 MB' })
  selfie!: ImageContent
  @Field(() => ImageContentScalar, { description: 'Front of the document, likewise' })
  documentFront!: ImageContent
  @Field(() => ImageContentScalar, { nullable: true, description: 'Back of the document, likewise' })
  documentBack?: ImageContent | null
  @Field(() => TravelDocumentChipInput, { nullable: true, description: 'What was read from the chip of the document' })
  chip?: TravelDocumentChipInput | null
  @Field(() => LivenessInput, { nullable: true, description: 'The answer to a challenge of startLivenessChallenge' })
  liveness?: LivenessInput | null
  @Field(() => DeclaredIdentityInput, { description: 'Who the citizen says to be' })
  declaredIdentity!: DeclaredIdentityInput
  @Field(() => VerificationPriority, { defaultValue: VerificationPriority.NORMAL, description: 'When it starts' })
  priority!: NewJob['priority']
  @Field(() => String, {
    nullable: true,
    description: 'An https URL that is told when the result is final, by a signed POST (Standard Webhooks)',
  })
  callbackUrl?: string | null
  @Field(() => String, {
    nullable: true,
    description:
      'The same again with the same content gives the same job, for 24 hours; with another content it is refused. In a batch the batch’s own key counts',
  })
  idempotencyKey?: string | null
}

@InputType({ description: 'Several verifications, accepted all or none' })
export class SubmitVerificationBatchInput {
  @Field(() => [SubmitVerificationInput], { description: 'At most 100 (MAX_BATCH_JOBS)' })
  jobs!: SubmitVerificationInput[]
  @Field(() => String, {
    nullable: true,
    description: 'The same again with the same content gives the same batch, for 24 hours; with another content it is refused',
  })
  idempotencyKey?: string | null
}

@InputType({ description: 'Whom to erase' })
export class EraseCitizenInput {
  @Field(() => String, { description: 'The code by which the callers know the citizen' })
  code!: string
}

@InputType({ description: 'Results that the caller has stored and that may be erased here' })
export class AcknowledgeVerificationResultsInput {
  @Field(() => [ID], { description: 'Ids of finished jobs, at most 100,000' })
  jobIds!: string[]
}

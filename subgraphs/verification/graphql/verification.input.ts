import { Field, ID, InputType, Int } from 'type-graphql'
import type { z } from 'zod'
import { deprecated } from '../../../foundation/graphql/deprecated.ts'
import { registerEnum } from '../../../foundation/graphql/enum-type.ts'
import { type ImageContent, ImageContentScalar } from '../../../foundation/graphql/image-content.ts'
import type { ChipContent, ChipResponseContent } from '../submission/decode-chip.ts'
import type { LivenessContent } from '../submission/decode-frames.ts'
import type { DeclaredIdentity, NewJob } from '../submission/submission.ts'
import { DeclaredGender, DocumentType, Gender, LivenessStep, VerificationPriority } from '../vocabulary.ts'

registerEnum(DocumentType, {
  name: 'VerificationDocumentType',
  description: 'Kind of identity document.',
  values: {
    CNI: 'French national identity card.',
    PASSPORT: 'Passport.',
    TITRE_DE_SEJOUR: 'French residence permit.',
    NATIONAL_ID: 'National identity card of any country.',
  },
})

registerEnum(DeclaredGender, {
  name: 'DeclaredGender',
  description: 'Gender as declared.',
  values: {
    M: 'Male.',
    F: 'Female.',
    O: 'Other.',
    N: 'Not stated.',
  },
})

registerEnum(Gender, {
  name: 'Gender',
  description: 'Gender as declared.',
  values: {
    FEMALE: 'Female.',
    MALE: 'Male.',
    OTHER: 'Other.',
    NOT_STATED: 'Not stated.',
  },
})

registerEnum(VerificationPriority, {
  name: 'VerificationPriority',
  description: 'Priority of a job in the queue.',
  values: {
    NORMAL: 'Runs in order of submission.',
    HIGH: 'Runs before NORMAL jobs that were submitted less than an hour earlier.',
  },
})

@InputType({ description: 'The identity that the citizen declares.' })
export class DeclaredIdentityInput implements z.input<typeof DeclaredIdentity> {
  @Field(() => String, { description: 'Given names.' })
  firstName!: string
  @Field(() => String, { description: 'Family name.' })
  lastName!: string
  @Field(() => String, { nullable: true, description: 'Date of birth, preferably YYYY-MM-DD; common local formats are accepted.' })
  dateOfBirth?: string | null
  @Field(() => Gender, { nullable: true, description: 'Gender.' })
  declaredGender?: DeclaredIdentity['gender']
  @Field(() => DeclaredGender, { nullable: true, description: 'Former form of `declaredGender`.', ...deprecated('declaredGender') })
  gender?: DeclaredIdentity['gender']
  @Field(() => String, { nullable: true, description: 'Nationality, ISO 3166-1 alpha-2 or alpha-3.' })
  nationality?: string | null
}

registerEnum(LivenessStep, {
  name: 'LivenessStep',
  description: 'A movement in front of the camera. Left and right are those of the citizen; frames are not mirrored.',
  values: {
    TURN_LEFT: 'Turn the head to the left.',
    TURN_RIGHT: 'Turn the head to the right.',
    LOOK_UP: 'Look up.',
    MOVE_CLOSER: 'Move closer to the camera.',
    BLINK: 'Blink.',
  },
})

@InputType({ description: 'The citizen whose document’s chip is to be challenged.' })
export class StartChipChallengeInput {
  @Field(() => String, { description: 'Citizen code; the job that submits the response must have the same code.' })
  citizenCode!: string
}

@InputType({ description: 'The citizen who is to perform the movements.' })
export class StartLivenessChallengeInput {
  @Field(() => String, { description: 'Citizen code; the job that submits the frames must have the same code.' })
  citizenCode!: string
}

@InputType({ description: 'A frame captured during a liveness challenge.' })
export class LivenessFrameInput {
  @Field(() => ImageContentScalar, { description: 'JPEG or PNG, at most 512 kB, not mirrored.' })
  image!: ImageContent
  @Field(() => Int, {
    description: 'Time of the frame in milliseconds since the client received the challenge, 0 to 60,000; later than the previous frame.',
  })
  atMs!: number
}

@InputType({ description: 'The frames of a liveness challenge, submitted within 60 s of its start.' })
export class LivenessInput implements LivenessContent {
  @Field(() => ID, { description: 'Nonce of the challenge; valid for one job.' })
  nonce!: string
  @Field(() => [LivenessFrameInput], {
    description:
      '4 to 20 frames in order of capture: first the face looking straight at the camera, then each movement at its furthest point.',
  })
  frames!: LivenessFrameInput[]
}

const chipFile = (description: string, required = false): PropertyDecorator =>
  Field(() => ImageContentScalar, { nullable: !required, description }) as PropertyDecorator

@InputType({
  description: 'Response of the chip to a challenge of `startChipChallenge` (active authentication, ICAO Doc 9303-11).',
})
export class ActiveAuthenticationInput implements ChipResponseContent {
  @Field(() => ID, { description: 'Nonce of the challenge; valid for one job.' })
  nonce!: string
  @Field(() => ImageContentScalar, { description: 'Response of the chip to INTERNAL AUTHENTICATE, in base64, at most 1 kB.' })
  response!: ImageContent
}

@InputType({ description: 'Files of the chip of a travel document, byte for byte, in base64 (ICAO Doc 9303-10).' })
export class TravelDocumentChipInput implements ChipContent {
  @chipFile('EF.SOD, the document security object, at most 64 kB.', true)
  sod!: ImageContent
  @chipFile('EF.DG1, the machine-readable zone.', true)
  dg1!: ImageContent
  @chipFile('EF.DG2, the portrait, at most 512 kB.', true)
  dg2!: ImageContent
  @chipFile('EF.DG11, additional personal details, at most 128 kB: full name and date of birth.')
  dg11?: ImageContent | null
  @chipFile('EF.DG12, additional document details, at most 512 kB; only its hash is checked.')
  dg12?: ImageContent | null
  @chipFile('EF.DG14, security options, at most 16 kB; required for active authentication with an elliptic-curve key.')
  dg14?: ImageContent | null
  @chipFile('EF.DG15, public key for active authentication, at most 16 kB; required when a challenge response is submitted.')
  dg15?: ImageContent | null
  @Field(() => ActiveAuthenticationInput, {
    nullable: true,
    description: 'Response of the chip to a challenge, which proves that the chip was present.',
  })
  activeAuthentication?: ActiveAuthenticationInput | null
}

@InputType({ description: 'An identity verification to run.' })
export class SubmitVerificationInput implements Omit<NewJob, 'submission' | 'callbackUrl'> {
  @Field(() => String, { description: 'Citizen code, assigned by the caller.' })
  citizenCode!: string
  @Field(() => DocumentType, { description: 'Kind of the document in the images.' })
  documentType!: NewJob['documentType']
  @Field(() => String, { description: 'Issuing country, ISO 3166-1 alpha-2 or alpha-3.' })
  countryCode!: string
  @Field(() => ImageContentScalar, { description: 'Photograph of the citizen: JPEG, PNG or WebP, at most 5 MB.' })
  selfie!: ImageContent
  @Field(() => ImageContentScalar, { description: 'Front of the document: JPEG, PNG or WebP, at most 5 MB.' })
  documentFront!: ImageContent
  @Field(() => ImageContentScalar, { nullable: true, description: 'Back of the document: JPEG, PNG or WebP, at most 5 MB.' })
  documentBack?: ImageContent | null
  @Field(() => TravelDocumentChipInput, { nullable: true, description: 'Data read from the chip of the document.' })
  chip?: TravelDocumentChipInput | null
  @Field(() => LivenessInput, { nullable: true, description: 'Frames of a challenge of `startLivenessChallenge`.' })
  liveness?: LivenessInput | null
  @Field(() => DeclaredIdentityInput, { description: 'The identity that the citizen declares.' })
  declaredIdentity!: DeclaredIdentityInput
  @Field(() => VerificationPriority, { defaultValue: VerificationPriority.NORMAL, description: 'Priority of the job in the queue.' })
  priority!: NewJob['priority']
  @Field(() => String, {
    nullable: true,
    description: 'An https URL that receives a signed POST request (Standard Webhooks) when the result is final.',
  })
  callbackUrl?: string | null
  @Field(() => String, {
    nullable: true,
    description:
      'Key under which a repeated request with the same content returns the same job, for 24 hours; other content is refused. Ignored in a batch, which has its own key.',
  })
  idempotencyKey?: string | null
}

@InputType({ description: 'Several verifications; either all are accepted or none.' })
export class SubmitVerificationBatchInput {
  @Field(() => [SubmitVerificationInput], { description: 'The verifications, at most 100 (MAX_BATCH_JOBS).' })
  jobs!: SubmitVerificationInput[]
  @Field(() => String, {
    nullable: true,
    description: 'Key under which a repeated request with the same content returns the same batch, for 24 hours; other content is refused.',
  })
  idempotencyKey?: string | null
}

@InputType({ description: 'Results that the caller has stored and that may be erased.' })
export class AcknowledgeVerificationResultsInput {
  @Field(() => [ID], { description: 'Ids of finished jobs, at most 100,000.' })
  jobIds!: string[]
}

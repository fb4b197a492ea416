import { Field, Float, ObjectType, registerEnumType } from 'type-graphql'
import { byEnumName } from '../../../foundation/graphql/enum-names.ts'
import type { Check } from '../assessment/check.ts'
import type { CrossValidations as Found } from '../assessment/cross-validation.ts'
import { knownReasons, type Reason, reasonCodes } from '../assessment/reasons.ts'

export enum CheckResult {
  CLEAR = 'clear',
  CONSIDER = 'consider',
  UNIDENTIFIED = 'unidentified',
}
registerEnumType(CheckResult, {
  name: 'CheckResult',
  description: 'CLEAR: it agrees; CONSIDER: somebody should look; UNIDENTIFIED: it could not be checked',
})

export const VerificationReason = byEnumName(reasonCodes)
registerEnumType(VerificationReason, {
  name: 'VerificationReason',
  description: 'What speaks against a verification. What only a newer release knows is left out',
})

@ObjectType({ description: 'A fact beside a check: a number or a text' })
export class CheckProperty {
  @Field(() => String, { description: 'Name of the fact' })
  key!: string
  @Field(() => Float, { nullable: true, description: 'The fact, when it is a number' })
  number?: number | null
  @Field(() => String, { nullable: true, description: 'The fact, when it is a text' })
  text?: string | null
}

@ObjectType({ description: 'A part of a check, by its name' })
export class NamedCheck {
  @Field(() => String, { description: 'Name of the part' })
  name!: string
  @Field(() => CheckResult, { description: 'Its result' })
  result!: Check['result']
  @Field(() => [CheckProperty], { nullable: true, description: 'Facts beside it' })
  properties?: CheckProperty[] | null
}

@ObjectType({ description: 'One check of a verification' })
export class VerificationCheck {
  @Field(() => CheckResult, { description: 'Its result' })
  result!: Check['result']
  @Field(() => [NamedCheck], { nullable: true, description: 'The parts it is made of, where it has any' })
  breakdown?: NamedCheck[] | null
  @Field(() => [CheckProperty], { nullable: true, description: 'Facts beside it' })
  properties?: CheckProperty[] | null
}

const check = (description: string): PropertyDecorator =>
  Field(() => VerificationCheck, { nullable: true, description }) as PropertyDecorator

@ObjectType({ description: 'The declared identity against the document' })
export class DataComparison {
  @check('Given names')
  firstName?: VerificationCheck
  @check('Family name')
  lastName?: VerificationCheck
  @check('Date of birth')
  dateOfBirth?: VerificationCheck
  @check('Gender')
  gender?: VerificationCheck
  @check('Nationality')
  nationality?: VerificationCheck
  @check('Kind of document')
  documentType?: VerificationCheck
  @check('Issuing country')
  issuingCountry?: VerificationCheck
}

@ObjectType({ description: 'Whether what the document says can be true' })
export class DataValidation {
  @check('Machine readable zone and its check digits (ICAO 9303)')
  mrz?: VerificationCheck
  @check('Document number')
  documentNumbers?: VerificationCheck
  @check('Date of birth')
  dateOfBirth?: VerificationCheck
  @check('Date of expiry')
  documentExpiration?: VerificationCheck
}

@ObjectType({ description: 'Whether the images can be relied on' })
export class ImageIntegrity {
  @check('Sharpness, light, glare, completeness')
  imageQuality?: VerificationCheck
  @check('Whether the document is one that can be read')
  supportedDocument?: VerificationCheck
  @check('Faces found')
  faceDetected?: VerificationCheck
}

@ObjectType({ description: 'The selfie against the photograph on the document' })
export class FaceComparison {
  @check('Whether both show one person')
  faceMatch?: VerificationCheck
}

@ObjectType({ description: 'What was read from the chip of the document (passive and active authentication, ICAO Doc 9303-11)' })
export class ChipValidation {
  @check('Hashes of the data groups against those that are signed')
  dataGroups?: VerificationCheck
  @check('Signature of the security object')
  signature?: VerificationCheck
  @check('Certificate of the signer, up to one of the issuing country that was imported')
  signer?: VerificationCheck
  @check('Answer of the chip to a challenge, by the key on it: whether it is the chip itself, and no copy; null where it was asked nothing')
  activeAuthentication?: VerificationCheck
  @check('Machine-readable zone of the chip against the printed one')
  machineReadableZone?: VerificationCheck
  @check('Machine-readable zone of the chip against the declared identity')
  declaredIdentity?: VerificationCheck
  @check('The selfie against the portrait on the chip')
  portrait?: VerificationCheck
  @Field(() => Boolean, {
    description: 'Everything about the chip is proven: the outcome is by the chip where the print could only not be read',
  })
  decisive!: boolean
  @Field(() => [VerificationReason], { description: 'What would have asked for review without the chip' })
  outweighed!: Reason[]
}

@ObjectType({ description: 'Everything that was checked, and why the outcome is what it is' })
export class CrossValidations {
  @Field(() => [VerificationReason], { description: 'What speaks against verified, most serious first; empty when verified' })
  reasons!: Reason[]
  @Field(() => DataComparison, { nullable: true, description: 'The declared identity against the document' })
  dataComparison?: DataComparison
  @Field(() => DataValidation, { nullable: true, description: 'Whether what the document says can be true' })
  dataValidation?: DataValidation
  @check('Machine-readable zone against visual zone, front against back')
  dataConsistency?: VerificationCheck
  @check('Barcodes of the document against its machine-readable zone and print, and their seal; null where none was found')
  barcodes?: VerificationCheck
  @Field(() => ImageIntegrity, { nullable: true, description: 'Whether the images can be relied on' })
  imageIntegrity?: ImageIntegrity
  @Field(() => FaceComparison, { nullable: true, description: 'The selfie against the photograph on the document' })
  faceComparison?: FaceComparison
  @Field(() => ChipValidation, { nullable: true, description: 'What was read from the chip; null where none was given' })
  chip?: ChipValidation
  @check('What a citizen did before the camera, as a challenge asked; its property `verdict` is `live` where the challenge was passed')
  liveness?: VerificationCheck
  @check(
    'The selfie against the faces of other citizens of the same caller: how many are near, and how near; null where nobody is searched',
  )
  duplicates?: VerificationCheck
}

const score = (description: string): PropertyDecorator => Field(() => Float, { nullable: true, description }) as PropertyDecorator

@ObjectType({ description: 'From 0 to 1, higher is better; null where the check did not run' })
export class VerificationScores {
  @score('The whole')
  overall?: number
  @score('Likeness of the two faces')
  faceMatch?: number
  @score('Quality of the selfie')
  selfieQuality?: number
  @score('Quality of the document images')
  documentQuality?: number
  @score('How sure the text reader is')
  ocrConfidence?: number
  @score('Share of the machine readable zone that holds')
  mrzValidity?: number
  @score('Likeness of the names')
  nameSimilarity?: number
  @score('Share of the declared data that the document confirms')
  dataMatch?: number
}

/** What was found, in words that this release has for it. */
export function typeOfChecks({ reasons, chip, ...groups }: Found): CrossValidations {
  return {
    ...groups,
    reasons: knownReasons(reasons),
    ...(chip !== undefined && { chip: { ...chip, outweighed: knownReasons(chip.outweighed) } }),
  }
}

import { Field, Float, ObjectType } from 'type-graphql'
import { byEnumName, registerEnum } from '../../../foundation/graphql/enum-type.ts'
import type { CrossValidations as Found } from '../assessment/cross-validation.ts'
import type { Check } from '../checks/check.ts'
import { definedReasons, type Reason, reasonCodes } from '../checks/reasons.ts'

export enum CheckResult {
  CLEAR = 'clear',
  CONSIDER = 'consider',
  UNIDENTIFIED = 'unidentified',
}
registerEnum(CheckResult, {
  name: 'CheckResult',
  description: 'Result of a check.',
  values: {
    CLEAR: 'The check passed.',
    CONSIDER: 'The check found a discrepancy; a person should review it.',
    UNIDENTIFIED: 'The check could not be performed.',
  },
})

export const VerificationReason = byEnumName(reasonCodes)
registerEnum(VerificationReason, {
  name: 'VerificationReason',
  description: 'A finding against a verification. A reason that only a newer release defines is omitted from lists.',
  values: {
    BETTER_PHOTOGRAPHS: 'A reviewer requests better photographs.',
    CHIP_ALTERED: 'A file of the chip does not match its signed hash.',
    CHIP_SIGNATURE_INVALID: 'The signature of the chip’s security object is invalid.',
    FACE_MISMATCH: 'The selfie and the photograph on the document show different persons.',
    CHIP_MISMATCH: 'The data on the chip contradicts the printed document or the declared identity.',
    NAME_MISMATCH: 'The name on the document differs from the declared name.',
    DOB_MISMATCH: 'The date of birth on the document differs from the declared one.',
    MRZ_CHECK_DIGIT_FAILED: 'A check digit of the machine-readable zone is wrong.',
    DATA_INCONSISTENT: 'The data on the document contradicts itself.',
    BARCODE_MISMATCH: 'A barcode contradicts the document, or its seal is invalid.',
    NATIONALITY_MISMATCH: 'The nationality on the document differs from the declared one.',
    GENDER_MISMATCH: 'The gender on the document differs from the declared one.',
    DOCUMENT_TYPE_MISMATCH: 'The document is of another kind or country than submitted.',
    DOCUMENT_EXPIRED: 'The document has expired.',
    CHIP_NOT_GENUINE: 'The chip failed active authentication.',
    CHIP_SIGNER_REVOKED: 'The certificate that signed the chip was revoked.',
    CHIP_SIGNER_EXPIRED: 'The certificate that signed the chip has expired.',
    CHIP_SIGNER_UNKNOWN: 'No trusted certificate of the issuing country has issued the certificate that signed the chip.',
    CHIP_UNREADABLE: 'The chip data could not be read.',
    CHIP_PORTRAIT_UNREADABLE: 'The portrait on the chip could not be read.',
    POSSIBLE_DUPLICATE: 'The selfie resembles another citizen of the same caller.',
    CHALLENGE_OTHER_PERSON: 'The liveness frames show another person than the selfie.',
    CHALLENGE_FLAT: 'The face in the liveness frames appears flat, as in a picture, or a frame is repeated.',
    CHALLENGE_INCOMPLETE: 'The frames do not show all movements of the challenge.',
    CHALLENGE_LATE: 'The frames were not submitted in time.',
    NO_DOCUMENT_IN_IMAGE: 'The image shows no document.',
    TWO_DOCUMENTS: 'The image shows more than one document.',
    UNSUPPORTED_DOCUMENT: 'The kind of document is not supported.',
    NO_FACE_SELFIE: 'The selfie shows no face.',
    NO_FACE_DOCUMENT: 'No face was found on the document.',
    MULTIPLE_FACES_SELFIE: 'The selfie shows more than one face.',
    COVERED_FACE: 'The face in the selfie is covered.',
    SUNGLASSES: 'The person in the selfie wears sunglasses.',
    CHILD: 'The person in the selfie appears to be a child.',
    WRONG_SIDE: 'The image shows the wrong side of the document.',
    MISSING_BACK: 'The back of the document is missing.',
    OCR_UNREADABLE: 'The text on the document could not be read.',
    COPY_OF_DOCUMENT: 'The image shows a copy of a document.',
    SHOWN_ON_SCREEN: 'The image was taken from a screen.',
    CUT_OFF_DOCUMENT: 'The document is cut off in the image.',
    BLURRED_PHOTO: 'An image is blurred.',
    GLARE_ON_PHOTO: 'Glare covers a part of an image.',
    DARK_PHOTO: 'An image is too dark.',
  },
})

@ObjectType({ description: 'A named value measured by a check. Exactly one of `number` and `text` is set.' })
export class CheckProperty {
  @Field(() => String, { description: 'Name of the value.' })
  key!: string
  @Field(() => Float, { nullable: true, description: 'The value when it is a number; otherwise null.' })
  number?: number | null
  @Field(() => String, { nullable: true, description: 'The value when it is a text; otherwise null.' })
  text?: string | null
}

@ObjectType({ description: 'A named part of a check.' })
export class NamedCheck {
  @Field(() => String, { description: 'Name of the part.' })
  name!: string
  @Field(() => CheckResult, { description: 'Result of the part.' })
  result!: Check['result']
  @Field(() => [CheckProperty], { nullable: true, description: 'Values that the part measured; null when it measured none.' })
  properties?: CheckProperty[] | null
}

@ObjectType({ description: 'One check of a verification.' })
export class VerificationCheck {
  @Field(() => CheckResult, { description: 'Result of the check.' })
  result!: Check['result']
  @Field(() => [NamedCheck], { nullable: true, description: 'Parts of the check; null when it has no parts.' })
  breakdown?: NamedCheck[] | null
  @Field(() => [CheckProperty], { nullable: true, description: 'Values that the check measured; null when it measured none.' })
  properties?: CheckProperty[] | null
}

const check = (description: string): PropertyDecorator =>
  Field(() => VerificationCheck, { nullable: true, description }) as PropertyDecorator

@ObjectType({ description: 'Comparison of the declared identity with the document. A field is null when its check did not run.' })
export class DataComparison {
  @check('Given names against the document.')
  firstName?: VerificationCheck
  @check('Family name against the document.')
  lastName?: VerificationCheck
  @check('Date of birth against the document.')
  dateOfBirth?: VerificationCheck
  @check('Gender against the document.')
  gender?: VerificationCheck
  @check('Nationality against the document.')
  nationality?: VerificationCheck
  @check('Kind of document against the submitted kind.')
  documentType?: VerificationCheck
  @check('Issuing country against the submitted country.')
  issuingCountry?: VerificationCheck
}

@ObjectType({ description: 'Plausibility of the data on the document. A field is null when its check did not run.' })
export class DataValidation {
  @check('Machine-readable zone and its check digits (ICAO Doc 9303).')
  mrz?: VerificationCheck
  @check('Format of the document number.')
  documentNumbers?: VerificationCheck
  @check('Plausibility of the date of birth.')
  dateOfBirth?: VerificationCheck
  @check('Whether the document is still valid.')
  documentExpiration?: VerificationCheck
}

@ObjectType({ description: 'Usability of the images. A field is null when its check did not run.' })
export class ImageIntegrity {
  @check('Sharpness, exposure, glare and completeness of the images.')
  imageQuality?: VerificationCheck
  @check('Whether the kind of document is supported.')
  supportedDocument?: VerificationCheck
  @check('Faces in the selfie and on the document.')
  faceDetected?: VerificationCheck
}

@ObjectType({ description: 'Comparison of the selfie with the photograph on the document.' })
export class FaceComparison {
  @check('Whether both images show the same person; null when the check did not run.')
  faceMatch?: VerificationCheck
}

@ObjectType({
  description:
    'Validation of the chip of the document (passive and active authentication, ICAO Doc 9303-11). A field is null when its check did not run.',
})
export class ChipValidation {
  @check('Hashes of the data groups against the signed hashes.')
  dataGroups?: VerificationCheck
  @check('Signature of the document security object.')
  signature?: VerificationCheck
  @check('Certificate chain of the signer, up to an imported certificate of the issuing country.')
  signer?: VerificationCheck
  @check('Active authentication: whether the chip holds its private key and is not a copy; null when no challenge was submitted.')
  activeAuthentication?: VerificationCheck
  @check('Machine-readable zone of the chip against the printed one.')
  machineReadableZone?: VerificationCheck
  @check('Machine-readable zone of the chip against the declared identity.')
  declaredIdentity?: VerificationCheck
  @check('The selfie against the portrait on the chip.')
  portrait?: VerificationCheck
  @Field(() => Boolean, {
    description: 'Whether all chip checks passed, so that the chip decides the outcome where the printed data could not be read.',
  })
  decisive!: boolean
  @Field(() => [VerificationReason], { description: 'Reasons that would have required a review if the chip had not been read.' })
  outweighed!: Reason[]
}

@ObjectType({ description: 'All checks of a verification and the reasons for its outcome.' })
export class CrossValidations {
  @Field(() => [VerificationReason], {
    description: 'Findings against the verification, most serious first; empty when the outcome is VERIFIED.',
  })
  reasons!: Reason[]
  @Field(() => [VerificationReason], {
    nullable: true,
    description: 'Those of `reasons` of which each alone suffices to reject the identity; null for results of earlier releases.',
  })
  rejectingReasons!: Reason[] | null
  @Field(() => DataComparison, {
    nullable: true,
    description: 'Comparison of the declared identity with the document; null when it did not run.',
  })
  dataComparison?: DataComparison
  @Field(() => DataValidation, { nullable: true, description: 'Plausibility of the data on the document; null when it did not run.' })
  dataValidation?: DataValidation
  @check('Machine-readable zone against visual zone, and front against back; null when the check did not run.')
  dataConsistency?: VerificationCheck
  @check('Barcodes against the machine-readable zone and the printed data, and their seal; null when no barcode was found.')
  barcodes?: VerificationCheck
  @Field(() => ImageIntegrity, { nullable: true, description: 'Usability of the images; null when it did not run.' })
  imageIntegrity?: ImageIntegrity
  @Field(() => FaceComparison, {
    nullable: true,
    description: 'Comparison of the selfie with the photograph on the document; null when it did not run.',
  })
  faceComparison?: FaceComparison
  @Field(() => ChipValidation, { nullable: true, description: 'Validation of the chip; null when no chip data was submitted.' })
  chip?: ChipValidation
  @check('Liveness challenge; the property `verdict` is `live` when it was passed. Null when no frames were submitted.')
  liveness?: VerificationCheck
  @check(
    'The selfie against the faces of other citizens of the same caller: number of similar faces and their distances; null when the search is off.',
  )
  duplicates?: VerificationCheck
}

const score = (description: string): PropertyDecorator => Field(() => Float, { nullable: true, description }) as PropertyDecorator

@ObjectType({ description: 'Scores from 0 to 1; higher is better. A score is null when its check did not run.' })
export class VerificationScores {
  @score('Overall score.')
  overall?: number
  @score('Similarity of the two faces.')
  faceMatch?: number
  @score('Quality of the selfie.')
  selfieQuality?: number
  @score('Quality of the document images.')
  documentQuality?: number
  @score('Confidence of the text recognition.')
  ocrConfidence?: number
  @score('Share of the machine-readable zone that is valid.')
  mrzValidity?: number
  @score('Similarity of the names.')
  nameSimilarity?: number
  @score('Share of the declared data that the document confirms.')
  dataMatch?: number
}

/** Converts the result to its GraphQL type; omits reasons that this release does not define. */
export function typeOfChecks({ reasons, rejecting, chip, ...groups }: Found): CrossValidations {
  return {
    ...groups,
    reasons: definedReasons(reasons),
    rejectingReasons: rejecting === undefined ? null : definedReasons(rejecting),
    ...(chip !== undefined && { chip: { ...chip, outweighed: definedReasons(chip.outweighed) } }),
  }
}

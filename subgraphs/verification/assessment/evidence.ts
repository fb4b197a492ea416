import type { DocumentText } from '../../../engines/document-reader/document-reader.ts'
import type { FaceCovering, FaceLikeness } from '../../../engines/face-analyser/face-analyser.ts'
import type { ActiveAuthentication } from '../chip/active-authentication.ts'
import type { PassiveAuthentication } from '../chip/passive-authentication.ts'
import type { PersonalDetails } from '../chip/personal-details.ts'
import type { SealKeys } from '../document/barcode/verify-seal.ts'
import type { MachineReadableZone } from '../document/machine-readable-zone.ts'
import type { TemplateModel } from '../duplicates/face-template.ts'
import type { DeclaredIdentity } from '../jobs/submission/submission.ts'
import type { HeadMotion } from '../liveness/head-motion.ts'
import type { Step } from '../liveness/vocabulary.ts'

export type DocumentKind = 'CNI' | 'PASSPORT' | 'TITRE_DE_SEJOUR' | 'NATIONAL_ID'

/** A face as the face analyser measured it on its aligned 150 px chip. */
export interface FaceEvidence {
  /** px in the image as decoded */
  readonly width: number
  /** detector's, 0 to 1 */
  readonly score: number
  /** variance of the Laplacian */
  readonly sharpness: number
  /** mean grey, 0 to 255 */
  readonly brightness: number
  /** grey that 98 of 100 pixels stay below */
  readonly highlight: number
  /** share of pixels below 20 and above 240 */
  readonly shareDark: number
  readonly shareBright: number
  readonly covering: FaceCovering
  /** years that it seems to have */
  readonly apparentAge: number
}

export interface ImageEvidence {
  /** px as decoded */
  readonly width: number
  /** on the selfie the largest first, without people farther behind; on a document the surest first */
  readonly faces: readonly FaceEvidence[]
  /** clear faces of another person than the first: a second document, a photograph beside it, or no document at all */
  readonly otherPersons?: number
}

/** What the chip of the document says, or in a sentence why it cannot be read. */
export type ChipEvidence =
  | { readonly problem: string }
  | {
      readonly authentication: PassiveAuthentication
      /** absent where the chip was asked nothing */
      readonly activeAuthentication?: ActiveAuthentication | undefined
      readonly zone: MachineReadableZone
      /** of the holder, where the chip says more than in its zone */
      readonly details?: PersonalDetails | undefined
      readonly portrait: PortraitEvidence
    }

/** The portrait on the chip: its largest face, and how alike it and the selfie's are (absent when one of the two is); or in a sentence why it cannot be looked at. */
export type PortraitEvidence =
  | { readonly face: FaceEvidence | undefined; readonly likeness: FaceLikeness | undefined }
  | { readonly problem: string }

/** One picture of a challenge. */
export interface FrameEvidence {
  /** milliseconds since the client had the challenge, by its own clock */
  readonly atMs: number
  /** 0 also where the picture cannot be looked at */
  readonly faces: number
  /** of the largest face, against that of the first frame; absent where one of the two is */
  readonly motion?: HeadMotion | undefined
  /** likeness of the eyes to those of the first frame, 0 to 1 */
  readonly eyes?: number | undefined
  readonly toFirst?: FaceLikeness | undefined
  /** to the largest face of the selfie */
  readonly toSelfie?: FaceLikeness | undefined
}

/** What was asked of a citizen before the camera, and what came of it. */
export interface LivenessEvidence {
  readonly steps: readonly Step[]
  /** from the start of the challenge to the submission, by the clock of the database */
  readonly elapsedMs: number
  readonly isLate: boolean
  readonly frames: readonly FrameEvidence[]
  /** frames that are byte for byte the same as one before */
  readonly repeated: number
}

/** Faces of other citizens of the same tenant that are near to the selfie's. */
export interface DuplicateEvidence {
  /** nearest first */
  readonly hits: readonly { readonly id: number; readonly distance: number }[]
  /** faces that were looked at */
  readonly searched: number
  readonly isWhole: boolean
  readonly model: TemplateModel
}

/** All that the engines found out about one job; the rules decide on this alone. */
export interface Evidence {
  readonly declared: DeclaredIdentity
  readonly documentType: DocumentKind
  /** as the caller wrote it */
  readonly countryCode: string
  readonly selfie: ImageEvidence
  readonly front: ImageEvidence
  readonly hasBack?: boolean
  /** its faces are looked for only when the front has none */
  readonly back?: ImageEvidence
  /** of the largest face of the selfie and the one of the document; absent when one has none */
  readonly faceLikeness?: FaceLikeness
  /** which networks say how alike faces are */
  readonly faceModel?: string
  /** absent when no text was read */
  readonly frontText?: DocumentText
  readonly backText?: DocumentText
  /** absent where nothing was read from a chip */
  readonly chip?: ChipEvidence
  /** absent where no challenge was answered */
  readonly liveness?: LivenessEvidence
  /** absent where nobody is searched */
  readonly duplicates?: DuplicateEvidence
  /** of the seals in barcodes: those that the operator has imported */
  readonly sealKeys?: SealKeys
  /** milliseconds since the epoch */
  readonly now: number
}

import type { DocumentText } from '../../../engines/document-reader/document-reader.ts'
import type { FaceCovering, FaceLikeness } from '../../../engines/face-analyser/face-analyser.ts'
import type { ActiveAuthentication } from '../chip/active-authentication.ts'
import type { PassiveAuthentication } from '../chip/passive-authentication.ts'
import type { PersonalDetails } from '../chip/personal-details.ts'
import type { MachineReadableZone } from '../document/machine-readable-zone.ts'
import type { SealKeys } from '../document/verify-seal.ts'
import type { GallerySearch } from '../duplicates/face-gallery.ts'
import type { TemplateModel } from '../duplicates/face-template.ts'
import type { FrameFindings } from '../liveness/analyse-frames.ts'
import type { UsedChallenge } from '../liveness/challenges.ts'
import type { DeclaredIdentity } from '../submission/submission.ts'
import type { DocumentType } from '../vocabulary.ts'

export type DocumentKind = keyof typeof DocumentType

/** A face as measured by the face analyser on its aligned 150 px crop. */
export interface FaceEvidence {
  /** px in the decoded image */
  readonly width: number
  /** detection score, 0 to 1 */
  readonly score: number
  /** variance of the Laplacian */
  readonly sharpness: number
  /** mean grey, 0 to 255 */
  readonly brightness: number
  /** 98th percentile of grey */
  readonly highlight: number
  /** share of pixels below 20 and above 240 */
  readonly shareDark: number
  readonly shareBright: number
  readonly covering: FaceCovering
  /** estimated age in years */
  readonly apparentAge: number
}

export interface ImageEvidence {
  /** px in the decoded image */
  readonly width: number
  /** on the selfie ordered by size, without persons in the background; on a document by score */
  readonly faces: readonly FaceEvidence[]
  /** clear faces of other persons than the first: a second document, a photograph, or no document */
  readonly otherPersons?: number
}

/** Content of the chip, or the reason why it cannot be read. */
export type ChipEvidence =
  | { readonly problem: string }
  | {
      readonly authentication: PassiveAuthentication
      /** absent without a challenge */
      readonly activeAuthentication?: ActiveAuthentication | undefined
      readonly zone: MachineReadableZone
      /** details of the holder beyond the zone, if present */
      readonly details?: PersonalDetails | undefined
      readonly portrait: PortraitEvidence
    }

/**
 * The portrait on the chip: its largest face and its similarity to the selfie (absent without a face); or the reason why it cannot be used.
 */
export type PortraitEvidence =
  | { readonly face: FaceEvidence | undefined; readonly likeness: FaceLikeness | undefined }
  | { readonly problem: string }

/** A challenge and its result. */
export type LivenessEvidence = UsedChallenge & FrameFindings

/** Similar faces of other citizens of the same tenant. */
export interface DuplicateEvidence extends Omit<GallerySearch, 'upTo'> {
  readonly model: TemplateModel
}

/** The measurements of all engines for one job; the rules depend on nothing else. */
export interface Evidence {
  readonly declared: DeclaredIdentity
  readonly documentType: DocumentKind
  /** as submitted */
  readonly countryCode: string
  readonly selfie: ImageEvidence
  readonly front: ImageEvidence
  readonly hasBack?: boolean
  /** searched for faces only when the front has no face */
  readonly back?: ImageEvidence
  /** similarity of the largest faces of selfie and document; absent without a face in either */
  readonly faceLikeness?: FaceLikeness
  /** networks that compared the faces */
  readonly faceModel?: string
  /** absent when no text was read */
  readonly frontText?: DocumentText
  readonly backText?: DocumentText
  /** absent without chip data */
  readonly chip?: ChipEvidence
  /** absent without a challenge */
  readonly liveness?: LivenessEvidence
  /** absent when the search is off */
  readonly duplicates?: DuplicateEvidence
  /** imported keys of barcode seals */
  readonly sealKeys?: SealKeys
  /** milliseconds since the epoch */
  readonly now: number
}

import { z } from 'zod'
import type { JobRow } from '../tables.ts'
import { DeclaredGender, ImageName, wordsOf } from '../vocabulary.ts'

/** Names of a submission's images. */
export const imageMembers = wordsOf(ImageName)
export type ImageMember = (typeof imageMembers)[number]

/** A submitted image: its bytes, or the reason why it has none. */
export type SubmittedImage = { readonly bytes: Uint8Array } | { readonly problem: 'invalid_base64' | 'empty_image' | 'image_too_large' }

/** Accepted files of a travel document's chip by their names in ICAO Doc 9303-10: never DG3 and DG4, fingerprints and iris. */
export const chipFiles = ['sod', 'dg1', 'dg2', 'dg11', 'dg12', 'dg14', 'dg15'] as const
export type ChipFile = (typeof chipFiles)[number]

/** Files of a chip, byte for byte: at least security object, machine-readable zone and portrait. */
export type SubmittedChip = Readonly<Record<'sod' | 'dg1' | 'dg2', Uint8Array>> & Readonly<Partial<Record<ChipFile, Uint8Array>>>

/** A frame of a liveness challenge. */
export interface SubmittedFrame {
  readonly bytes: Uint8Array
  /** milliseconds since the client received the challenge, by its clock */
  readonly atMs: number
}

/** The frames of a challenge: at most twenty, in order of capture. */
export interface SubmittedLiveness {
  readonly nonce: string
  readonly frames: readonly SubmittedFrame[]
}

/** Response of a chip to a challenge. */
export interface SubmittedChipResponse {
  readonly nonce: string
  readonly response: Uint8Array
}

/** The identity that a citizen declares; a caller may omit what is null. */
export const DeclaredIdentity = z.object({
  firstName: z.string(),
  lastName: z.string(),
  dateOfBirth: z.string().nullable().default(null),
  gender: z.enum(DeclaredGender).nullable().default(null),
  nationality: z.string().nullable().default(null),
})
export type DeclaredIdentity = Readonly<z.output<typeof DeclaredIdentity>>

/** The secret content of a job until it ends: images, frames, chip data and declared identity. */
export interface Submission {
  readonly declaredIdentity: DeclaredIdentity
  readonly selfie: SubmittedImage
  readonly documentFront: SubmittedImage
  readonly documentBack?: SubmittedImage
  readonly chip?: SubmittedChip
  /** only with a chip */
  readonly chipResponse?: SubmittedChipResponse
  readonly liveness?: SubmittedLiveness
}

/** A job before it is accepted: columns of its row, and content that is sealed. */
export interface NewJob extends Readonly<Pick<JobRow, 'citizenCode' | 'documentType' | 'countryCode' | 'priority' | 'callbackUrl'>> {
  readonly submission: Submission
}

/** Returns the total size of images, chip files and frames in bytes. */
export function bytesOf(submission: Submission): number {
  const images = imageMembers.map((member) => submission[member])
  const files = chipFiles.map((file) => submission.chip?.[file])
  const frames = (submission.liveness?.frames ?? []).map(({ bytes }) => bytes)
  const pictures = images.map((image) => (image !== undefined && 'bytes' in image ? image.bytes : undefined))
  return [...pictures, ...files, submission.chipResponse?.response, ...frames].reduce((sum, bytes) => sum + (bytes?.length ?? 0), 0)
}

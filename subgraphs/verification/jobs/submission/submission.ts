/** What a submission's images are called. */
export const imageMembers = ['selfie', 'documentFront', 'documentBack'] as const
export type ImageMember = (typeof imageMembers)[number]

/** An image as it came: its bytes, or why there are none to look at. */
export type SubmittedImage = { readonly bytes: Uint8Array } | { readonly problem: 'invalid_base64' | 'empty_image' | 'image_too_large' }

/** The files of a travel document's chip that are taken, by their names in ICAO Doc 9303-10: never DG3 and DG4, the fingers and the iris. */
export const chipFiles = ['sod', 'dg1', 'dg2', 'dg11', 'dg12', 'dg14', 'dg15'] as const
export type ChipFile = (typeof chipFiles)[number]

/** What was read from a chip, byte for byte: the security object, the machine-readable zone and the portrait at least. */
export type SubmittedChip = Readonly<Record<'sod' | 'dg1' | 'dg2', Uint8Array>> & Readonly<Partial<Record<ChipFile, Uint8Array>>>

/** A picture taken while the citizen did what a challenge asked for. */
export interface SubmittedFrame {
  readonly bytes: Uint8Array
  /** milliseconds since the client had the challenge, by its own clock */
  readonly atMs: number
}

/** The answer to a challenge: at most twenty frames, in the order in which they were taken. */
export interface SubmittedLiveness {
  readonly nonce: string
  readonly frames: readonly SubmittedFrame[]
}

/** What a chip has answered to a challenge. */
export interface SubmittedChipResponse {
  readonly nonce: string
  readonly response: Uint8Array
}

export interface DeclaredIdentity {
  readonly firstName: string
  readonly lastName: string
  readonly dateOfBirth: string | null
  readonly gender: 'M' | 'F' | 'O' | 'N' | null
  readonly nationality: string | null
}

/** What a job keeps secret until it ends: the images and frames, what was read from the chip, and who the citizen says to be. */
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

/** How many bytes the images, the files of the chip and the frames have. */
export function bytesOf(submission: Submission): number {
  const images = imageMembers.map((member) => submission[member])
  const files = chipFiles.map((file) => submission.chip?.[file])
  const frames = (submission.liveness?.frames ?? []).map(({ bytes }) => bytes)
  const pictures = images.map((image) => (image !== undefined && 'bytes' in image ? image.bytes : undefined))
  return [...pictures, ...files, submission.chipResponse?.response, ...frames].reduce((sum, bytes) => sum + (bytes?.length ?? 0), 0)
}

/** What a submission's images are called. */
export const imageMembers = ['selfie', 'documentFront', 'documentBack'] as const
export type ImageMember = (typeof imageMembers)[number]

/** An image as it came: its bytes, or why there are none to look at. */
export type SubmittedImage = { readonly bytes: Uint8Array } | { readonly problem: 'invalid_base64' | 'image_too_large' }

export interface DeclaredIdentity {
  readonly firstName: string
  readonly lastName: string
  readonly dateOfBirth: string | null
  readonly gender: 'M' | 'F' | 'O' | 'N' | null
  readonly nationality: string | null
}

/** What a job keeps secret until it ends: the images and who the citizen says to be. */
export interface Submission {
  readonly declaredIdentity: DeclaredIdentity
  readonly selfie: SubmittedImage
  readonly documentFront: SubmittedImage
  readonly documentBack?: SubmittedImage
}

/** How many bytes the images have. */
export function bytesOf(submission: Submission): number {
  return imageMembers.reduce((sum, member) => {
    const image = submission[member]
    return sum + (image !== undefined && 'bytes' in image ? image.bytes.length : 0)
  }, 0)
}

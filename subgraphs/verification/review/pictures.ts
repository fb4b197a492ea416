import { formatOf, type PhotographFormat } from '../../../engines/inference/images/image-format.ts'
import { InvalidImage } from '../../../engines/inference/images/invalid-image.ts'
import { type ImageMember, imageMembers, type Submission } from '../submission/submission.ts'
import { maxFrames } from '../vocabulary.ts'

/** A picture of a submission for reviewers: an image, or a frame by number from 0. */
export type PictureName = ImageMember | `frame${number}`

const frameNames = Array.from({ length: maxFrames }, (_, index) => `frame${index}` as const)
/** addresses contain the index in this list */
export const pictureNames: readonly PictureName[] = [...imageMembers, ...frameNames]

export interface Picture {
  readonly name: PictureName
  readonly bytes: Uint8Array
  readonly format: PhotographFormat
}

/** Returns the submitted images. */
export const imagesOf = (submission: Submission): readonly (Picture & { readonly name: ImageMember })[] =>
  imageMembers.flatMap((name) => {
    const image = submission[name]
    return image === undefined || !('bytes' in image) ? [] : [{ name, bytes: image.bytes, format: formatOf(image.bytes) }]
  })

/** Returns the frames of the challenge in order of time. They were not decoded before: one that does not start like an image is omitted. */
export const framesOf = ({ liveness }: Submission): readonly (Picture & { readonly atMs: number })[] =>
  (liveness?.frames ?? []).flatMap(({ bytes, atMs }, index) => {
    const format = formatOrNone(bytes)
    return format === undefined ? [] : [{ name: `frame${index}` as const, bytes, format, atMs }]
  })

export const pictureIn = (submission: Submission, name: PictureName): Picture | undefined =>
  [...imagesOf(submission), ...framesOf(submission)].find((picture) => picture.name === name)

function formatOrNone(bytes: Uint8Array): PhotographFormat | undefined {
  try {
    return formatOf(bytes)
  } catch (thrown) {
    if (thrown instanceof InvalidImage) return undefined
    throw thrown
  }
}

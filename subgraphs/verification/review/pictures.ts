import { formatOf, type PhotographFormat } from '../../../engines/inference/images/image-format.ts'
import { InvalidImage } from '../../../engines/inference/images/invalid-image.ts'
import { type ImageMember, imageMembers, type Submission } from '../jobs/submission/submission.ts'
import { maxFrames } from '../liveness/vocabulary.ts'

/** A picture of a submission that people look at: an image, or a frame of its challenge by its number, which counts from 0. */
export type PictureName = ImageMember | `frame${number}`

const frameNames = Array.from({ length: maxFrames }, (_, index) => `frame${index}` as const)
/** addresses name a picture by its place here */
export const pictureNames: readonly PictureName[] = [...imageMembers, ...frameNames]

export interface Picture {
  readonly name: PictureName
  readonly bytes: Uint8Array
  readonly format: PhotographFormat
}

/** The images that are to be looked at, as they came. */
export const imagesOf = (submission: Submission): readonly (Picture & { readonly name: ImageMember })[] =>
  imageMembers.flatMap((name) => {
    const given = submission[name]
    return given === undefined || !('bytes' in given) ? [] : [{ name, bytes: given.bytes, format: formatOf(given.bytes) }]
  })

/** The frames of its challenge, in the order of time. Nobody has decoded them before: one that does not begin as a picture is left out. */
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

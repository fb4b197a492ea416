import { InvalidImage } from '../../../engines/inference/images/invalid-image.ts'
import type { ImageMember, SubmittedImage } from '../submission/submission.ts'

/** Names of the members in the documented request, used in failure reasons. */
const memberNames: Record<ImageMember, string> = { selfie: 'selfie_b64', documentFront: 'cni_recto_b64', documentBack: 'cni_verso_b64' }

const notRead: Record<Extract<SubmittedImage, { problem: string }>['problem'], string> = {
  invalid_base64: 'The content is not base64',
  empty_image: 'The content has no byte: take the picture again',
  image_too_large: 'The image is over 5 MB',
}

/** An image that cannot be used: the job ends with an error that names the member. */
export class UnusableImage extends Error {
  constructor(member: ImageMember, problem: string, sentence: string) {
    super(`${problem}: ${sentence} (${memberNames[member]})`)
  }
}

/** Converts an engine's refusal. @throws {UnusableImage} naming the member */
export function withImageName<Answer>(member: ImageMember, answer: Promise<Answer>): Promise<Answer> {
  return answer.catch((thrown: unknown) => {
    if (thrown instanceof InvalidImage) throw new UnusableImage(member, thrown.problem, thrown.message)
    throw thrown
  })
}

/** @throws {UnusableImage} when the image has no bytes */
export function bytesOf(member: ImageMember, image: SubmittedImage): Uint8Array {
  if ('bytes' in image) return image.bytes
  throw new UnusableImage(member, image.problem, notRead[image.problem])
}

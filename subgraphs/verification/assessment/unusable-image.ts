import { InvalidImage } from '../../../engines/inference/images/invalid-image.ts'
import type { ImageMember, SubmittedImage } from '../jobs/submission/submission.ts'

/** The members as the documented request names them: failure reasons point at these. */
const memberNames: Record<ImageMember, string> = { selfie: 'selfie_b64', documentFront: 'cni_recto_b64', documentBack: 'cni_verso_b64' }

const notRead: Record<Extract<SubmittedImage, { problem: string }>['problem'], string> = {
  invalid_base64: 'The content is not base64',
  empty_image: 'The content has no byte: take the picture again',
  image_too_large: 'The image is over 5 MB',
}

/** An image that no verification can go on with: the job ends as an error that names the member. */
export class UnusableImage extends Error {
  constructor(member: ImageMember, problem: string, sentence: string) {
    super(`${problem}: ${sentence} (${memberNames[member]})`)
  }
}

/** @throws {UnusableImage} in place of an engine's refusal, naming the member */
export function naming<Answer>(member: ImageMember, answer: Promise<Answer>): Promise<Answer> {
  return answer.catch((thrown: unknown) => {
    if (thrown instanceof InvalidImage) throw new UnusableImage(member, thrown.problem, thrown.message)
    throw thrown
  })
}

/** @throws {UnusableImage} when there are none */
export function bytesOf(member: ImageMember, image: SubmittedImage): Uint8Array {
  if ('bytes' in image) return image.bytes
  throw new UnusableImage(member, image.problem, notRead[image.problem])
}

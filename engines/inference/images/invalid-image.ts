import { InvalidInput } from '../../../foundation/fault.ts'

/** Reasons for refusing an image, with the message for clients. */
const sentences = {
  not_an_image: 'The content is not an image',
  unsupported_format: 'The image is neither JPEG, PNG nor WebP',
  image_too_small: 'The image is less than 80 pixels wide or high',
  image_too_large: 'The image is over 5 MB or 40 megapixels',
  animated_image: 'The image is an animation',
  truncated: 'The image data ends early: send the whole file',
  damaged_image: 'The image data is corrupt and cannot be decoded: take or export the image again',
} as const

export type ImageProblem = keyof typeof sentences

/** An image that cannot be analysed. Not retried. */
export class InvalidImage extends InvalidInput {
  readonly problem: ImageProblem

  constructor(problem: ImageProblem) {
    super(sentences[problem])
    this.problem = problem
  }
}

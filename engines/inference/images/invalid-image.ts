import { InvalidInput } from '../../../foundation/fault.ts'

/** Why an image is refused, with the sentence that a client may read. */
const sentences = {
  not_an_image: 'The content is not an image',
  unsupported_format: 'The image is neither JPEG, PNG nor WebP',
  image_too_small: 'The image is less than 80 pixels wide or high',
  image_too_large: 'The image is over 5 MB or 40 megapixels',
  animated_image: 'The image is an animation',
  truncated: 'The image is cut short',
  damaged_image: 'The image is damaged',
} as const

export type ImageProblem = keyof typeof sentences

/** Bytes that no face or text is looked for in. Not retried: they stay what they are. */
export class InvalidImage extends InvalidInput {
  readonly problem: ImageProblem

  constructor(problem: ImageProblem) {
    super(sentences[problem])
    this.problem = problem
  }
}

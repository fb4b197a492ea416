import { InvalidInput } from '../../../foundation/fault.ts'
import type { ImageContent } from '../../../foundation/graphql/image-content.ts'
import { outOfRange, tooMany, type Violation } from '../../../foundation/validation/violation.ts'
import { challengeSeconds, maxFrames, minFrames } from '../vocabulary.ts'
import { decodeImage } from './decode-image.ts'
import type { SubmittedLiveness } from './submission.ts'

/** bytes; a JPEG frame of 720 x 1280 pixels has about 150 kB */
const maxFrameBytes = 512 * 1024
const maxMs = challengeSeconds * 1000

export interface LivenessContent {
  readonly nonce: string
  readonly frames: readonly { readonly image: ImageContent; readonly atMs: number }[]
}

/**
 * Decodes the frames of a challenge.
 * @param path - of the input's member
 * @throws {InvalidInput} naming each frame that is too long, not base64 or not after the previous one, or for too few or too many frames
 */
export function decodeFrames({ nonce, frames }: LivenessContent, path: Violation['path']): SubmittedLiveness {
  const violations: Violation[] = []
  if (frames.length > maxFrames) violations.push(tooMany([...path, 'frames'], maxFrames, frames.length))
  else if (frames.length < minFrames) {
    const message = `A challenge requires at least ${minFrames} frames: one before the first movement, and one for each`
    violations.push({ code: 'too_short', path: [...path, 'frames'], message, constraint: { min: minFrames, actual: frames.length } })
  }
  if (violations.length > 0) throw new InvalidInput('The frames are invalid', violations)
  let before = -1
  const decoded = frames.map(({ image, atMs }, index) => {
    const frame = [...path, 'frames', index]
    const content = decodeImage(image, maxFrameBytes)
    if (!('bytes' in content))
      violations.push(
        content.problem === 'image_too_large'
          ? {
              code: 'too_long',
              path: [...frame, 'image'],
              message: `The frame must be at most ${maxFrameBytes} bytes`,
              constraint: { max: maxFrameBytes },
            }
          : { code: 'not_base64', path: [...frame, 'image'], message: 'The content is not base64' },
      )
    if (atMs < 0 || atMs > maxMs) violations.push(outOfRange([...frame, 'atMs'], 0, maxMs))
    else if (atMs <= before)
      violations.push({ code: 'wrong_order', path: [...frame, 'atMs'], message: 'The frame must be later than the previous one' })
    before = atMs
    return { atMs, bytes: 'bytes' in content ? content.bytes : new Uint8Array() }
  })
  if (violations.length > 0) throw new InvalidInput('The frames are invalid', violations)
  return { nonce, frames: decoded }
}

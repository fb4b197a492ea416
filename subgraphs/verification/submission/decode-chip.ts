import { InvalidInput } from '../../../foundation/fault.ts'
import type { ImageContent } from '../../../foundation/graphql/image-content.ts'
import type { Violation } from '../../../foundation/validation/violation.ts'
import { decodeImage } from './decode-image.ts'
import type { ChipFile, SubmittedChip, SubmittedChipResponse } from './submission.ts'

/** bytes; several times the size on real documents (SOD 2 to 4 kB, DG2 15 to 25 kB, at most 64 kB without extended lengths) */
const largest: Readonly<Record<ChipFile, number>> = {
  sod: 64 * 1024,
  dg1: 1024,
  dg2: 512 * 1024,
  dg11: 128 * 1024,
  dg12: 512 * 1024,
  dg14: 16 * 1024,
  dg15: 16 * 1024,
}

export type ChipContent = Readonly<Record<'sod' | 'dg1' | 'dg2', ImageContent>> & { readonly [file in ChipFile]?: ImageContent | null }

/**
 * Decodes the base64 files of a chip.
 * @param path - of the input's member
 * @throws {InvalidInput} naming each file that is too long or not base64
 */
export function decodeChip(content: ChipContent, path: Violation['path']): SubmittedChip {
  const violations: Violation[] = []
  const decoded = (file: ChipFile, text: ImageContent): Uint8Array => {
    const read = decodeImage(text, largest[file])
    if ('bytes' in read) return read.bytes
    const max = largest[file]
    violations.push(
      read.problem === 'image_too_large'
        ? { code: 'too_long', path: [...path, file], message: `The file must be at most ${max} bytes`, constraint: { max } }
        : { code: 'not_base64', path: [...path, file], message: 'The content is not base64' },
    )
    return new Uint8Array()
  }
  const [sod, dg1, dg2] = [decoded('sod', content.sod), decoded('dg1', content.dg1), decoded('dg2', content.dg2)]
  const others = optional.flatMap((file) => {
    const text = content[file]
    return text == null ? [] : [[file, decoded(file, text)] as const]
  })
  if (violations.length > 0) throw new InvalidInput('The files of the chip are invalid', violations)
  return { ...Object.fromEntries(others), sod, dg1, dg2 }
}

const optional = ['dg11', 'dg12', 'dg14', 'dg15'] as const

/** bytes; the size of a signature of an 8,192-bit key */
const maxResponseBytes = 1024

export interface ChipResponseContent {
  readonly nonce: string
  readonly response: ImageContent
}

/**
 * Decodes the base64 response of a chip to a challenge.
 * @param path - of the chip in the input  @throws {InvalidInput} when it is too long or not base64, or the file with the public key is
 * missing
 */
export function decodeChipResponse(
  { nonce, response }: ChipResponseContent,
  { dg15 }: ChipContent,
  path: Violation['path'],
): SubmittedChipResponse {
  const refuse = (violation: Violation): InvalidInput => new InvalidInput('The response of the chip is invalid', [violation])
  if (dg15 == null) throw refuse({ code: 'required', path: [...path, 'dg15'], message: 'Required to verify a response of the chip' })
  const read = decodeImage(response, maxResponseBytes)
  if ('bytes' in read) return { nonce, response: read.bytes }
  const at = [...path, 'activeAuthentication', 'response']
  throw refuse(
    read.problem === 'image_too_large'
      ? {
          code: 'too_long',
          path: at,
          message: `The response must be at most ${maxResponseBytes} bytes`,
          constraint: { max: maxResponseBytes },
        }
      : { code: 'not_base64', path: at, message: 'The content is not base64' },
  )
}

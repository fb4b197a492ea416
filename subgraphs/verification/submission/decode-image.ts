import { DecodedBase64, type ImageContent } from '../../../foundation/graphql/image-content.ts'
import type { SubmittedImage } from './submission.ts'

/** maximum size of a decoded image; larger ones end with status error */
const maxImageBytes = 5 * 1024 * 1024

const base64 = /^[A-Za-z0-9+/_-]*={0,2}$/
const dataUrl = /^data:[\w.+-]+\/[\w.+-]+(?:;[\w=.+-]+)*;base64,/i

/**
 * Decodes base64 or a base64 data URL (RFC 2397, RFC 4648; white space and missing padding are accepted). Never fails: problems become the
 * job's result.
 * @param maxBytes - decoded size
 */
export function decodeImage(content: ImageContent, maxBytes = maxImageBytes): SubmittedImage {
  if (content instanceof DecodedBase64) {
    const { bytes } = content
    if (bytes.length === 0) return { problem: 'empty_image' }
    return bytes.length > maxBytes ? { problem: 'image_too_large' } : { bytes }
  }
  const prefix = dataUrl.exec(content.slice(0, 256))?.[0].length ?? 0
  const plain = content.slice(prefix)
  const plainDigits = digitsOf(plain)
  if (plainDigits > 0 && plainDigits % 4 !== 1 && plain.length - plainDigits <= 2 && decodedBytes(plainDigits) <= maxBytes) {
    // Node's decoder skips invalid characters: nothing skipped means valid base64, ten times faster than a regular expression
    const bytes = Buffer.from(plain, 'base64')
    if (bytes.length === decodedBytes(plainDigits)) return { bytes }
  }
  const text = plain.replace(/[\t\n\r ]+/g, '')
  const digits = digitsOf(text)
  if (text === '') return { problem: 'empty_image' }
  if (digits === 0 || digits % 4 === 1 || !base64.test(text)) return { problem: 'invalid_base64' }
  if (decodedBytes(digits) > maxBytes) return { problem: 'image_too_large' }
  return { bytes: Buffer.from(text, 'base64') }
}

const decodedBytes = (digits: number): number => Math.floor((digits * 3) / 4)

/** Returns the number of characters before the padding. */
function digitsOf(text: string): number {
  let end = text.length
  while (end > 0 && text.charCodeAt(end - 1) === 61) end--
  return end
}

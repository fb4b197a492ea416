import { z } from 'zod'
import { type ImageMember, imageMembers, type Submission, type SubmittedImage } from '../../submission.ts'
import { DeclaredGender } from '../../vocabulary.ts'

const Header = z.object({
  declaredIdentity: z.object({
    firstName: z.string(),
    lastName: z.string(),
    dateOfBirth: z.string().nullable(),
    gender: z.enum(DeclaredGender).nullable(),
    nationality: z.string().nullable(),
  }),
  images: z.partialRecord(z.enum(imageMembers), z.union([z.number().int(), z.enum(['invalid_base64', 'image_too_large'])])),
})

/** One record of bytes, in parts: length of the header (4 bytes, big endian), header (JSON), the images behind one another. */
export function encodeSubmission(submission: Submission): readonly Uint8Array[] {
  const images: Partial<Record<ImageMember, number | string>> = {}
  const bodies: Uint8Array[] = []
  for (const member of imageMembers) {
    const image = submission[member]
    if (image === undefined) continue
    if ('bytes' in image) bodies.push(image.bytes)
    images[member] = 'bytes' in image ? image.bytes.length : image.problem
  }
  const header = Buffer.from(JSON.stringify({ declaredIdentity: submission.declaredIdentity, images }))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(header.length)
  return [length, header, ...bodies]
}

/** @throws when the bytes are no encoded submission */
export function decodeSubmission(record: Uint8Array): Submission {
  const bytes = Buffer.from(record.buffer, record.byteOffset, record.byteLength)
  let from = 4 + bytes.readUInt32BE(0)
  const header = Header.parse(JSON.parse(bytes.toString('utf8', 4, from)))
  const image = (member: ImageMember): SubmittedImage | undefined => {
    const entry = header.images[member]
    if (typeof entry !== 'number') return entry === undefined ? undefined : { problem: entry }
    const start = from
    from += entry
    return { bytes: bytes.subarray(start, from) }
  }
  const [selfie, documentFront, documentBack] = imageMembers.map(image)
  if (selfie === undefined || documentFront === undefined) throw new Error('a sealed submission lacks an image')
  return { declaredIdentity: header.declaredIdentity, selfie, documentFront, ...(documentBack === undefined ? {} : { documentBack }) }
}

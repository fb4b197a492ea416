import { z } from 'zod'
import {
  type ChipFile,
  chipFiles,
  DeclaredIdentity,
  type ImageMember,
  imageMembers,
  type Submission,
  type SubmittedChip,
  type SubmittedImage,
  type SubmittedLiveness,
} from './submission.ts'

const Header = z.object({
  declaredIdentity: DeclaredIdentity,
  images: z.partialRecord(z.enum(imageMembers), z.union([z.number().int(), z.enum(['invalid_base64', 'empty_image', 'image_too_large'])])),
  /** absent without a chip; ignored by releases without chip support */
  chip: z.partialRecord(z.enum(chipFiles), z.number().int()).optional(),
  /** absent without a challenge; jobs with it have a format that older releases leave alone */
  chipResponse: z.object({ nonce: z.string(), length: z.number().int() }).optional(),
  /** absent without a challenge; jobs with it have a format that older releases leave alone */
  liveness: z.object({ nonce: z.string(), frames: z.array(z.object({ atMs: z.number(), length: z.number().int() })) }).optional(),
})

/** Encodes one record: length of the header (4 bytes, big endian), header (JSON), images, files of the chip, its response, frames. */
export function encodeSubmission(submission: Submission): readonly Uint8Array[] {
  const images: Partial<Record<ImageMember, number | string>> = {}
  const bodies: Uint8Array[] = []
  for (const member of imageMembers) {
    const image = submission[member]
    if (image === undefined) continue
    if ('bytes' in image) bodies.push(image.bytes)
    images[member] = 'bytes' in image ? image.bytes.length : image.problem
  }
  const chip: Partial<Record<ChipFile, number>> = {}
  for (const file of chipFiles) {
    const content = submission.chip?.[file]
    if (content === undefined) continue
    bodies.push(content)
    chip[file] = content.length
  }
  const { declaredIdentity } = submission
  const chipResponse = submission.chipResponse && {
    nonce: submission.chipResponse.nonce,
    length: submission.chipResponse.response.length,
  }
  if (submission.chipResponse) bodies.push(submission.chipResponse.response)
  const liveness = submission.liveness && {
    nonce: submission.liveness.nonce,
    frames: submission.liveness.frames.map(({ atMs, bytes }) => ({ atMs, length: bytes.length })),
  }
  bodies.push(...(submission.liveness?.frames ?? []).map(({ bytes }) => bytes))
  const parts = { ...(submission.chip && { chip }), ...(chipResponse && { chipResponse }), ...(liveness && { liveness }) }
  const header = Buffer.from(JSON.stringify({ declaredIdentity, images, ...parts }))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(header.length)
  return [length, header, ...bodies]
}

/** @throws when the bytes are not an encoded submission */
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
  const chip = header.chip && chipOf(header.chip, bytes.subarray(from))
  from += Object.values(header.chip ?? {}).reduce((sum, length) => sum + (length ?? 0), 0)
  const chipResponse = header.chipResponse && {
    nonce: header.chipResponse.nonce,
    response: bytes.subarray(from, from + header.chipResponse.length),
  }
  from += header.chipResponse?.length ?? 0
  const liveness = header.liveness && livenessOf(header.liveness, bytes.subarray(from))
  return {
    declaredIdentity: header.declaredIdentity,
    selfie,
    documentFront,
    ...(documentBack && { documentBack }),
    ...(chip && { chip }),
    ...(chipResponse && { chipResponse }),
    ...(liveness && { liveness }),
  }
}

/** @param bytes - of all frames in order */
function livenessOf({ nonce, frames }: NonNullable<z.infer<typeof Header>['liveness']>, bytes: Uint8Array): SubmittedLiveness {
  let from = 0
  return {
    nonce,
    frames: frames.map(({ atMs, length }) => {
      const start = from
      from += length
      return { atMs, bytes: bytes.subarray(start, from) }
    }),
  }
}

/** @param lengths - of the present files  @param bytes - of all of them, in the order of `chipFiles` */
function chipOf(lengths: Readonly<Partial<Record<ChipFile, number>>>, bytes: Uint8Array): SubmittedChip {
  const files: Partial<Record<ChipFile, Uint8Array>> = {}
  let from = 0
  for (const file of chipFiles) {
    const length = lengths[file]
    if (length === undefined) continue
    files[file] = bytes.subarray(from, from + length)
    from += length
  }
  const { sod, dg1, dg2 } = files
  if (sod === undefined || dg1 === undefined || dg2 === undefined) throw new Error('a sealed submission lacks a file of the chip')
  return { ...files, sod, dg1, dg2 }
}

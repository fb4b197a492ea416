import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { codeOf, messageOf } from '../../../foundation/fault.ts'

const methods: readonly number[] = [0, 8] // stored, deflated
const encrypted = 1

/**
 * Extracts one member of a zip archive. Its name is only compared, never used as a path; at most the expected number of bytes is unpacked, whatever
 * the archive declares.
 * @param member - its full name in the archive
 * @param bytes - its unpacked size
 * @throws {Error} one sentence: the member is missing, damaged or has another size, or the file is not a zip archive
 */
export async function extractMember(archive: string, member: string, bytes: number, target: string): Promise<void> {
  const zip = await openPromise(archive, { lazyEntries: true, autoClose: false }).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') throw error
    throw new Error('The archive is not a zip file', { cause: error })
  })
  try {
    const entry = await findEntry(zip, member)
    if (entry === undefined) throw new Error(`${member} is not in the archive`)
    if ((entry.generalPurposeBitFlag & encrypted) !== 0 || !methods.includes(entry.compressionMethod))
      throw new Error(`${member} uses an unsupported compression or encryption`)
    if (entry.uncompressedSize !== bytes) throw new Error(`${member} has ${entry.uncompressedSize} bytes instead of ${bytes}`)
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(target)).catch((error: unknown) => {
      const isLarger = messageOf(error).startsWith('too many bytes')
      throw new Error(
        isLarger ? `${member} unpacks to more than ${bytes} bytes` : `${member} in the archive is corrupt: pull the model again`,
        { cause: error },
      )
    })
  } finally {
    zip.close()
  }
}

async function findEntry(zip: ZipFile, member: string): Promise<Entry | undefined> {
  for await (const entry of zip.eachEntry()) if (entry.fileName === member) return entry
  return undefined
}

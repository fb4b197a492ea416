import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createInflateRaw } from 'node:zlib'
import { codeOf } from '../../../foundation/fault.ts'

const endOfDirectory = { signature: 0x06054b50, bytes: 22, longestComment: 65_535 }
const directoryEntry = { signature: 0x02014b50, bytes: 46 }
const localHeader = { signature: 0x04034b50, bytes: 30 }
const maxDirectoryBytes = 16_000_000
const stored = 0
const deflated = 8

interface Entry {
  readonly isEncrypted: boolean
  readonly method: number
  readonly compressed: number
  readonly uncompressed: number
  readonly header: number
}

/**
 * Extracts one member of a zip archive. Its name is only compared, never used as a path; at most the expected number of bytes is unpacked, whatever
 * the archive declares.
 * @param member - its full name in the archive
 * @param bytes - its unpacked size
 * @throws {Error} one sentence: the member is missing, damaged or has another size, or the file is not a zip archive
 * @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT (4.3); archives over 4 GB (zip64) are refused
 */
export async function extractMember(archive: string, member: string, bytes: number, target: string): Promise<void> {
  await using file = await open(archive)
  const entry = findEntry(await readDirectory(file), member)
  if (entry === undefined) throw new Error(`${member} is not in the archive`)
  if (entry.isEncrypted || ![stored, deflated].includes(entry.method))
    throw new Error(`${member} uses an unsupported compression or encryption`)
  if (entry.uncompressed !== bytes) throw new Error(`${member} has ${entry.uncompressed} bytes instead of ${bytes}`)
  const header = await read(file, entry.header, localHeader.bytes)
  if (header.readUInt32LE(0) !== localHeader.signature) throw new Error(`${member} is not at the offset in the directory`)
  const start = entry.header + localHeader.bytes + header.readUInt16LE(26) + header.readUInt16LE(28)
  if (start + entry.compressed > (await file.stat()).size) throw new Error(`${member} is truncated`)
  const packed = createReadStream(archive, { start, end: start + entry.compressed - 1 })
  const written = createWriteStream(target)
  const limited = limitedTo(bytes, member)
  try {
    if (entry.method === stored) await pipeline(packed, limited, written)
    else await pipeline(packed, createInflateRaw(), limited, written)
  } catch (error) {
    if (codeOf(error).startsWith('Z_')) throw new Error(`${member} is damaged`, { cause: error })
    throw error
  }
}

function limitedTo(bytes: number, member: string) {
  return async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let passed = 0
    for await (const chunk of chunks) {
      passed += chunk.length
      if (passed > bytes) throw new Error(`${member} unpacks to more than ${bytes} bytes`)
      yield chunk
    }
    if (passed !== bytes) throw new Error(`${member} unpacks to ${passed} bytes instead of ${bytes}`)
  }
}

/** Reads the central directory at the end of the archive. */
async function readDirectory(file: FileHandle): Promise<Buffer> {
  const { size } = await file.stat()
  const begin = Math.max(0, size - endOfDirectory.bytes - endOfDirectory.longestComment)
  const tail = await read(file, begin, size - begin)
  const signature = Buffer.alloc(4)
  signature.writeUInt32LE(endOfDirectory.signature)
  const at = tail.lastIndexOf(signature)
  if (at < 0 || at + endOfDirectory.bytes > tail.length) throw new Error('The archive is not a zip file')
  const [length, offset] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)]
  if (length > maxDirectoryBytes || offset + length > size) throw new Error('The archive is not a valid zip file')
  return read(file, offset, length)
}

function findEntry(directory: Buffer, member: string): Entry | undefined {
  for (let at = 0; at + directoryEntry.bytes <= directory.length; ) {
    if (directory.readUInt32LE(at) !== directoryEntry.signature) return undefined
    const nameBytes = directory.readUInt16LE(at + 28)
    const name = directory.toString('utf8', at + directoryEntry.bytes, at + directoryEntry.bytes + nameBytes)
    if (name === member)
      return {
        isEncrypted: (directory.readUInt16LE(at + 8) & 1) === 1,
        method: directory.readUInt16LE(at + 10),
        compressed: directory.readUInt32LE(at + 20),
        uncompressed: directory.readUInt32LE(at + 24),
        header: directory.readUInt32LE(at + 42),
      }
    at += directoryEntry.bytes + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
  }
  return undefined
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  if (bytesRead !== length) throw new Error('The archive is truncated')
  return buffer
}
